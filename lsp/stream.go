package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// maxMessage bounds one message in bytes; a longer one is taken for garbage.
const maxMessage = 1 << 30

// errStreamClosed is what Write returns when the connection is broken or closed.
var errStreamClosed = errors.New("the connection is closed")

// stream frames messages over a server's pipes for jsonrpc2. It differs from
// the stream of that package where real servers need it:
//
//   - Write never blocks. Messages are queued and written in order by one
//     goroutine, so a server that has stopped reading cannot hold up a caller
//     whose context has ended.
//   - A request without parameters has no params member. The native TypeScript
//     server refuses "params":null in shutdown, and ignores such an exit.
//   - Request ids of the server may be anything. jsonrpc2 keeps them in an
//     int32 or a string and ends the connection at any other.
//   - A reply to no request (id null) is skipped instead of ending the
//     connection.
type stream struct {
	in  *bufio.Reader
	out io.WriteCloser
	src io.Closer

	trace func(sent bool, body []byte) // sees every message; nil for none, set before use

	mu     sync.Mutex
	queue  [][]byte      // guarded by mu; frames to be written
	closed bool          // guarded by mu
	wake   chan struct{} // capacity 1: there is something in the queue, or closed
	ended  chan struct{} // closed when the writing goroutine has ended
}

// newStream returns a stream that reads in and writes out, and closes both.
func newStream(in io.ReadCloser, out io.WriteCloser) *stream {
	s := &stream{in: bufio.NewReaderSize(in, 64<<10), src: in, out: out,
		wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go s.write()
	return s
}

// Read implements [jsonrpc2.Stream]. An error is final.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		body, err := s.frame()
		if err != nil {
			return nil, 0, err
		}
		if s.trace != nil {
			s.trace(false, body)
		}
		msg, err := decode(body)
		if err != nil {
			return nil, 0, err
		}
		if msg != nil {
			return msg, int64(len(body)), nil
		}
	}
}

// frame reads one header and body.
func (s *stream) frame() ([]byte, error) {
	length := -1
	for {
		line, err := s.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("reading a message header: a line of more than %d bytes", len(line))
		}
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 && length >= 0 {
			break
		}
		name, value, ok := strings.Cut(string(line), ":")
		if !ok {
			return nil, fmt.Errorf("reading a message header: %q is no header line", cut(string(line), 80))
		}
		if textproto.CanonicalMIMEHeaderKey(name) != "Content-Length" {
			continue
		}
		length, err = strconv.Atoi(strings.TrimSpace(value))
		if err != nil || length < 0 || length > maxMessage {
			return nil, fmt.Errorf("reading a message header: bad length %q", cut(value, 80))
		}
	}
	body := make([]byte, length)
	_, err := io.ReadFull(s.in, body)
	return body, err
}

// cut shortens s to at most n bytes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// rawID marks ids that stand for a literal that jsonrpc2 cannot hold.
const rawID = "\x00literal:"

// decode reads a message; it is nil when the message is to be skipped.
func decode(body []byte) (jsonrpc2.Message, error) {
	msg, err := jsonrpc2.DecodeMessage(body)
	if call, ok := msg.(*jsonrpc2.Call); err == nil && (!ok || call.ID() != jsonrpc2.NewNumberID(0)) {
		return msg, nil
	}
	// Not JSON, or an id that jsonrpc2 cannot hold or takes for 0.
	var w struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if strict := json.Unmarshal(body, &w); strict != nil {
		return nil, fmt.Errorf("reading a message: %w", strict)
	}
	if len(w.Params) == 0 {
		w.Params = json.RawMessage("null")
	}
	switch null := len(w.ID) == 0 || string(w.ID) == "null"; {
	case w.Method != "" && null:
		return jsonrpc2.NewNotification(w.Method, w.Params)
	case w.Method != "":
		return jsonrpc2.NewCall(jsonrpc2.NewStringID(rawID+string(w.ID)), w.Method, w.Params)
	case null:
		return nil, nil // a reply to a message that had no readable id
	}
	return nil, err
}

// Write implements [jsonrpc2.Stream]: it queues the message.
func (s *stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	frame, err := encode(msg)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, errStreamClosed
	}
	if s.trace != nil {
		_, body, _ := bytes.Cut(frame, []byte("\r\n\r\n"))
		s.trace(true, body)
	}
	s.queue = append(s.queue, frame)
	s.signal()
	return int64(len(frame)), nil
}

// signal wakes the writer; the caller holds mu.
func (s *stream) signal() {
	select {
	case s.wake <- struct{}{}:
	default: // it will wake anyway
	}
}

// encode frames a message.
func encode(msg jsonrpc2.Message) ([]byte, error) {
	body := []byte(`{"jsonrpc":"2.0"`)
	var err error
	switch m := msg.(type) {
	case *jsonrpc2.Call:
		body, err = appendID(body, m.ID())
		body = appendRequest(body, m)
	case *jsonrpc2.Notification:
		body = appendRequest(body, m)
	case *jsonrpc2.Response:
		if body, err = appendID(body, m.ID()); err == nil {
			body, err = appendOutcome(body, m)
		}
	default:
		err = fmt.Errorf("unknown message type %T", msg)
	}
	if err != nil {
		return nil, fmt.Errorf("encoding a message: %w", err)
	}
	body = append(body, '}')
	return append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...), nil
}

func appendID(body []byte, id jsonrpc2.ID) ([]byte, error) {
	body = append(body, `,"id":`...)
	if literal, ok := strings.CutPrefix(fmt.Sprint(id), rawID); ok {
		return append(body, literal...), nil
	}
	raw, err := json.Marshal(&id)
	return append(body, raw...), err
}

func appendRequest(body []byte, m jsonrpc2.Request) []byte {
	body = strconv.AppendQuote(append(body, `,"method":`...), m.Method())
	if p := m.Params(); len(p) > 0 && string(p) != "null" {
		body = append(append(body, `,"params":`...), p...)
	}
	return body
}

func appendOutcome(body []byte, m *jsonrpc2.Response) ([]byte, error) {
	if m.Err() == nil {
		return append(append(body, `,"result":`...), m.Result()...), nil
	}
	var e *jsonrpc2.Error
	if !errors.As(m.Err(), &e) {
		e = jsonrpc2.NewError(jsonrpc2.InternalError, m.Err().Error())
	}
	raw, err := json.Marshal(e)
	return append(append(body, `,"error":`...), raw...), err
}

// write writes queued frames until the stream is closed; what is queued then
// is still written, if the server reads it.
func (s *stream) write() {
	defer close(s.ended)
	defer s.out.Close()
	for range s.wake {
		s.mu.Lock()
		frames, closed := s.queue, s.closed
		s.queue = nil
		s.mu.Unlock()
		for _, frame := range frames {
			if _, err := s.out.Write(frame); err != nil {
				s.Close()
				return
			}
		}
		if closed {
			return
		}
	}
}

// Close implements [jsonrpc2.Stream]. Read ends with an error, queued messages
// are still written.
func (s *stream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.signal()
	return s.src.Close()
}
