package symbols

import (
	"strings"
	"sync"

	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"

	"codeintel/symbols/syntax"
)

// bashSyntax loads the table of the shell, once.
var bashSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "bash",
		language: bash.Language(),
		notes: "Which variables a function makes anew cannot be told without running it: " +
			"a name that the file has assigned before is taken for that one, any other is local. " +
			"Commands that define are aliases; names of functions are identifiers where they are called. Imports are source and the dot. " +
			"Files are taken for the shell by their ending only, never by their first line.",
		identifiers: map[string]Role{"variable_name": RolePlain},
		marks:       punctuation,
		comments:    []string{"comment"},
		whole:       true,
		visits: map[string]func(*extraction, syntax.Node){
			"function_definition": bashFunction,
			"variable_assignment": bashAssignment,
			"declaration_command": bashDeclaration,
			"for_statement":       bashFor,
			"command":             bashCommand,
			"command_name":        bashCalled,
		},
		kinds: map[string][]Kind{
			"function_definition": {Function},
			"variable_assignment": {Variable, Constant},
			"declaration_command": {Variable},
			"for_statement":       {Variable},
			"command":             {Function},
		},
		wrappers: []string{"declaration_command"},
		statements: []string{
			"command", "declaration_command", "unset_command", "variable_assignment", "function_definition", "redirected_statement", "pipeline",
			"list", "if_statement", "elif_clause", "else_clause", "for_statement", "c_style_for_statement", "while_statement", "case_statement",
			"case_item", "test_command", "negated_command",
		},
		lists: []string{"program", "compound_statement", "do_group", "subshell", "command_substitution", "array"},
	})
})

// bashFunction defines a function. Its name is a word, not a node of names.
func bashFunction(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if x.kind(name) != "word" {
		return
	}
	x.bashWord(name)
	x.define(x.newDefinition(n, name, Function))
}

// bashWord records a word as an identifier if it can be a name.
func (x *extraction) bashWord(n syntax.Node) {
	r := x.rangeOf(n)
	for _, c := range x.text[r.Start:r.End] {
		if c != '-' && c != ':' && c < 0x80 && !isWord(c) {
			return
		}
	}
	x.word(r, RolePlain)
}

func bashCalled(x *extraction, n syntax.Node) {
	if word := x.tree.First(n); x.kind(word) == "word" && x.tree.After(word) == x.tree.After(n) {
		x.bashWord(word)
	}
}

// bashAssignment defines a variable that is assigned for the first time, but not
// the environment of a command.
func bashAssignment(x *extraction, n syntax.Node) {
	name, parent := x.child(n, "name"), x.parent(n)
	if x.kind(name) != "variable_name" || x.kind(parent) == "command" {
		return
	}
	d := x.newDefinition(n, name, Variable)
	local := false
	if x.kind(parent) == "declaration_command" {
		var constant bool
		local, constant = x.bashDeclared(parent)
		if constant {
			d.kind = Constant
		}
	}
	x.bashVariable(d, local)
}

// bashDeclared reports whether a declaration makes names of the function and
// whether they are constant.
func (x *extraction) bashDeclared(n syntax.Node) (local, constant bool) {
	first := x.tree.First(n)
	switch x.kind(first) {
	case "readonly":
		constant = true
	case "local", "declare", "typeset":
		local = true
	}
	for c := x.tree.Next(first); c != syntax.None && x.kind(c) == "word"; c = x.tree.Next(c) {
		if option := x.textOf(c); strings.HasPrefix(option, "-") {
			constant = constant || strings.Contains(option, "r")
			local = local && !strings.Contains(option, "g")
		}
	}
	return local, constant
}

// bashVariable defines a variable of the file or of the function around.
func (x *extraction) bashVariable(d definition, local bool) {
	if !local && x.seen[binding{0, "", x.content(d.name)}] {
		return
	}
	d.once = true
	x.define(d)
}

// bashDeclaration defines the names that a declaration gives no value.
func bashDeclaration(x *extraction, n syntax.Node) {
	first := x.tree.First(n)
	if k := x.kind(first); k != "local" && k != "declare" && k != "typeset" {
		return
	}
	for c := first; c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) == "variable_name" {
			d := x.newDefinition(c, c, Variable)
			d.alone = true
			x.bashVariable(d, true)
		}
	}
}

func bashFor(x *extraction, n syntax.Node) {
	if name := x.child(n, "variable"); x.kind(name) == "variable_name" {
		d := x.newDefinition(name, name, Variable)
		d.alone = true
		x.bashVariable(d, false)
	}
}

// bashCommand reads source and alias.
func bashCommand(x *extraction, n syntax.Node) {
	switch x.textOf(x.child(n, "name")) {
	case "source", ".":
		x.bashSource(n)
	case "alias":
		field, in := x.field("argument"), *x.top()
		for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
			if x.tree.Field(c) == field {
				x.bashAlias(c, &in)
			}
		}
	}
}

// bashAlias defines name=command.
func (x *extraction) bashAlias(n syntax.Node, in *scope) {
	r := x.rangeOf(n)
	name, _, ok := strings.Cut(x.content(r), "=")
	if !ok || name == "" || strings.ContainsAny(name, "$`'\"") {
		return
	}
	x.define(definition{node: n, kind: Function, name: Range{r.Start, r.Start + len(name)}, in: in, alone: true})
}

// bashSource records a file that is read: as written, without quotes.
func (x *extraction) bashSource(n syntax.Node) {
	path := x.child(n, "argument")
	if path == syntax.None {
		return
	}
	module := x.textOf(path)
	if k := x.kind(path); k == "string" || k == "raw_string" {
		module = strings.Trim(module, `"'`)
	}
	x.imports = append(x.imports, Import{Module: module, Range: x.rangeOf(n), ModuleRange: x.rangeOf(path)})
}
