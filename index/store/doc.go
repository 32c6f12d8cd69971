// Package store keeps outlines on disk.
//
// Each repository has one folder, shared by its worktrees:
//
//	lock                 held by the one process that writes
//	used                 touched when the folder is opened, for dropping old ones
//	*.segment            outlines by the hash of what they were made from
//	*.view               one for each worktree: its files and their outlines
//
// A segment is immutable: it holds records by [Key], and the records in which
// each name occurs. A view says which file has which record, and by which status
// (size, times, inode) the file is known to be still the same. Both are written
// under a temporary name and renamed, so that a reader sees the old or the new
// and a writer that is killed leaves at most a temporary file. Nothing is forced
// to the disk: both are made of pages with checksums, a page is checked before
// anything in it is believed, and whatever fails is made anew from the sources.
//
// Files are memory-mapped and stay mapped as long as anybody can reach them.
package store
