package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"codeintel/tools"
)

// approver asks on the terminal; nil when there is nobody to ask.
func (a *app) approver() tools.Approver {
	if !a.stdinTTY || !a.stderrTTY || a.flags.noInput {
		return nil
	}
	return a.ask
}

// ask puts a request to the user on stderr and reads the answer from stdin. No
// answer means no. The read cannot be interrupted, so it is left behind when ctx
// ends.
func (a *app) ask(ctx context.Context, req tools.ApprovalRequest) (tools.ApprovalDecision, error) {
	a.progress.clear()
	if req.Kind == tools.ExternalRead {
		fmt.Fprintf(a.stderr, "%s is not below the workspace root (%s).\nRead it? [y/N] ", req.Path, req.Reason)
	} else {
		fmt.Fprintf(a.stderr, "%s\nShow them all? [y/N] ", req.Text())
	}
	typed := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.stdin).ReadString('\n')
		typed <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(a.stderr)
		return tools.ApprovalDecision{}, ctx.Err()
	case line := <-typed:
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return tools.ApprovalDecision{Approved: true, By: "terminal"}, nil
		}
		return tools.ApprovalDecision{By: "terminal"}, nil
	}
}
