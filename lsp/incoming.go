package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Methods that protocol v0.12.0 (LSP 3.16) does not name.
const (
	methodConfigurationOfServer = "workspace/configuration"
	methodRefreshInlayHints     = "workspace/inlayHint/refresh"
	methodRefreshDiagnostics    = "workspace/diagnostic/refresh"
	methodRefreshInlineValues   = "workspace/inlineValue/refresh"
	methodRefreshFolding        = "workspace/foldingRange/refresh"
	methodShowDocument          = "window/showDocument"
)

// incoming answers what a server asks, and keeps what it tells. Requests are
// answered side by side; notifications are taken in order, beside the reading
// of the connection, so that neither waits for the other.
type incoming struct {
	settings func(section string, p Project) any // answers workspace/configuration for a folder; may be nil
	progress func(string)                        // may be nil
	listing  listing

	mu          sync.Mutex
	folders     []protocol.WorkspaceFolder       // guarded by mu
	roots       []Project                        // guarded by mu; of folders
	queue       []jsonrpc2.Request               // guarded by mu; notifications not yet taken
	diagnostics map[string][]protocol.Diagnostic // guarded by mu; last published, by path
	titles      map[string]string                // guarded by mu; of work in progress, by token
	wake        chan struct{}                    // capacity 1: there is something in the queue
}

// newIncoming returns an incoming for a server that starts with one folder.
func newIncoming(settings func(string, Project) any, folder protocol.WorkspaceFolder, root string, progress func(string)) *incoming {
	return &incoming{settings: settings, progress: progress, wake: make(chan struct{}, 1),
		folders: []protocol.WorkspaceFolder{folder}, roots: []Project{{Dir: root}},
		diagnostics: map[string][]protocol.Diagnostic{}, titles: map[string]string{}}
}

// handle implements [jsonrpc2.Handler]. It never returns an error: that would
// end the connection.
func (in *incoming) handle(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
	if _, call := req.(*jsonrpc2.Call); call {
		go func() {
			result, err := in.answer(req.Method(), json.RawMessage(req.Params()))
			reply(ctx, result, err) // fails only when the connection has ended
		}()
		return nil
	}
	in.mu.Lock()
	in.queue = append(in.queue, req)
	in.mu.Unlock()
	select {
	case in.wake <- struct{}{}:
	default: // it will wake anyway
	}
	return nil
}

// run takes notifications until ctx is done.
func (in *incoming) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-in.wake:
		}
		in.mu.Lock()
		queue := in.queue
		in.queue = nil
		in.mu.Unlock()
		for _, n := range queue {
			in.take(n.Method(), json.RawMessage(n.Params()))
		}
	}
}

// answer is the reply to a server's request.
func (in *incoming) answer(method string, params json.RawMessage) (any, error) {
	switch method {
	case methodConfigurationOfServer:
		return in.configuration(params)
	case protocol.MethodWorkspaceWorkspaceFolders:
		return in.workspaceFolders(), nil
	case protocol.MethodWorkspaceApplyEdit:
		return protocol.ApplyWorkspaceEditResponse{FailureReason: "this client only reads"}, nil
	case methodShowDocument:
		return protocol.ShowDocumentResult{}, nil
	case protocol.MethodClientRegisterCapability, protocol.MethodClientUnregisterCapability,
		protocol.MethodWorkDoneProgressCreate,
		protocol.MethodWindowShowMessageRequest, // null: no action was chosen
		protocol.MethodSemanticTokensRefresh, protocol.MethodCodeLensRefresh, methodRefreshInlayHints,
		methodRefreshDiagnostics, methodRefreshInlineValues, methodRefreshFolding:
		return nil, nil
	}
	return nil, fmt.Errorf("%s: %w", method, jsonrpc2.ErrMethodNotFound)
}

// workspaceFolders returns the folders that the server works in.
func (in *incoming) workspaceFolders() []protocol.WorkspaceFolder {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.folders
}

// projects returns the projects of the folders.
func (in *incoming) projects() []Project {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.roots
}

// setProjects exchanges the folders and returns the former ones.
func (in *incoming) setProjects(projects []Project, folders []protocol.WorkspaceFolder) []protocol.WorkspaceFolder {
	in.mu.Lock()
	defer in.mu.Unlock()
	former := in.folders
	in.roots, in.folders = projects, folders
	return former
}

// project returns the project of a folder that a server asks about, the zero
// value if it is none.
func (in *incoming) project(scope protocol.DocumentURI) Project {
	dir, err := PathOf(scope)
	if err != nil {
		return Project{}
	}
	for _, p := range in.projects() {
		if p.Dir == dir {
			return p
		}
	}
	return Project{}
}

// configuration answers each item by its section's settings, null for none.
func (in *incoming) configuration(params json.RawMessage) (any, error) {
	var p struct {
		Items []struct {
			ScopeURI protocol.DocumentURI `json:"scopeUri"`
			Section  string               `json:"section"`
		} `json:"items"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	}
	values := make([]any, len(p.Items))
	for i, item := range p.Items {
		if in.settings != nil {
			values[i] = in.settings(item.Section, in.project(item.ScopeURI))
		}
	}
	return values, nil
}

// take keeps what a notification says. One that cannot be read is dropped:
// nothing that an answer needs comes this way.
func (in *incoming) take(method string, params json.RawMessage) {
	switch method {
	case protocol.MethodTextDocumentPublishDiagnostics:
		var p struct {
			URI         protocol.DocumentURI  `json:"uri"`
			Diagnostics []protocol.Diagnostic `json:"diagnostics"`
		}
		if json.Unmarshal(params, &p) != nil {
			return
		}
		if path, err := PathOf(p.URI); err == nil {
			in.mu.Lock()
			in.diagnostics[path] = p.Diagnostics
			in.mu.Unlock()
		}
	case protocol.MethodProgress:
		in.report(params)
	case protocol.MethodWindowLogMessage:
		var p protocol.LogMessageParams
		if json.Unmarshal(params, &p) == nil && listed(p.Message) {
			in.listing.end()
		}
	}
}

// published returns the diagnostics last published for path.
func (in *incoming) published(path string) []protocol.Diagnostic {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.diagnostics[path]
}

// report shows work in progress. Values of partial results have no kind and are
// left alone.
func (in *incoming) report(params json.RawMessage) {
	var p struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind    string `json:"kind"`
			Title   string `json:"title"`
			Message string `json:"message"`
		} `json:"value"`
	}
	if in.progress == nil || json.Unmarshal(params, &p) != nil {
		return
	}
	token := string(p.Token)
	in.mu.Lock()
	switch p.Value.Kind {
	case "begin":
		in.titles[token] = p.Value.Title
	case "end":
		delete(in.titles, token)
	}
	title, known := in.titles[token]
	in.mu.Unlock()
	if !known {
		return
	}
	if p.Value.Message != "" {
		title += ": " + p.Value.Message
	}
	in.progress(title)
}
