package tools

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"codeintel/refs"
)

// DefaultThreshold is the number of distinct reference lines that needs no
// approval; one more does.
const DefaultThreshold = 50

// Policy says what happens to an answer above the threshold.
type Policy string

// The policies. The zero value means PolicyAsk.
const (
	PolicyAsk      Policy = "ask"      // ask the approver; without one the call fails with ApprovalRequired
	PolicyAllow    Policy = "allow"    // show it
	PolicyDeny     Policy = "deny"     // fail with Denied
	PolicyTruncate Policy = "truncate" // show the first 50 lines and say so
)

// truncated is how many lines PolicyTruncate shows.
const truncated = 50

// ApprovalKind says what is asked for.
type ApprovalKind string

// The kinds of approval.
const (
	LocalRead    ApprovalKind = "local_read"
	ExternalRead ApprovalKind = "external_read"
	LargeResult  ApprovalKind = "large_result"
)

// ApprovalRequest is put to the user before a large answer is shown or a file
// outside the workspace is read. No text of any file is in it.
type ApprovalRequest struct {
	// ID is unique; Created is when the question arose, in UTC.
	ID   string       `json:"id"`
	Tool string       `json:"tool"`
	Kind ApprovalKind `json:"kind"`
	// Path and Symbol are what was asked about.
	Path   string `json:"path"`
	Symbol string `json:"symbol"`
	// What says what was found, in the plural: references, callers.
	What string `json:"what"`
	// Count is the number of distinct lines, Files the number of files.
	Count     int `json:"count"`
	Files     int `json:"files"`
	Threshold int `json:"threshold"`
	// PerFile lists the files with the most lines, at most 20, most first.
	PerFile []PathCount `json:"perFile"`
	Reason  string      `json:"reason"`
	// ArgsDigest identifies the arguments of the call (hex SHA-256).
	ArgsDigest string    `json:"argsDigest"`
	Created    time.Time `json:"created"`
}

// PathCount is a file with its number of distinct lines.
type PathCount struct {
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// ApprovalDecision answers an [ApprovalRequest].
type ApprovalDecision struct {
	Approved bool `json:"approved"`
	// Feedback is passed on with a denial.
	Feedback string `json:"feedback,omitempty"`
	// Remember is once, session or always; empty means once. The engine keeps
	// nothing: whoever decides remembers.
	Remember string `json:"remember,omitempty"`
	// By names who decided: a person, a flag, a policy.
	By string `json:"by,omitempty"`
}

// Approver decides about one request. An error ends the call with it.
type Approver func(context.Context, ApprovalRequest) (ApprovalDecision, error)

// verdict is what came of the question about a large answer.
type verdict int

const (
	showAll verdict = iota
	showFirst
)

// approveLarge settles whether an answer above the threshold may be shown.
func (e *Engine) approveLarge(ctx context.Context, req ApprovalRequest) (verdict, error) {
	switch e.opts.Policy {
	case PolicyAllow:
		return showAll, nil
	case PolicyTruncate:
		return showFirst, nil
	case PolicyDeny:
		return showAll, deniedError(req, "")
	}
	if e.opts.Approver == nil {
		return showAll, &Error{Code: ApprovalRequired, Message: req.Text(), Detail: req}
	}
	d, err := e.opts.Approver(ctx, req)
	if err != nil {
		return showAll, err
	}
	if !d.Approved {
		return showAll, deniedError(req, d.Feedback)
	}
	return showAll, nil
}

func deniedError(req ApprovalRequest, feedback string) *Error {
	msg := fmt.Sprintf("Operation cancelled: Found %d %s '%s', which exceeds the threshold.", req.Count, ofWhat(req.What), req.Symbol)
	if req.Kind == ExternalRead {
		msg = "The user denied this operation."
	}
	if feedback != "" {
		msg += "\n" + feedback
	}
	return &Error{Code: Denied, Message: msg, Detail: req}
}

// Text says what is asked: the count, where the lines are, and how to narrow the
// question. How to approve is the door's to add.
func (r ApprovalRequest) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Found %d %s '%s' in %s; more than %d need approval.\n",
		r.Count, ofWhat(r.What), r.Symbol, count(r.Files, "file", "files"), r.Threshold)
	width := 0
	for _, f := range r.PerFile {
		width = max(width, len(fmt.Sprint(f.Count)))
	}
	rest := r.Count
	for _, f := range r.PerFile {
		fmt.Fprintf(&b, "  %*d  %s\n", width, f.Count, f.Path)
		rest -= f.Count
	}
	if n := r.Files - len(r.PerFile); n > 0 {
		fmt.Fprintf(&b, "  %*d  in %s\n", width, rest, count(n, "other file", "other files"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ofWhat adds the preposition: references to, callers of.
func ofWhat(what string) string {
	if what == references {
		return what + " to"
	}
	return what + " of"
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// perFileShown is how many files an ApprovalRequest lists.
const perFileShown = 20

// references is what find_references finds.
const references = "references"

// largeRequest describes an answer above the threshold.
func largeRequest(tool, what, path, symbol string, args any, perFile []refs.FileCount, threshold int) ApprovalRequest {
	req := ApprovalRequest{
		ID: newID(), Tool: tool, Kind: LargeResult, Path: path, Symbol: symbol, What: what,
		Files: len(perFile), Threshold: threshold, PerFile: []PathCount{},
		Reason:     "showing all of them may consume significant context",
		ArgsDigest: digest(tool, args), Created: time.Now().UTC(),
	}
	for _, f := range byCount(perFile) {
		req.Count += f.Count
		if len(req.PerFile) < perFileShown {
			req.PerFile = append(req.PerFile, PathCount(f))
		}
	}
	return req
}

func newID() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// digest identifies a call by its tool and arguments.
func digest(tool string, args any) string {
	text, err := json.Marshal(args)
	if err != nil {
		text = fmt.Appendf(nil, "%v", args)
	}
	sum := sha256.Sum256(append([]byte(tool+"\x00"), text...))
	return hex.EncodeToString(sum[:])
}
