package bind

import (
	"regexp"
	"strings"

	"codeintel/symbols"
	"codeintel/symbols/syntax"
)

// Documentation comments name types, parameters and other symbols. Servers list
// these as references, so they are bound like names in the code.

// scriptTypeTag is a tag with a type in braces behind it, up to the brace.
var scriptTypeTag = regexp.MustCompile(`@[a-zA-Z]+\s*\{$`)

// scriptNameTag is what stands before the name that a tag is about.
var scriptNameTag = regexp.MustCompile(`@(param|arg|argument)\s+(\{[^\n]*\}\s*)?\[?$`)

// scriptLinkTag is what stands before the target of a link.
var scriptLinkTag = regexp.MustCompile(`(\{@(link|linkcode|linkplain)|@see)\s+([\w$.]+[.#])?$`)

// scriptTypedef is a declaration of a type in a comment, up to the name.
var scriptTypedef = regexp.MustCompile(`@(typedef|callback)\s+(\{[^\n]*\}\s*)?([\w$]+)`)

// scriptImportType is what stands before a name in import("m").
var scriptImportType = regexp.MustCompile(`import\(["']([^"']+)["']\)\.$`)

// typedefs declares the types that comments of a JavaScript file declare.
func (w *scriptWalk) typedefs() {
	f := w.f
	for n := syntax.Node(0); int(n) < f.Len(); n++ {
		if !f.is(n, "comment") || !strings.HasPrefix(f.Text(n), "/**") {
			continue
		}
		for _, at := range scriptTypedef.FindAllStringSubmatchIndex(f.Text(n), -1) {
			start := f.Start(n) + at[6]
			r := symbols.Range{Start: start, End: f.Start(n) + at[7]}
			sym := f.newSymbol(w.typedefHome(), f.Text(n)[at[6]:at[7]], typeAlias, decl{place: f.at(n), name: syntax.None, means: asType})
			f.inComments[r] = sym
		}
	}
}

func (w *scriptWalk) typedefHome() table {
	if w.f.module != nil {
		return w.f.module.exports
	}
	return w.f.top.names
}

// comment resolves a name in a documentation comment.
func (l *script) comment(b *Binder, at place, r symbols.Range) meant {
	f := at.file
	if s := f.inComments[r]; s != nil {
		return one(s)
	}
	text := f.Text(at.node)
	if !strings.HasPrefix(text, "/**") {
		return meant{}
	}
	before, name := text[:r.Start-f.Start(at.node)], text[r.Start-f.Start(at.node):r.End-f.Start(at.node)]
	next := f.Next(at.node)
	for f.is(next, "comment", "decorator") {
		next = f.Next(next)
	}
	scope := f.scopeAt(at.node)
	switch {
	case scriptNameTag.MatchString(before):
		return l.documented(f, next, name)
	case scriptLinkTag.MatchString(before):
		if m := scriptLinkTag.FindStringSubmatch(before); m[3] != "" {
			return l.linkedMember(b, scope, strings.Trim(m[3], ".#"), name)
		}
		s, _ := scope.lookup(name, anyMeaning, b.meaningOf)
		return one(s)
	}
	open := strings.LastIndexByte(before, '{')
	if open < 0 || strings.Contains(before[open:], "}") || !scriptTypeTag.MatchString(before[:open+1]) {
		return meant{}
	}
	if m := scriptImportType.FindStringSubmatch(before); m != nil {
		found, _ := b.exportOf(b.module(moduleRef{f, m[1]}), name, 0)
		return one(found)
	}
	if strings.HasSuffix(before, ".") {
		return meant{}
	}
	s, _ := scope.lookup(name, asType|asNamespace, b.meaningOf)
	return one(s)
}

// documented returns the parameter of the function that a comment documents.
func (l *script) documented(f *file, next syntax.Node, name string) meant {
	if next == syntax.None {
		return meant{}
	}
	for n := next; n < f.After(next); n++ {
		if f.is(n, scriptFunctions...) || f.is(n, scriptSignatures...) {
			if s := f.scopes[n]; s != nil && s.names[name] != nil {
				return one(s.names[name])
			}
			return meant{}
		}
	}
	return meant{}
}

// linkedMember resolves the last name of a link such as Class.member.
func (l *script) linkedMember(b *Binder, scope *scope, qualifier, name string) meant {
	s, _ := scope.lookup(qualifier, anyMeaning, b.meaningOf)
	if s = b.last(s); s == nil {
		return meant{}
	}
	if found, _ := b.exportOf(s, name, 0); found != nil {
		return one(found)
	}
	return b.membersOf(&shape{kind: instance, sym: s}, name)
}
