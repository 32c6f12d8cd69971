// Package install finds language servers on this machine and installs them.
//
// A [Recipe] is all that is known of one server: which versions are accepted,
// how it is found and what command starts it, and how the pinned version is
// installed. [Finder.Find] lists what may be run, best first, with a reason for
// everything that was found and is not used; whether a candidate really works
// only a real initialize shows, which is the caller's part. [Finder.Install]
// installs the pinned version into the data folder.
//
// Programs inside the workspace are never run, not by way of PATH or a symbolic
// link either, unless the workspace is trusted: whoever can write a repository
// must not thereby run programs on the machine of whoever reads it.
package install
