package symbols

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// byteOrderMark is what some editors put before UTF-8 text. It is no part of the
// text: compilers count without it.
const byteOrderMark = "\xef\xbb\xbf"

// Decode returns the text of a file's bytes: less a UTF-8 byte order mark, and in
// UTF-8 when a UTF-16 one stands at the start, with U+FFFD for each half of a
// surrogate pair that stands alone. It may return a part of raw.
func Decode(raw []byte) []byte {
	if !IsUTF16(raw) {
		return bytes.TrimPrefix(raw, []byte(byteOrderMark))
	}
	var order binary.ByteOrder = binary.LittleEndian
	if raw[0] == 0xfe {
		order = binary.BigEndian
	}
	text := make([]byte, 0, len(raw)/2)
	for raw = raw[2:]; len(raw) > 1; raw = raw[2:] {
		r := rune(order.Uint16(raw))
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError
			if len(raw) > 3 {
				r = utf16.DecodeRune(rune(order.Uint16(raw)), rune(order.Uint16(raw[2:])))
			}
			if r != utf8.RuneError {
				raw = raw[2:]
			}
		}
		text = utf8.AppendRune(text, r)
	}
	return text
}

// IsUTF16 reports whether bytes are UTF-16 with its byte order mark: one that is
// none of UTF-32, and a NUL at the start, which hardly any text in UTF-16 is
// without and no other text has.
func IsUTF16(raw []byte) bool {
	if len(raw) < 2 || raw[0]^raw[1] != 1 || raw[0] < 0xfe || len(raw) > 3 && raw[0] == 0xff && raw[2] == 0 && raw[3] == 0 {
		return false
	}
	return bytes.IndexByte(raw[:min(len(raw), utf16Window)], 0) >= 0
}

// utf16Window is how many bytes are searched for a NUL, as in the index.
const utf16Window = 8 << 10
