package lsp

import (
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"codeintel/lsp/install"
)

// shownVersion is a version as answers show it: "0.23.0", and for the wrapper
// of tsserver "6.0.2 (TypeScript 6.0.3)".
func shownVersion(s string, c install.Candidate) string {
	s, _, _ = strings.Cut(strings.TrimPrefix(s, "v"), " ")
	if c.TSServer != "" {
		if ts := install.PackageVersion(filepath.Dir(filepath.Dir(c.TSServer))); ts != "" {
			s += " (TypeScript " + ts + ")"
		}
	}
	return s
}

// initializeParams says what this client can do: little, so that servers do
// little.
func initializeParams(options any, o *launch) *protocol.InitializeParams {
	return &protocol.InitializeParams{
		ProcessID:             int32(os.Getpid()),
		ClientInfo:            &protocol.ClientInfo{Name: "codeintel"},
		RootPath:              o.dir,
		RootURI:               protocol.DocumentURI(o.folder.URI),
		InitializationOptions: options,
		WorkspaceFolders:      []protocol.WorkspaceFolder{o.folder},
		Capabilities: protocol.ClientCapabilities{
			Workspace: &protocol.WorkspaceClientCapabilities{
				Configuration:    true,
				WorkspaceFolders: true,
				// Servers then rely on WatchedFiles instead of watching
				// the disk themselves, later than the next question.
				DidChangeWatchedFiles: &protocol.DidChangeWatchedFilesWorkspaceClientCapabilities{DynamicRegistration: true},
			},
			TextDocument: &protocol.TextDocumentClientCapabilities{
				Synchronization:    &protocol.TextDocumentSyncClientCapabilities{},
				References:         &protocol.ReferencesTextDocumentClientCapabilities{},
				Definition:         &protocol.DefinitionTextDocumentClientCapabilities{LinkSupport: true},
				Implementation:     &protocol.ImplementationTextDocumentClientCapabilities{LinkSupport: true},
				CallHierarchy:      &protocol.CallHierarchyClientCapabilities{},
				PublishDiagnostics: &protocol.PublishDiagnosticsClientCapabilities{},
			},
			Window: &protocol.WindowClientCapabilities{WorkDoneProgress: true},
		},
	}
}
