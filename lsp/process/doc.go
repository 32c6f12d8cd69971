// Package process runs one child process so that nothing of it survives: not
// the child, not its own children, and not when this process is killed.
//
// [Start] puts the child into a process group of its own. When the child exits,
// for whatever reason, the rest of its group is killed before the child is
// reaped, so that the group's number cannot have been reused. A [Guard], a tiny
// shell that outlives this process by a moment, kills the groups if this
// process dies without having done so. On Linux the child also gets the
// parent-death signal.
//
// The child's stdin and stdout are pipes for the caller; its stderr is drained
// always and the last part of it is kept for error messages.
package process
