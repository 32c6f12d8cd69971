package lsp

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"sync"

	"go.lsp.dev/protocol"
)

// documents are the texts that a server has been told of. One mutex is held
// while a notification is queued, so that the server sees the versions in
// order; queueing does not wait for the server.
type documents struct {
	mu   sync.Mutex
	open map[string]*openDocument // guarded by mu; by clean absolute path
}

type openDocument struct {
	version int32
	hash    [sha256.Size]byte
}

// Open opens the document at an absolute path with the text that the server is
// to believe, valid UTF-8. If it is open already with another text it is
// changed; with the same text nothing is sent.
func (s *Server) Open(ctx context.Context, path, languageID, text string) error {
	path = filepath.Clean(path)
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	if doc := s.docs.open[path]; doc != nil {
		return s.change(ctx, path, doc, text)
	}
	u, err := URIOf(path)
	if err != nil {
		return fmt.Errorf("opening a document in %s: %w", s.kind, err)
	}
	err = s.client.notify(ctx, protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: u, LanguageID: protocol.LanguageIdentifier(languageID), Version: 1, Text: text},
	})
	if err != nil {
		return fmt.Errorf("opening %s in %s: %w", path, s.kind, err)
	}
	s.docs.open[path] = &openDocument{version: 1, hash: sha256.Sum256([]byte(text))}
	return nil
}

// Change gives an open document a new text. It is [ErrNotOpen] if the document
// is not open; the same text again sends nothing.
func (s *Server) Change(ctx context.Context, path, text string) error {
	path = filepath.Clean(path)
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	doc := s.docs.open[path]
	if doc == nil {
		return fmt.Errorf("changing %s in %s: %w", path, s.kind, ErrNotOpen)
	}
	return s.change(ctx, path, doc, text)
}

// change sends the whole text; the caller holds docs.mu.
func (s *Server) change(ctx context.Context, path string, doc *openDocument, text string) error {
	hash := sha256.Sum256([]byte(text))
	if hash == doc.hash {
		return nil
	}
	u, err := URIOf(path)
	if err != nil {
		return fmt.Errorf("changing a document in %s: %w", s.kind, err)
	}
	// The change event of protocol v0.12.0 cannot leave its range out, and with
	// one the text would replace that range instead of everything.
	type whole struct {
		Text string `json:"text"`
	}
	err = s.client.notify(ctx, protocol.MethodTextDocumentDidChange, &struct {
		TextDocument   protocol.VersionedTextDocumentIdentifier `json:"textDocument"`
		ContentChanges []whole                                  `json:"contentChanges"`
	}{
		TextDocument: protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}, Version: doc.version + 1},
		ContentChanges: []whole{{text}},
	})
	if err != nil {
		return fmt.Errorf("changing %s in %s: %w", path, s.kind, err)
	}
	doc.version++
	doc.hash = hash
	return nil
}

// Close closes the document at path: the server goes back to what is on disk.
// Closing a document that is not open does nothing.
func (s *Server) Close(ctx context.Context, path string) error {
	path = filepath.Clean(path)
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	if s.docs.open[path] == nil {
		return nil
	}
	u, err := URIOf(path)
	if err != nil {
		return fmt.Errorf("closing a document in %s: %w", s.kind, err)
	}
	err = s.client.notify(ctx, protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: u},
	})
	if err != nil {
		return fmt.Errorf("closing %s in %s: %w", path, s.kind, err)
	}
	delete(s.docs.open, path)
	return nil
}

// Opened reports whether the document at path is open.
func (s *Server) Opened(path string) bool {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	return s.docs.open[filepath.Clean(path)] != nil
}

// WatchedFiles tells the server of changes on disk. Without it a server's
// answers about files that are not open stay those of before the change; after
// it the next answer is right. Where a server has to be asked to look at new
// files it waits for that.
func (s *Server) WatchedFiles(ctx context.Context, events []*protocol.FileEvent) error {
	if len(events) == 0 {
		return nil
	}
	err := s.client.notify(ctx, protocol.MethodWorkspaceDidChangeWatchedFiles,
		&protocol.DidChangeWatchedFilesParams{Changes: events})
	if err != nil {
		return fmt.Errorf("telling %s of changed files: %w", s.kind, err)
	}
	var created, deleted []string
	for _, e := range events {
		path, err := PathOf(e.URI)
		switch {
		case err != nil: // nothing that a server here looks at
		case e.Type == protocol.FileChangeTypeCreated:
			created = append(created, path)
		case e.Type == protocol.FileChangeTypeDeleted:
			deleted = append(deleted, path)
		}
	}
	return s.changed(ctx, created, deleted)
}
