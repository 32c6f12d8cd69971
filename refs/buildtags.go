package refs

import (
	"fmt"
	"go/build"
	"go/build/constraint"
	"path"
	"strings"
)

// excludedGo reports whether the Go command leaves a file out of the build on
// this machine with the given extra tags, with the cause and the setting that
// would include it. Files of other languages are never excluded.
func excludedGo(file string, text []byte, tags []string) (cause, cure string, excluded bool) {
	if path.Ext(file) != ".go" {
		return "", "", false
	}
	base := path.Base(file)
	if strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".") {
		return "its name begins with " + base[:1] + ", so the Go command ignores it", "", true
	}
	ctx := build.Default
	ctx.BuildTags = append(ctx.BuildTags[:len(ctx.BuildTags):len(ctx.BuildTags)], tags...)
	// MatchFile also reads the name's _GOOS and _GOARCH suffixes.
	ctx.OpenFile = readerOf(text)
	if ok, err := ctx.MatchFile(path.Dir(file), base); err != nil || ok {
		return "", "", false
	}
	if expr := constraintOf(text); expr != nil && !expr.Eval(known(ctx)) {
		return fmt.Sprintf("the file is excluded by its build constraint //go:build %s", expr), cureTags(expr, known(ctx)), true
	}
	if os, arch, ok := suffixes(base); ok {
		return "the file is excluded by the platform in its name", strings.TrimSpace(platform("GOOS", os) + platform("GOARCH", arch)), true
	}
	return "the file is excluded from the build on this machine", "", true
}

func platform(name, value string) string {
	if value == "" {
		return ""
	}
	return name + "=" + value + " "
}

// known returns the tags that hold in ctx.
func known(ctx build.Context) func(string) bool {
	return func(tag string) bool {
		if tag == ctx.GOOS || tag == ctx.GOARCH || tag == ctx.Compiler || tag == "cgo" && ctx.CgoEnabled {
			return true
		}
		if tag == "unix" {
			return unixLike(ctx.GOOS)
		}
		for _, t := range append(append(ctx.BuildTags, ctx.ToolTags...), ctx.ReleaseTags...) {
			if t == tag {
				return true
			}
		}
		return false
	}
}

func unixLike(goos string) bool {
	switch goos {
	case "windows", "plan9", "js", "wasip1":
		return false
	}
	return true
}

// constraintOf returns the //go:build line above the package clause.
func constraintOf(text []byte) constraint.Expr {
	for line := range strings.Lines(string(text[:min(len(text), 16<<10)])) {
		line = strings.TrimSpace(line)
		if constraint.IsGoBuild(line) {
			if expr, err := constraint.Parse(line); err == nil {
				return expr
			}
		}
		if strings.HasPrefix(line, "package ") {
			return nil
		}
	}
	return nil
}

// cureTags names the settings that would satisfy a plain constraint; an
// expression that needs a tag to be absent has no such setting.
func cureTags(expr constraint.Expr, holds func(string) bool) string {
	var env, tags []string
	collect(expr, func(tag string) {
		switch {
		case holds(tag):
		case knownOS(tag):
			env = append(env, "GOOS="+tag)
		case knownArch(tag):
			env = append(env, "GOARCH="+tag)
		default:
			tags = append(tags, tag)
		}
	})
	if len(tags) > 0 {
		env = append(env, "GOFLAGS=-tags="+strings.Join(tags, ","))
	}
	return strings.Join(env, " ")
}

// collect calls f for the tags that must hold, the first side of each
// alternative.
func collect(expr constraint.Expr, f func(string)) {
	switch x := expr.(type) {
	case *constraint.TagExpr:
		f(x.Tag)
	case *constraint.AndExpr:
		collect(x.X, f)
		collect(x.Y, f)
	case *constraint.OrExpr:
		collect(x.X, f)
	}
}
