package index

import (
	"slices"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		query, name string
		want        Match
	}{
		{"Apply", "Apply", MatchExact},
		{"apply", "Apply", MatchFold},
		{"App", "Apply", MatchPrefix},
		{"app", "ApplyAll", MatchPrefix},
		{"nSR", "newSnapshotReader", MatchHumps},
		{"NSR", "newSnapshotReader", MatchHumps},
		{"nSnaRe", "newSnapshotReader", MatchHumps},
		{"nsr", "newSnapshotReader", MatchHumps},
		{"nR", "newSnapshotReader", MatchHumps},
		{"HS", "HTTPServer", MatchHumps},
		{"httpS", "HTTPServer", MatchPrefix},
		{"gu", "get_user", MatchHumps},
		{"f32", "float32", MatchHumps},
		{"Server", "HTTPServer", MatchWord},
		{"user", "get_user", MatchWord},
		{"napshot", "newSnapshotReader", MatchPart},
		{"snptr", "snapshotter", MatchLetters},
		{"sr", "newSnapshotReader", noMatch},
		{"xyz", "newSnapshotReader", noMatch},
		{"Applyy", "Apply", noMatch},
		{"größe", "Größe", MatchFold},
		{"sRC", "src", MatchPart},
		{"sRC", "ScriptRunContext", MatchHumps},
		{"ScriptRunn", "LocalScriptRunner", MatchWord},
		{"ScriptRunn", "SCRIPT_RUN_NAME", MatchHumps},
		{"getUser", "get_user", MatchHumps},
	} {

		q := newNameQuery(c.query)
		q.worst = MatchLetters
		if got := q.match(c.name); got != c.want {
			t.Errorf("%s for %s: %s, want %s", c.query, c.name, got, c.want)
		}
	}
}

func TestMatchMisspelt(t *testing.T) {
	q := newNameQuery("Snaphsot")
	q.worst = MatchMisspelt
	if got := q.match("Snapshot"); got != MatchMisspelt {
		t.Errorf("swapped letters: %s", got)
	}
	if got := q.match("Workspace"); got != noMatch {
		t.Errorf("another name: %s", got)
	}
}

func TestSplitWords(t *testing.T) {
	for name, want := range map[string][]string{
		"newSnapshotReader": {"new", "Snapshot", "Reader"},
		"HTTPServer":        {"HTTP", "Server"},
		"get_user_2":        {"get", "user", "2"},
		"utf8String":        {"utf", "8", "String"},
		"_private":          {"private"},
		"ID":                {"ID"},
		"":                  nil,
	} {
		if got := splitWords(name); !slices.Equal(got, want) {
			t.Errorf("words of %q: %q, want %q", name, got, want)
		}
	}
}
