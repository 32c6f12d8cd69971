// Package index holds the state of one workspace: its files, the ignore rules and
// access rules that decide what belongs to it, the unsaved texts of editors, and
// immutable snapshots of all that, from which everything is answered.
//
// [FindRoot] finds the root of a file's workspace. [Open] walks it and returns a
// [Workspace], the one changing thing here. [Workspace.Refresh] looks at the tree
// again, [Workspace.Apply] takes unsaved texts and hints from editors and
// watchers; both end in a new [Snapshot] if anything is different. A Snapshot
// lists files, gives documents and outlines, says what is blocked and what a
// user's path means, and tells what changed since an older one.
//
// What is in a workspace: every regular file that no .gitignore, .ignore,
// .git/info/exclude or core.excludesFile excludes and that is not below .git or
// node_modules. No other folder name is special. As in ripgrep, a file that git
// tracks although a rule matches it is left out; [Snapshot.Document] and
// [Snapshot.Exists] know it. A repository within (a submodule)
// starts its own git rules. Symbolic links to files inside the root count as
// files; links to folders are not followed; FIFOs and devices are never opened.
//
// The files .rooignore and .clineignore in the root are different: what they match
// must not be read at all, under any name, and does not show in any answer.
//
// Guarantees: a change on disk made before Refresh is called is in the snapshot
// after it, also an edit of the same size with its times put back (except on
// systems without change time and inode; and while a watcher listens, what raises
// no event is seen up to 30 seconds later: writing through a mapping, or through a
// hard link elsewhere). A snapshot's list of files never changes, and a document
// once read from it stays while it is in use: when texts take much memory, those
// that nobody has asked for in ten minutes are let go. Equal texts share one
// document and one outline across snapshots.
//
// [Workspace.Index] keeps the outlines of all files on disk for the next time (see
// index/store), and [Snapshot.Mentions], [Snapshot.Definitions] and [Snapshot.Find]
// look names up in them; files that changed since are parsed. [Workspace.Watch]
// listens for changes, so that Refresh need not look at the whole tree.
//
// Not here: questions to language servers.
package index
