package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	file, line, column, err := split("src/a.ts:12:7")
	if file != "src/a.ts" || line != 12 || column != 7 || err != nil {
		t.Errorf("%s %d %d %v", file, line, column, err)
	}
	for _, at := range []string{"", "a.ts", "a.ts:1", "a.ts:x:1", "a.ts:1:x", "a.ts:1:2:3"} {
		if _, _, _, err := split(at); err == nil {
			t.Errorf("%q is a place", at)
		}
	}
}

// TestParseDoctor has TypeScript 7 beside its package and TypeScript 6 above the
// language server.
func TestParseDoctor(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/@typescript/typescript-linux-x64/lib/tsc", "b/typescript/lib/tsserver.js", "b/typescript-language-server/lib/cli.mjs"} {
		writeFile(t, filepath.Join(dir, name), "")
	}
	out := `{"servers":[{"kind":"gopls","path":"/bin/gopls"},{"kind":"typescript","path":"` + dir + `/a/typescript"},
		{"kind":"typescript-language-server","path":"` + dir + `/b/typescript-language-server/lib/cli.mjs"},{"kind":"pyright","path":""}]}`
	got, err := parseDoctor([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"gopls": "/bin/gopls", "pyright": "",
		"typescript":                 dir + "/a/@typescript/typescript-linux-x64/lib/tsc",
		"typescript-language-server": dir + "/b/typescript-language-server/lib/cli.mjs",
		"tsserver.js":                dir + "/b/typescript/lib/tsserver.js",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	if _, err := parseDoctor([]byte("oops")); err == nil {
		t.Error("no error for what is no JSON")
	}
}

func TestCountLocations(t *testing.T) {
	at := func(uri string, line int) string {
		return `{"uri":"` + uri + `","range":{"start":{"line":` + strconv.Itoa(line) + `,"character":0},"end":{"line":9,"character":1}}}`
	}
	all := []string{at("file:///a%2Bb/@x.ts", 1), at("file:///a+b/%40x.ts", 1), at("file:///a+b/%40x.ts", 2), at("file:///other.ts", 1), at("untitled:x", 1)}
	if n, err := countLocations([]byte("[" + strings.Join(all, ",") + "]")); n != 4 || err != nil {
		t.Errorf("%d locations, error %v, want 4", n, err)
	}
	if n, err := countLocations([]byte("null")); n != 0 || err != nil {
		t.Errorf("null is %d locations, error %v", n, err)
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// recorded returns the sample trace with a server command.
func recorded(t *testing.T, command ...string) []entry {
	t.Helper()
	entries, err := readTrace(strings.NewReader(sampleTrace))
	if err != nil {
		t.Fatal(err)
	}
	return append([]entry{{Server: "typescript", Command: command, Sent: true}}, entries...)
}

func TestReadTrace(t *testing.T) {
	if n := len(recorded(t)); n != 12 {
		t.Errorf("%d entries", n)
	}
	if _, err := readTrace(strings.NewReader(sampleTrace + `{"server":`)); err == nil {
		t.Error("half a line is no error")
	}
}

func TestPlans(t *testing.T) {
	plans := plansOf(append(recorded(t, "x", "server"), entry{Server: "gopls", Command: []string{"gopls"}}))
	if len(plans) != 1 {
		t.Fatalf("%d plans", len(plans))
	}
	p := plans[0]
	if diff := cmp.Diff([]string{"x", "server"}, p.command); diff != "" || p.server != "typescript" || target(p.question) != "file:///r/a.ts" {
		t.Errorf("server %s, question about %s, command:\n%s", p.server, target(p.question), diff)
	}
	if len(p.messages) != 5 || p.documents() != 3 {
		t.Errorf("%d messages, %d documents", len(p.messages), p.documents())
	}
	only := p.alone()
	if len(only.messages) != 3 || only.documents() != 1 || target(only.messages[2]) != "file:///r/%61.ts" {
		t.Errorf("alone: %s", only.messages)
	}
	if p.documents() != 3 {
		t.Error("alone changed the plan")
	}
}

func TestOwnProcess(t *testing.T) {
	var m struct {
		ID     int
		Params struct {
			ProcessID int
			RootURI   string
		}
	}
	in := `{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"processId":1,"rootUri":"file:///r"}}`
	if err := json.Unmarshal(ownProcess([]byte(in)), &m); err != nil {
		t.Fatal(err)
	}
	if m.ID != 3 || m.Params.ProcessID != os.Getpid() || m.Params.RootURI != "file:///r" {
		t.Errorf("%+v", m)
	}
}

// TestComparePlan asks a server that knows only what is open.
func TestComparePlan(t *testing.T) {
	var out bytes.Buffer
	s := fakes(t, &out)
	dir := t.TempDir()
	if err := comparePlan(t.Context(), s, corpus{Name: "c"}, dir, check{Symbol: "S", At: "a.ts:1:1"}, filepath.Join(dir, "trace")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"c S: typescript by a bare client\n", "3 documents open  3 refs", "1 document open   1 refs",
		"completeness costs 2 more documents: ", "3 refs instead of 1 refs\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

// TestReplay looks at what a server is sent, and when.
func TestReplay(t *testing.T) {
	s := fakes(t, nil)
	log := filepath.Join(t.TempDir(), "log")
	used, note, err := replay(t.Context(), t.TempDir(), recorded(t, s.codeintel, "server", log))
	if err != nil {
		t.Fatal(err)
	}
	if note != "7 messages" || used.wall <= 0 {
		t.Errorf("%q, %+v", note, used)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	want := `initialize
answer 1
initialized
textDocument/didOpen file:///r/b.ts
textDocument/didOpen file:///r/%61.ts
textDocument/didOpen file:///r/c.ts
textDocument/references file:///r/a.ts
answer 2
`
	// The last message is answered by nobody in the trace, so it need not have been
	// read before the server is ended.
	if diff := cmp.Diff(want, strings.Split(string(text), "shutdown")[0]); diff != "" {
		t.Errorf("the server was sent (-want +got):\n%s", diff)
	}
}

func TestReplayWithoutAnswer(t *testing.T) {
	s := fakes(t, nil)
	_, _, err := replay(t.Context(), t.TempDir(), recorded(t, s.codeintel, "server", "mute"))
	if err == nil || !strings.Contains(err.Error(), "1 answers missing") {
		t.Errorf("error %v", err)
	}
	if _, _, err := replay(t.Context(), t.TempDir(), recorded(t)[1:]); err == nil {
		t.Error("a trace without a command is replayed")
	}
}
