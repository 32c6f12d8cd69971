package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// fakeVariable has the test binary play the programs that bench runs.
const fakeVariable = "CODEINTEL_BENCH_FAKE"

func TestMain(m *testing.M) {
	if os.Getenv(fakeVariable) == "" {
		os.Exit(m.Run())
	}
	if err := fake(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fake:", err)
		os.Exit(2)
	}
}

// fakes returns settings under which codeintel is the test binary.
func fakes(t *testing.T, out io.Writer) settings {
	t.Helper()
	t.Setenv(fakeVariable, "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return settings{out: out, codeintel: self, runs: 2}
}

// fake is codeintel, or a language server, as far as bench can see.
func fake(args []string) error {
	switch args[0] {
	case "index":
		cache := os.Getenv("XDG_CACHE_HOME")
		if os.Getenv("CODEINTEL_CACHE_DIR") != "" {
			return fmt.Errorf("the cache folder is not the measured one")
		}
		if err := os.MkdirAll(cache, 0o755); err != nil {
			return err
		}
		if left, err := os.ReadDir(cache); err != nil || len(left) > 0 {
			return fmt.Errorf("the cache is not empty: %v %v", left, err)
		}
		return os.WriteFile(filepath.Join(cache, "index"), make([]byte, 1_500_000), 0o644)
	case "find":
		if _, err := os.Stat(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "index")); err != nil {
			return err
		}
		var i int
		if _, err := fmt.Sscanf(args[1], "Thing%d", &i); err != nil {
			return err
		}
		fmt.Printf("{\"file\":%q}\n", pathOfFile(i))
		if os.Getenv("CODEINTEL_TIMING") == "1" {
			fmt.Fprintln(os.Stderr, "reading\n"+`{"openMicros":1500,"scanMicros":20000,"lookupMicros":300}`)
		}
		return nil
	case "refs":
		return fakeRefs()
	case "server":
		return fakeServer(args[1:])
	}
	return fmt.Errorf("unknown command %q", args)
}

// fakeRefs answers with two references, and traces a server that three documents
// are opened in.
func fakeRefs() error {
	fmt.Println(`{"references":[{"file":"a.ts","line":1,"column":1,"endColumn":2},{"file":"b.ts","line":1,"column":1,"endColumn":2}]}`)
	name := os.Getenv("CODEINTEL_TRACE")
	if name == "" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	first, err := json.Marshal(entry{Server: "typescript", Command: []string{self, "server"}, Sent: true})
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(string(first)+"\n"+sampleTrace), 0o644)
}

// sampleTrace is a server's trace after its first line.
const sampleTrace = `{"server":"typescript","sent":true,"message":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":1,"rootUri":"file:///r"}}}
{"server":"typescript","sent":false,"message":{"jsonrpc":"2.0","id":1,"result":{}}}
{"server":"typescript","sent":true,"message":{"jsonrpc":"2.0","method":"initialized","params":{}}}
{"server":"typescript","sent":false,"message":{"jsonrpc":"2.0","id":7,"method":"workspace/configuration","params":{"items":[{},{}]}}}
{"server":"typescript","sent":true,"message":{"jsonrpc":"2.0","id":7,"result":[null,null]}}
{"server":"typescript","sent":true,"message":{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///r/b.ts"}}}}
{"server":"typescript","sent":true,"message":{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///r/%61.ts"}}}}
{"server":"typescript","sent":true,"message":{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///r/c.ts"}}}}
{"server":"typescript","sent":true,"message":{"jsonrpc":"2.0","id":2,"method":"textDocument/references","params":{"textDocument":{"uri":"file:///r/a.ts"}}}}
{"server":"typescript","sent":false,"message":{"jsonrpc":"2.0","id":2,"result":[]}}
{"server":"typescript","sent":true,"message":{"jsonrpc":"2.0","id":3,"method":"shutdown"}}
`

// fakeServer answers references with one location in each open document, twice
// and escaped in two ways. Named a file, it writes there what it is sent; "mute"
// has it end at the question instead.
func fakeServer(args []string) error {
	var log io.Writer = io.Discard
	mute := len(args) > 0 && args[0] == "mute"
	if len(args) > 0 && !mute {
		f, err := os.Create(args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		log = f
	}
	in := bufio.NewReader(os.Stdin)
	var open []string
	answer := func(id json.RawMessage, result string) {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
		fmt.Fprintf(log, "answer %s\n", id)
		fmt.Printf("Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return nil
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return err
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(in, body); err != nil {
			return err
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			return err
		}
		fmt.Fprintln(log, strings.TrimSpace(m.Method+" "+target(body)))
		switch {
		case m.Method == "textDocument/didOpen":
			open = append(open, target(body))
		case m.Method == "textDocument/references" && mute:
			return nil
		case m.Method == "textDocument/references":
			var all []string
			for _, uri := range open {
				for _, u := range []string{uri, strings.ReplaceAll(uri, "/r/", "/%72/")} {
					all = append(all, fmt.Sprintf(`{"uri":%q,"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":3}}}`, u))
				}
			}
			answer(m.ID, "["+strings.Join(all, ",")+"]")
		case len(m.ID) > 0:
			answer(m.ID, "{}")
		}
	}
}
