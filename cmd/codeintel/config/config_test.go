package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func environ(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, p := range pairs {
			if v, ok := strings.CutPrefix(p, name+"="); ok {
				return v, true
			}
		}
		return "", false
	}
}

func origins(c *Config) map[string]string {
	out := map[string]string{}
	for _, v := range c.Values() {
		if v.Origin != "default" {
			out[v.Key] = v.Value + " from " + v.Origin
		}
	}
	return out
}

func TestLoadOrder(t *testing.T) {
	dir := t.TempDir()
	user := write(t, dir, UserFile, "threshold = 10\ntimeout = \"5s\"\n[approval]\nlarge_references = \"truncate\"\n")
	c, err := Load(Sources{
		UserFile: user,
		Env:      environ("CODEINTEL_THRESHOLD=20", "CODEINTEL_TIMEOUT=1m", "CODEINTEL_NO_INSTALL=1"),
		Flags:    map[string]string{"threshold": "30"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Defaults()
	want.Threshold, want.Timeout, want.LargeReferences, want.Install = 30, time.Minute, "truncate", false
	if !reflect.DeepEqual(c.Settings, want) {
		t.Errorf("settings\n%+v, want\n%+v", c.Settings, want)
	}
	wantOrigins := map[string]string{
		"threshold":                 "30 from flag",
		"timeout":                   "1m0s from CODEINTEL_TIMEOUT",
		"approval.large_references": "truncate from " + user,
		"install":                   "false from CODEINTEL_NO_INSTALL",
	}
	if got := origins(c); !reflect.DeepEqual(got, wantOrigins) {
		t.Errorf("origins %v, want %v", got, wantOrigins)
	}
}

func TestLoadDefaultsWithoutAnySource(t *testing.T) {
	c, err := Load(Sources{UserFile: filepath.Join(t.TempDir(), "absent.toml"), Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c.Settings, Defaults()) || len(c.Refused) > 0 {
		t.Errorf("got %+v, refused %v", c.Settings, c.Refused)
	}
}

func TestLoadRefusesWhatItCannotUnderstand(t *testing.T) {
	for _, c := range []struct{ name, user, env, want string }{
		{"unknown key", "treshold = 3", "", `unknown key "treshold"`},
		{"bad number", "threshold = \"many\"", "", `threshold: "many" is not a whole number`},
		{"bad choice", "tier = \"best\"", "", `"best" is none of exact, syntactic, textual`},
		{"syntax", "threshold = ", "", "config.toml:1:"},
		{"bad variable", "", "CODEINTEL_TIMEOUT=soon", `CODEINTEL_TIMEOUT: "soon" is not a duration`},
		{"bad switch", "", "CODEINTEL_NO_INSTALL=perhaps", "CODEINTEL_NO_INSTALL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load(Sources{UserFile: write(t, t.TempDir(), UserFile, c.user), Env: environ(c.env)})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestRepositoryOnlyTightens(t *testing.T) {
	root := t.TempDir()
	write(t, root, RepositoryFile, `
threshold = 20
exclude = ["gen/**", "a b/", "!secret"]
install = true
rg = "./evil"
colour = "red"
timeout = "1h"
[approval]
large_references = "allow"
`)
	c, err := Load(Sources{Root: root, Env: environ("CODEINTEL_EXCLUDE=vendor")})
	if err != nil {
		t.Fatal(err)
	}
	if c.Threshold != 20 || c.RG != "" || c.LargeReferences != "ask" || c.Timeout != time.Hour {
		t.Errorf("settings %+v", c.Settings)
	}
	want := []string{"approval.large_references", "colour", "exclude", "install", "rg"}
	var got []string
	for _, r := range c.Refused {
		got = append(got, r.Key)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("refused %v, want %v", got, want)
	}
}

func TestRepositoryCannotLoosen(t *testing.T) {
	for _, text := range []string{"threshold = 51", "threshold = -1", "timeout = 0", "server_memory = 1"} {
		root := t.TempDir()
		write(t, root, RepositoryFile, text)
		c, err := Load(Sources{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(c.Settings, Defaults()) || len(c.Refused) != 1 {
			t.Errorf("%s: settings %+v, refused %v", text, c.Settings, c.Refused)
		}
	}
}

func TestRepositoryExcludesAreAdded(t *testing.T) {
	root := t.TempDir()
	write(t, root, RepositoryFile, `exclude = ["gen/**", "a b/"]`)
	c, err := Load(Sources{Root: root, Env: environ("CODEINTEL_EXCLUDE=vendor, third_party")})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"vendor", "third_party", "gen/**", "a b/"}; !reflect.DeepEqual(c.Exclude, want) {
		t.Errorf("exclude %q, want %q", c.Exclude, want)
	}
}

func TestBrokenRepositoryFileIsRefusedNotFatal(t *testing.T) {
	root := t.TempDir()
	write(t, root, RepositoryFile, "= = =")
	c, err := Load(Sources{Root: root})
	if err != nil || len(c.Refused) != 1 {
		t.Errorf("error %v, refused %v", err, c)
	}
}

func TestFlagWinsOverRepository(t *testing.T) {
	root := t.TempDir()
	write(t, root, RepositoryFile, "threshold = 5")
	c, err := Load(Sources{Root: root, Flags: map[string]string{"threshold": "-1"}})
	if err != nil || c.Threshold != -1 {
		t.Errorf("threshold %d, error %v", c.Threshold, err)
	}
}

func TestLocate(t *testing.T) {
	for _, c := range []struct {
		name, goos string
		env        func(string) (string, bool)
		want       Dirs
	}{
		{"linux", "linux", environ(), Dirs{"/h/.config/codeintel", "/h/.local/share/codeintel", "/h/.cache/codeintel"}},
		{"xdg", "linux", environ("XDG_DATA_HOME=/d", "XDG_CACHE_HOME=relative"), Dirs{"/h/.config/codeintel", "/d/codeintel", "/h/.cache/codeintel"}},
		{"own", "linux", environ("CODEINTEL_DATA_DIR=/own", "XDG_DATA_HOME=/d"), Dirs{"/h/.config/codeintel", "/own", "/h/.cache/codeintel"}},
		{"macos", "darwin", environ(), Dirs{"/h/Library/Application Support/codeintel", "/h/Library/Application Support/codeintel", "/h/Library/Caches/codeintel"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Locate(c.env, c.goos, "/h")
			if err != nil || got != c.want {
				t.Errorf("got %+v, %v, want %+v", got, err, c.want)
			}
		})
	}
	if _, err := Locate(environ(), "linux", ""); err == nil {
		t.Error("no home folder: no error")
	}
}

func TestTrust(t *testing.T) {
	data, work := t.TempDir(), t.TempDir()
	work, err := filepath.EvalSymlinks(work)
	if err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(work, "repo", "pkg")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(work, "link")
	if err := os.Symlink(filepath.Join(work, "repo"), link); err != nil {
		t.Fatal(err)
	}
	trust := OpenTrust(filepath.Join(data, "deep"))
	expect := func(dir string, want bool) {
		t.Helper()
		if got, err := trust.Trusts(dir); err != nil || got != want {
			t.Errorf("Trusts(%s) = %v, %v, want %v", dir, got, err, want)
		}
	}
	expect(inner, false)
	real, err := trust.Add(link)
	if err != nil || real != filepath.Join(work, "repo") {
		t.Fatalf("Add = %q, %v", real, err)
	}
	expect(inner, true)
	expect(real, true)
	expect(work, false)
	expect(real+"2", false)
	if _, err := trust.Add(filepath.Join(work, "absent")); err == nil {
		t.Error("an absent folder was trusted")
	}
	if list, err := trust.List(); err != nil || !reflect.DeepEqual(list, []string{real}) {
		t.Errorf("list %v, %v", list, err)
	}
	if removed, err := trust.Remove(link); err != nil || !removed {
		t.Errorf("Remove = %v, %v", removed, err)
	}
	expect(inner, false)
	if removed, err := trust.Remove(real); err != nil || removed {
		t.Errorf("second Remove = %v, %v", removed, err)
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{"30s": 30 * time.Second, "1.5": 1500 * time.Millisecond, "0": 0, " 2m ": 2 * time.Minute} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%q = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-3s", "-1", "soon"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("%q = %v, want an error", text, got)
		}
	}
}

func TestExcludes(t *testing.T) {
	excluded := Excludes([]string{"gen/", "*.pb.go", "/top.go", "a/**/z.go", "docs/*.md", "**/deep/", ""})
	for path, want := range map[string]bool{
		"gen/a.go": true, "x/gen/y/a.go": true, "gen.go": false, "generated/a.go": false, "gen": false,
		"x/y.pb.go": true, "y.pb.go": true, "y.pb.go.txt": false,
		"top.go": true, "x/top.go": false,
		"a/z.go": true, "a/b/c/z.go": true, "b/a/z.go": false,
		"docs/x.md": true, "docs/sub/x.md": false,
		"p/deep/q.go": true, "deep/q.go": true, "deeper/q.go": false,
		"": false,
	} {
		if got := excluded(path); got != want {
			t.Errorf("%q: excluded %v, want %v", path, got, want)
		}
	}
	if Excludes(nil) != nil {
		t.Error("no patterns must exclude nothing")
	}
}
