package config

import (
	"errors"
	"path/filepath"
)

// Dirs are the folders codeintel uses of its own. None is created here.
type Dirs struct {
	// Config holds config.toml.
	Config string
	// Data holds installed language servers and the list of trusted folders.
	Data string
	// Cache holds what can be made again.
	Cache string
}

// Locate returns the folders for an operating system (runtime.GOOS). The
// variables CODEINTEL_CONFIG_DIR, CODEINTEL_DATA_DIR and CODEINTEL_CACHE_DIR name
// them outright; otherwise the XDG variables and the system's customs under home
// decide.
func Locate(env func(string) (string, bool), goos, home string) (Dirs, error) {
	var d Dirs
	for _, f := range []struct {
		to          *string
		own, xdg    string
		unix, macos string
	}{
		{&d.Config, "CODEINTEL_CONFIG_DIR", "XDG_CONFIG_HOME", ".config", "Library/Application Support"},
		{&d.Data, "CODEINTEL_DATA_DIR", "XDG_DATA_HOME", ".local/share", "Library/Application Support"},
		{&d.Cache, "CODEINTEL_CACHE_DIR", "XDG_CACHE_HOME", ".cache", "Library/Caches"},
	} {
		if v, _ := env(f.own); v != "" {
			abs, err := filepath.Abs(v)
			if err != nil {
				return Dirs{}, err
			}
			*f.to = abs
			continue
		}
		if v, _ := env(f.xdg); filepath.IsAbs(v) {
			*f.to = filepath.Join(v, "codeintel")
			continue
		}
		if home == "" {
			return Dirs{}, errors.New("no home folder is known; set HOME, or CODEINTEL_CONFIG_DIR, CODEINTEL_DATA_DIR and CODEINTEL_CACHE_DIR")
		}
		under := f.unix
		if goos == "darwin" {
			under = f.macos
		}
		*f.to = filepath.Join(home, filepath.FromSlash(under), "codeintel")
	}
	return d, nil
}
