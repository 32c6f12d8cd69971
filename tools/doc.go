// Package tools holds the calls an agent or a developer can make: their
// arguments, limits, approvals and printed answers.
//
// [Engine] is the entry for Go programs. Each of its calls does the same steps
// in the same order: check the arguments, refresh the workspace (what is on disk
// at the moment of the call is what is answered), take one snapshot, resolve the
// path and check access to it, ask the finder, count, ask for approval when the
// answer is large, and only then read the text that is shown.
//
//	e := tools.New(workspace, finder, tools.Options{})
//	a, err := e.FindReferences(ctx, tools.FindReferencesParams{
//		Symbol:   "Workspace.Apply",
//		FilePath: "index/workspace.go",
//	})
//	if err != nil { … } // always a *tools.Error
//	os.Stdout.WriteString(a.Text())
//
// Answers are plain values with several renderings: the text that models read,
// lines for editors' quickfix lists, JSON. Equal calls on equal files give equal
// bytes: everything is ordered, nothing holds a time (an [ApprovalRequest]'s ID
// and Created apart).
//
// # Errors
//
// Every error is an [*Error] with a [Code], which also gives the exit status of
// the command line. Finding nothing is not an error: the answer says which
// source finished looking.
//
// # What it does not do
//
// It starts no servers, reads no environment and asks nobody: who approves a
// large answer is [Options.Approver].
package tools
