// Package config reads codeintel's settings: defaults, then config.toml in the
// user's configuration folder, then the environment (CODEINTEL_*), then flags.
//
// A repository may bring a .codeintel.toml at its root. It can only tighten:
// exclude paths and lower limits. Every other key in it is refused and named
// ([Config.Refused]), so that a cloned repository cannot approve, install or run
// anything.
//
// Each value knows where it came from ([Config.Values]).
package config
