package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
)

// References asks for all references to what stands at a position of the
// document at an absolute path. The server's order is kept; some servers list a
// location twice.
func (s *Server) References(ctx context.Context, path string, pos protocol.Position, includeDeclaration bool) ([]protocol.Location, error) {
	at, err := place(path, pos)
	if err != nil {
		return nil, err
	}
	s.in.listing.wait(ctx)
	var found []protocol.Location
	err = s.client.call(ctx, protocol.MethodTextDocumentReferences, &protocol.ReferenceParams{
		TextDocumentPositionParams: at,
		Context:                    protocol.ReferenceContext{IncludeDeclaration: includeDeclaration},
	}, &found)
	return found, s.wrap(err, path)
}

// Definition asks where what stands at a position is defined. The ranges are
// those of the names where the server says them.
func (s *Server) Definition(ctx context.Context, path string, pos protocol.Position) ([]protocol.Location, error) {
	return s.locations(ctx, protocol.MethodTextDocumentDefinition, path, pos)
}

// Implementation asks for the implementations of the interface or method at a
// position.
func (s *Server) Implementation(ctx context.Context, path string, pos protocol.Position) ([]protocol.Location, error) {
	return s.locations(ctx, protocol.MethodTextDocumentImplementation, path, pos)
}

func (s *Server) locations(ctx context.Context, method, path string, pos protocol.Position) ([]protocol.Location, error) {
	at, err := place(path, pos)
	if err != nil {
		return nil, err
	}
	if method == protocol.MethodTextDocumentImplementation {
		s.in.listing.wait(ctx)
	}
	var raw json.RawMessage
	if err := s.client.call(ctx, method, &at, &raw); err != nil {
		return nil, s.wrap(err, path)
	}
	found, err := decodeLocations(raw)
	return found, s.wrap(err, path)
}

// PrepareCallHierarchy returns the functions at a position.
func (s *Server) PrepareCallHierarchy(ctx context.Context, path string, pos protocol.Position) ([]protocol.CallHierarchyItem, error) {
	at, err := place(path, pos)
	if err != nil {
		return nil, err
	}
	var items []protocol.CallHierarchyItem
	err = s.client.call(ctx, protocol.MethodTextDocumentPrepareCallHierarchy, &at, &items)
	return items, s.wrap(err, path)
}

// IncomingCalls returns who calls an item of [Server.PrepareCallHierarchy], the
// ranges being those of the calls in the callers' documents.
func (s *Server) IncomingCalls(ctx context.Context, item protocol.CallHierarchyItem) ([]protocol.CallHierarchyIncomingCall, error) {
	s.in.listing.wait(ctx)
	var calls []protocol.CallHierarchyIncomingCall
	err := s.client.call(ctx, protocol.MethodCallHierarchyIncomingCalls,
		&protocol.CallHierarchyIncomingCallsParams{Item: item}, &calls)
	return calls, s.wrap(err, item.Name)
}

// OutgoingCalls returns whom an item calls, the ranges being those of the calls
// in the item's own document.
func (s *Server) OutgoingCalls(ctx context.Context, item protocol.CallHierarchyItem) ([]protocol.CallHierarchyOutgoingCall, error) {
	var calls []protocol.CallHierarchyOutgoingCall
	err := s.client.call(ctx, protocol.MethodCallHierarchyOutgoingCalls,
		&protocol.CallHierarchyOutgoingCallsParams{Item: item}, &calls)
	return calls, s.wrap(err, item.Name)
}

// wrap names the server and what was asked about.
func (s *Server) wrap(err error, about string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("asking %s about %s: %w", s.kind, about, err)
}

func place(path string, pos protocol.Position) (protocol.TextDocumentPositionParams, error) {
	u, err := URIOf(path)
	return protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: u}, Position: pos}, err
}

// decodeLocations understands the four forms of an answer: null, a Location, a
// list of Location, a list of LocationLink.
func decodeLocations(raw json.RawMessage) ([]protocol.Location, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	list := []json.RawMessage{raw}
	if raw[0] == '[' {
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("reading locations: %w", err)
		}
	}
	found := make([]protocol.Location, 0, len(list))
	for _, one := range list {
		var l struct {
			protocol.Location
			TargetURI            protocol.DocumentURI `json:"targetUri"`
			TargetSelectionRange protocol.Range       `json:"targetSelectionRange"`
		}
		if err := json.Unmarshal(one, &l); err != nil {
			return nil, fmt.Errorf("reading a location: %w", err)
		}
		switch {
		case l.TargetURI != "":
			found = append(found, protocol.Location{URI: l.TargetURI, Range: l.TargetSelectionRange})
		case l.URI != "":
			found = append(found, l.Location)
		default:
			return nil, fmt.Errorf("reading a location: %s has no URI", cut(string(one), 80))
		}
	}
	return found, nil
}
