package symbols

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	c "github.com/tree-sitter/tree-sitter-c/bindings/go"

	"codeintel/symbols/syntax"
)

// cSyntax loads C's table, once.
var cSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	spec := cSpec()
	spec.name, spec.language = "c", c.Language()
	spec.notes = "An object-like macro is a constant, a function-like one a function. A type without a name takes the first one that a " +
		"typedef gives it; a member of one without any belongs to what is around it or to the variable. " +
		"Macros in capitals before and between declarations are passed over. A header .h with C++ in it is read as C++."
	return bind(spec)
})

// cSpec returns what the tables of C and C++ share.
func cSpec() *languageSpec {
	return &languageSpec{
		identifiers: map[string]Role{
			"identifier": RolePlain, "type_identifier": RolePlain, "statement_identifier": RolePlain,
			"field_identifier": RoleMember,
		},
		comments:    []string{"comment"},
		definitions: []definitionRow{{node: "enumerator", kind: EnumMember}},
		visits: map[string]func(*extraction, syntax.Node){
			"function_definition":   cFunction,
			"declaration":           cDeclaration,
			"field_declaration":     cDeclaration,
			"type_definition":       cTypedef,
			"struct_specifier":      cType(Struct),
			"union_specifier":       cType(Struct),
			"enum_specifier":        cType(Enum),
			"parameter_declaration": cParameter,
			"preproc_def":           cMacro(Constant),
			"preproc_function_def":  cMacro(Function),
			"preproc_include":       cInclude,
		},
		kinds: map[string][]Kind{
			"function_definition":   {Function},
			"declaration":           {Function, Variable, Constant, Parameter},
			"field_declaration":     {Field},
			"type_definition":       {Struct, Enum, Type},
			"struct_specifier":      {Struct},
			"union_specifier":       {Struct},
			"enum_specifier":        {Enum},
			"parameter_declaration": {Parameter},
			"preproc_def":           {Constant},
			"preproc_function_def":  {Function},
		},
		prepare:  prepareC,
		hides:    true,
		wrappers: []string{"linkage_specification"},
		blocks:   []string{"compound_statement", "for_statement", "if_statement", "while_statement", "switch_statement"},
		bodies:   []string{"function_definition"},
		statements: []string{
			"function_definition", "declaration", "field_declaration", "type_definition", "enumerator", "preproc_def", "preproc_function_def",
			"preproc_include", "preproc_call", "expression_statement", "if_statement", "else_clause", "for_statement", "while_statement",
			"do_statement", "switch_statement", "case_statement", "return_statement", "break_statement", "continue_statement",
			"goto_statement", "labeled_statement", "linkage_specification",
		},
		lists: []string{
			"translation_unit", "compound_statement", "field_declaration_list", "enumerator_list", "declaration_list", "initializer_list",
			"preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef",
		},
	}
}

// macroLine is a line that is a macro in capitals and nothing more.
var macroLine = regexp.MustCompile(`^[ \t]*[A-Z][A-Z0-9_]{2,}[ \t]*(?:\([^()]*\))?[ \t]*\r?$`)

// macroPrefix is a line that begins with a macro in capitals before the type of what
// is declared, as what says how a library shows a function.
var macroPrefix = regexp.MustCompile(`^[ \t]*([A-Z][A-Z0-9_]{2,})[ \t]+([A-Za-z_]\w*)(?:[ \t]+[A-Za-z_*&]|[*&]+[ \t]*[A-Za-z_(]|[ \t]+\(\*)`)

// macroSuffix is a macro in capitals at the end of such a line.
var macroSuffix = regexp.MustCompile(`\)[ \t]+([A-Z][A-Z0-9_]{2,})[ \t]*;[ \t]*\r?$`)

// prepareC ends macros that stand on lines of their own between declarations, and
// blanks those that begin one. The grammar does not know what they expand to, and
// takes them for the type of what follows.
func prepareC(text []byte) []edit {
	var out []edit
	ended := true // the line before ends a declaration
	for start := 0; start < len(text); {
		end := start + bytes.IndexByte(text[start:], '\n')
		if end < start {
			break
		}
		line := text[start:end]
		macro := ended && macroLine.Match(line) && beginsDeclaration(text[end+1:])
		if macro {
			out = append(out, edit{at: end, with: ";"})
		}
		if m := macroPrefix.FindSubmatchIndex(line); m != nil && ended && !isQualifier(string(line[m[4]:m[5]])) {
			out = append(out, blank(start+m[2], start+m[3]))
			if m := macroSuffix.FindSubmatchIndex(line); m != nil {
				out = append(out, blank(start+m[2], start+m[3]))
			}
		}
		ended = macro || ends(bytes.TrimSpace(line), ended)
		start = end + 1
	}
	return out
}

// blank returns the edit that hides a name.
func blank(from, to int) edit {
	return edit{at: from, with: strings.Repeat(" ", to-from), name: true}
}

// isQualifier reports whether a word may stand between a type and what it is the
// type of.
func isQualifier(word string) bool {
	switch word {
	case "const", "volatile", "restrict", "operator":
		return true
	}
	return false
}

// ends reports whether after a line of C a declaration may begin; blank lines and
// comments change nothing.
func ends(line []byte, before bool) bool {
	if len(line) == 0 || bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*")) || bytes.HasSuffix(line, []byte("*/")) {
		return before || bytes.HasSuffix(line, []byte("*/"))
	}
	switch line[len(line)-1] {
	case ';', '}', '{', ':':
		return true
	}
	return line[0] == '#' && line[len(line)-1] != '\\'
}

// beginsDeclaration reports whether a text may begin with a declaration.
func beginsDeclaration(text []byte) bool {
	c := next(text, 0)
	return isWord(c) || c == '#' || c == '[' || c == '/' || c == '~'
}

// maxDeclarator is the number of parts of a declarator that are looked through.
const maxDeclarator = 64

// A declarator is what stands around a name that C declares.
type declarator struct {
	// name is the node of the name, none when there is no name.
	name syntax.Node
	// function says that the name itself is a function, not a pointer to one;
	// pointer that it is a pointer of any kind.
	function, pointer bool
}

// cDeclarator looks for the name in a declarator.
func (x *extraction) cDeclarator(n syntax.Node) declarator {
	d := declarator{name: syntax.None}
	for range maxDeclarator {
		switch x.kind(n) {
		case "function_declarator":
			d.function, d.pointer = true, false
			n = x.child(n, "declarator")
		case "pointer_declarator", "pointer_type_declarator":
			d.function, d.pointer = false, true
			n = x.child(n, "declarator")
		case "array_declarator", "init_declarator":
			n = x.child(n, "declarator")
		case "parenthesized_declarator", "attributed_declarator", "reference_declarator", "variadic_declarator":
			n = x.cInner(n)
		case "operator_cast":
			d.name, d.function = n, true
			return d
		case "qualified_identifier":
			last := x.cQualified(n)
			if strings.HasSuffix(x.kind(last), "_declarator") { // a pointer to a member
				n = last
				continue
			}
			d.name = n
			d.function = d.function || x.kind(last) == "operator_cast"
			return d
		case "identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name", "template_function",
			"template_method", "structured_binding_declarator":
			d.name = n
			return d
		case "primitive_type": // where a typedef names one
			if x.kind(x.parent(n)) == "type_definition" {
				d.name = n
			}
			return d
		default:
			return d
		}
	}
	return d
}

// cInner returns the declarator in another that has no field for it.
func (x *extraction) cInner(n syntax.Node) syntax.Node {
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if k := x.kind(c); strings.HasSuffix(k, "declarator") || strings.HasSuffix(k, "identifier") || strings.HasSuffix(k, "_name") {
			return c
		}
	}
	return syntax.None
}

// cFunction defines a function with its body.
func cFunction(x *extraction, n syntax.Node) {
	found := x.cDeclarator(x.child(n, "declarator"))
	if found.name == syntax.None {
		return
	}
	x.define(x.cNamed(definition{node: n, kind: Function}, found))
}

// cDeclaration defines what a declaration declares: variables, fields, and
// functions without their bodies.
func cDeclaration(x *extraction, n syntax.Node) {
	if x.kind(x.parent(n)) == "friend_declaration" {
		return
	}
	all := x.childrenIn(n, "declarator")
	for _, c := range all {
		found := x.cDeclarator(c)
		if found.name == syntax.None {
			continue
		}
		d := x.cVariable(n, c, found)
		if len(all) > 1 {
			d.node, d.alone, d.leaf = c, true, true
			if d.function > 0 {
				d.kind, d.function = Variable, 0
			}
		}
		if x.kind(found.name) == "structured_binding_declarator" {
			x.bindNames(found.name, d, []string{"identifier"}, nil)
			continue
		}
		x.define(x.cNamed(d, found))
	}
}

// cVariable returns the definition of one name of a declaration n, without the
// name. What is in a type without a name belongs to the variable.
func (x *extraction) cVariable(n, part syntax.Node, found declarator) definition {
	d := definition{node: n, kind: Variable}
	cpp := x.table.spec.name == "cpp"
	switch {
	case found.function && !(cpp && x.top().inFunction):
		d.kind = Function
		return d
	case x.kind(x.parent(n)) == "function_definition":
		d.kind = Parameter
	case x.cConstant(n) && !found.pointer && (cpp || x.top().kind != typeScope):
		d.kind = Constant
	case x.kind(n) == "field_declaration" || x.inType():
		d.kind = Field
	}
	if value := x.child(part, "value"); x.kind(value) == "lambda_expression" {
		d.function = value
		if d.kind != Field {
			d.kind = Function
		}
	}
	if typ := x.child(n, "type"); x.child(typ, "body") != syntax.None && x.child(typ, "name") == syntax.None {
		d.value = typ
	}
	return d
}

// cConstant reports whether a declaration says that its value does not change.
func (x *extraction) cConstant(n syntax.Node) bool {
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) == "type_qualifier" {
			if t := x.textOf(c); t == "const" || t == "constexpr" {
				return true
			}
		}
	}
	return false
}

// cNamed completes a definition with its name and, in C++, with what the name says
// of its container.
func (x *extraction) cNamed(d definition, found declarator) definition {
	if x.table.spec.name == "cpp" {
		return x.cppNamed(d, found.name)
	}
	d.name = x.rangeOf(found.name)
	return d
}

// cTypedef defines the names of a typedef. A type without a name of its own takes
// the first.
func cTypedef(x *extraction, n syntax.Node) {
	all := x.childrenIn(n, "declarator")
	typ := x.child(n, "type")
	own := x.child(typ, "body") != syntax.None && x.child(typ, "name") == syntax.None
	for i := len(all) - 1; i >= 0; i-- { // the first opens the scope of the type
		name := x.cDeclarator(all[i]).name
		if name == syntax.None {
			continue
		}
		d := x.newDefinition(n, name, Type)
		d.leaf = true
		switch {
		case i == 0 && own:
			d.leaf, d.kind = false, cTypeKind(x.kind(typ))
		case len(all) > 1:
			d.node, d.alone = all[i], true
		}
		x.define(d)
	}
}

func cTypeKind(node string) Kind {
	switch node {
	case "enum_specifier":
		return Enum
	case "class_specifier":
		return Class
	}
	return Struct
}

// cType returns the visit of a type with a body. One without a name makes no scope:
// its members belong to what is around it.
func cType(kind Kind) func(*extraction, syntax.Node) {
	return func(x *extraction, n syntax.Node) {
		name := x.child(n, "name")
		if name == syntax.None || x.child(n, "body") == syntax.None {
			return
		}
		d := x.newDefinition(n, name, kind)
		if x.table.spec.name == "cpp" {
			d = x.cppNamed(d, name)
			d.kind = kind
		}
		x.define(d)
	}
}

// cParameter defines a parameter of a function that is declared or defined. Those
// of a function type are only words.
func cParameter(x *extraction, n syntax.Node) {
	list := x.parent(n)
	d := definition{node: n, kind: Parameter}
	switch owner := x.parent(list); {
	case x.kind(list) == "template_parameter_list":
		d.kind = TypeParameter
		d.in = x.cppTemplate(list)
	case x.kind(owner) == "catch_clause":
		d.kind, d.local = Variable, true
	case !x.cOwnParameter(owner):
		return
	}
	found := x.cDeclarator(x.child(n, "declarator"))
	if found.name != syntax.None {
		d.name = x.rangeOf(found.name)
		x.define(d)
	}
}

// cOwnParameter reports whether the parameters of a declarator belong to the
// function whose scope is open.
func (x *extraction) cOwnParameter(owner syntax.Node) bool {
	if x.kind(x.child(owner, "declarator")) == "parenthesized_declarator" {
		return false
	}
	for range maxDeclarator {
		k := x.kind(owner)
		if !strings.HasSuffix(k, "_declarator") && k != "qualified_identifier" && k != "operator_cast" {
			return k == "lambda_expression" || x.top().kind == functionScope && x.top().node == owner
		}
		owner = x.parent(owner)
	}
	return false
}

// cMacro returns the visit of a macro, which belongs to the file wherever it
// stands.
func cMacro(kind Kind) func(*extraction, syntax.Node) {
	return func(x *extraction, n syntax.Node) {
		if name := x.child(n, "name"); name != syntax.None {
			d := x.newDefinition(n, name, kind)
			file := x.scopes[0]
			d.in, d.bodied = &file, true
			x.define(d)
		}
	}
}

// cInclude records an include, which takes everything from a file.
func cInclude(x *extraction, n syntax.Node) {
	path := x.child(n, "path")
	if path == syntax.None {
		return
	}
	r := x.rangeOf(n)
	r.End = r.Start + len(strings.TrimRight(x.content(r), "\r\n"))
	x.imports = append(x.imports, Import{
		Module: strings.Trim(x.textOf(path), "<>\""), Range: r, ModuleRange: x.rangeOf(path), Wildcard: true,
	})
}
