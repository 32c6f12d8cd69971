package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain re-executes this binary as a fake server, or as a parent of servers
// that is to be killed.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("LSP_TEST_FAKE") != "": // first: it inherits the other
		runFake()
	case os.Getenv("LSP_TEST_PARENT") != "":
		orphanParent()
	default:
		os.Exit(m.Run())
	}
}

// fake is a language server with scripted faults. Its script is a list of
// words; see react.
type fake struct {
	in     *bufio.Reader
	out    io.Writer
	script []string
	log    func(string) // what it has received, one line a message
	exit   func(code int)
}

func runFake() {
	script := strings.Split(os.Getenv("LSP_TEST_FAKE"), ",")
	f := &fake{in: bufio.NewReader(os.Stdin), out: os.Stdout, script: script, exit: os.Exit, log: func(line string) {
		if name := os.Getenv("LSP_TEST_LOG"); name != "" {
			file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
			if err == nil {
				fmt.Fprintln(file, line)
				file.Close()
			}
		}
	}}
	f.log("start " + strconv.Itoa(os.Getpid()))
	if f.does("hang-shutdown") {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	}
	f.serve()
	if f.does("hang-shutdown") {
		select {}
	}
}

func (f *fake) does(word string) bool { return slices.Contains(f.script, word) }

// serve reads messages until the input ends.
func (f *fake) serve() {
	for {
		body, err := f.read()
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
			Result json.RawMessage
			Error  *struct{ Code int }
		}
		if err := json.Unmarshal(body, &m); err != nil {
			f.log("bad message " + string(body))
			return
		}
		switch {
		case m.Method == "" && m.Error != nil:
			f.log(fmt.Sprintf("reply %s error %d", m.ID, m.Error.Code))
		case m.Method == "":
			f.log(fmt.Sprintf("reply %s %s", m.ID, m.Result))
		default:
			f.log(fmt.Sprintf("%s %.300s", m.Method, m.Params))
			f.react(m.Method, m.ID, m.Params)
		}
	}
}

func (f *fake) read() ([]byte, error) {
	length := 0
	for {
		line, err := f.in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		fmt.Sscanf(line, "Content-Length: %d", &length)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(f.in, body)
	return body, err
}

func (f *fake) send(body string) {
	fmt.Fprintf(f.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

func (f *fake) reply(id json.RawMessage, result string) {
	f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result))
}

const fakeLocation = `{"uri":"file:///w/a.ts","range":{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}}`

func (f *fake) react(method string, id, params json.RawMessage) {
	switch method {
	case "initialize":
		f.initialize(id)
	case "shutdown":
		if f.does("params-null") && string(params) == "null" {
			f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no params"}}`, id))
		} else if !f.does("hang-shutdown") {
			f.reply(id, "null")
		}
	case "exit":
		if !f.does("hang-shutdown") {
			f.exit(0)
		}
	case "textDocument/references":
		f.references(id)
	case "textDocument/definition":
		f.reply(id, fakeLocation)
	}
}

func (f *fake) initialize(id json.RawMessage) {
	switch {
	case f.does("crash-start"):
		fmt.Fprintln(os.Stderr, "error: component is not installed for the toolchain")
		f.exit(1)
	case f.does("mute"):
		return
	case f.does("ask-first"): // before the reply to initialize
		f.send(`{"jsonrpc":"2.0","id":1,"method":"client/registerCapability","params":{"registrations":[]}}`)
		f.send(`{"jsonrpc":"2.0","id":"one","method":"window/workDoneProgress/create","params":{"token":1}}`)
	}
	version := "7.0.2"
	if f.does("old") {
		version = "7.0.1"
	}
	f.reply(id, `{"capabilities":{},"serverInfo":{"name":"fake","version":"`+version+`"}}`)
}

// references answers or does what the script says instead.
func (f *fake) references(id json.RawMessage) {
	for _, word := range f.script {
		switch word {
		case "slow":
			return
		case "crash":
			fmt.Fprintln(os.Stderr, "first line\npanic: boom")
			f.exit(3)
		case "crash-middle":
			fmt.Fprintf(f.out, "Content-Length: 1000\r\n\r\n{\"jsonrpc\":")
			f.exit(4)
		case "garbage":
			fmt.Fprint(f.out, "Segmentation fault, core dumped\n")
			return
		case "bad-length":
			fmt.Fprint(f.out, "Content-Length: -5\r\n\r\n")
			return
		case "no-json":
			f.send("{nonsense}")
			return
		case "hang-up":
			f.out.(*os.File).Close()
			select {}
		case "error":
			f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no project"}}`, id))
			return
		case "deaf":
			select {}
		case "noise":
			f.noise()
		}
	}
	f.reply(id, "["+fakeLocation+"]")
	if f.does("late") {
		f.send(`{"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":{"kind":"end"}}}`)
		f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":[]}`, id)) // a second reply
	}
}

// noise is what a server may say while it is asked.
func (f *fake) noise() {
	for _, m := range []string{
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}`,
		`{"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"value":{"kind":"begin","title":"Loading"}}}`,
		`{"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"value":{"kind":"report","message":"half"}}}`,
		`{"jsonrpc":"2.0","method":"$/progress","params":{"token":"unknown","value":{"kind":"report","message":"x"}}}`,
		`{"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"value":[1,2]}}`,
		`{"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"value":{"kind":"end"}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///w/a%2Bb.ts","version":-1,"diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"message":"m","code":2304}]}}`,
		`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":5}`,
		`{"jsonrpc":"2.0","method":"no/such/notification"}`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"workspace/configuration","params":{"items":[{"section":"x"},{}]}}`,
		`{"jsonrpc":"2.0","id":"","method":"workspace/workspaceFolders"}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"window/showMessageRequest","params":{"type":1,"message":"m","actions":[{"title":"a"}]}}`,
		`{"jsonrpc":"2.0","id":0,"method":"workspace/applyEdit","params":{"edit":{}}}`,
		`{"jsonrpc":"2.0","id":-3,"method":"no/such/request","params":{}}`,
		`{"jsonrpc":"2.0","id":"str\"ing","method":"workspace/semanticTokens/refresh"}`,
	} {
		f.send(m)
	}
}

// fakePool returns a pool whose TypeScript server is a fake, and the log of what
// the fake receives.
func fakePool(t *testing.T, script string, change func(*Options)) (*Pool, string) {
	t.Helper()
	bin := t.TempDir()
	log := filepath.Join(t.TempDir(), "log")
	stub(t, bin, "tsc", script)
	o := Options{Root: t.TempDir(), Env: append(os.Environ(), "PATH="+bin, "LSP_TEST_LOG="+log)}
	if change != nil {
		change(&o)
	}
	pool := NewPool(o)
	t.Cleanup(func() { pool.Close() })
	return pool, log
}

// stub writes a program that runs the fake.
func stub(t *testing.T, bin, name, script string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(bin, name)
	write(t, path, fmt.Sprintf("#!/bin/sh\nLSP_TEST_FAKE='%s,' exec '%s'\n", script, self))
	if err := os.Chmod(path, 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// await waits until the log has a line with the given beginning.
func await(t *testing.T, log, prefix string) string {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		text, _ := os.ReadFile(log)
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, prefix) {
				return strings.TrimSpace(line)
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %q in the log:\n%s", prefix, text)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// count counts the log's lines with a prefix.
func count(t *testing.T, log, prefix string) int {
	t.Helper()
	text, _ := os.ReadFile(log)
	return strings.Count("\n"+string(text), "\n"+prefix)
}

// alive reports whether a process runs; a zombie does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !os.IsNotExist(err) && syscall.Kill(pid, 0) == nil
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}
