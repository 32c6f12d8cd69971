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

// object is a JSON object.
type object = map[string]any

// handshake is [protocol.InitializeParams] with capabilities that protocol
// v0.12.0 does not know.
type handshake struct {
	protocol.InitializeParams
	Capabilities object `json:"capabilities"`
}

// initializeParams introduces this client to a server.
func initializeParams(options any, o *launch) *handshake {
	return &handshake{
		InitializeParams: protocol.InitializeParams{
			ProcessID:  int32(os.Getpid()),
			ClientInfo: &protocol.ClientInfo{Name: "codeintel"},
			//lint:ignore SA1019 servers that know no workspace folders read it
			RootPath: o.dir,
			//lint:ignore SA1019 as above
			RootURI:               protocol.DocumentURI(o.folder.URI),
			InitializationOptions: options,
			WorkspaceFolders:      []protocol.WorkspaceFolder{o.folder},
		},
		Capabilities: capabilities(),
	}
}

// capabilities are few, so that servers do little. No positionEncodings: all
// servers then speak UTF-16, the only one that protocol v0.12.0 knows.
func capabilities() object {
	return object{
		"workspace": object{
			"configuration":    true,
			"workspaceFolders": true,
			// Servers then rely on WatchedFiles instead of watching the disk
			// themselves, which would be later than the next question.
			"didChangeWatchedFiles": object{"dynamicRegistration": true, "relativePatternSupport": true},
		},
		"textDocument": object{
			"synchronization":    object{},
			"references":         object{},
			"definition":         object{"linkSupport": true},
			"implementation":     object{"linkSupport": true},
			"callHierarchy":      object{},
			"publishDiagnostics": object{},
		},
		"window": object{"workDoneProgress": true},
	}
}
