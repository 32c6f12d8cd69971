package symbols

import (
	"bytes"
	"strings"
	"sync"

	haskell "github.com/tree-sitter/tree-sitter-haskell/bindings/go"

	"codeintel/symbols/syntax"
)

// haskellSyntax loads Haskell's table, once.
var haskellSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "haskell",
		language: haskell.Language(),
		notes: "A type signature and the equations that follow it are one definition. " +
			"Outside of functions no difference is made between a function and a value, as the language makes none. " +
			"A type with one constructor is a struct, with several an enum. The methods of an instance belong to its type; " +
			"the instance is no symbol. Operators are definitions but no identifiers.",
		identifiers: map[string]Role{
			"variable": RolePlain, "constructor": RolePlain, "name": RolePlain, "module_id": RolePlain,
		},
		members:  []string{"qualified.id", "projection.field", "field_update.field"},
		marks:    strings.Trim(punctuation, "'"),
		comments: []string{"comment", "haddock"},
		whole:    true,
		visits: map[string]func(*extraction, syntax.Node){
			"header":              haskellHeader,
			"import":              haskellImport,
			"data_type":           haskellData,
			"newtype":             haskellData,
			"class":               haskellClass,
			"instance":            haskellInstance,
			"type_synomym":        haskellType,
			"type_family":         haskellType,
			"data_family":         haskellType,
			"data_constructor":    haskellConstructor,
			"newtype_constructor": haskellConstructor,
			"gadt_constructor":    haskellConstructor,
			"field":               haskellField,
			"signature":           haskellDeclaration,
			"function":            haskellDeclaration,
			"bind":                haskellDeclaration,
			"default_signature":   haskellDefault,
			"foreign_import":      haskellForeign,
			"pattern_synonym":     haskellSynonym,
			"patterns":            haskellParameters,
			"alternative":         haskellAlternative,
			"generator":           haskellAlternative,
		},
		kinds: map[string][]Kind{
			"header":              {Namespace},
			"data_type":           {Type, Struct, Enum},
			"newtype":             {Struct},
			"class":               {Interface},
			"type_synomym":        {Type},
			"type_family":         {Type},
			"data_family":         {Type},
			"data_constructor":    {EnumMember},
			"newtype_constructor": {EnumMember},
			"gadt_constructor":    {EnumMember},
			"field":               {Field},
			"signature":           {Function, Method},
			"function":            {Function, Method, Parameter},
			"bind":                {Function, Method, Variable},
			"foreign_import":      {Function},
			"pattern_synonym":     {Function},
			"patterns":            {Parameter},
			"alternative":         {Variable},
			"generator":           {Variable},
		},
		functions: []string{"lambda"},
		blocks:    []string{"let_in", "do", "alternative", "list_comprehension"},
		statements: []string{
			"import", "data_type", "newtype", "data_instance", "class", "instance", "type_synomym", "type_family", "type_instance", "data_family",
			"data_constructor", "gadt_constructor", "field", "signature", "function", "bind", "default_signature", "foreign_import",
			"pattern_synonym", "fixity", "deriving_instance", "alternative", "exp", "let",
		},
		lists: []string{
			"haskell", "imports", "declarations", "class_declarations", "instance_declarations", "local_binds", "do", "alternatives",
			"data_constructors", "gadt_constructors", "fields",
		},
	})
})

// haskellHeader defines the module of the file: A.B is B in A.
func haskellHeader(x *extraction, n syntax.Node) {
	name := x.child(n, "module")
	if name == syntax.None {
		return
	}
	path := x.textOf(name)
	x.pkg = path
	d := definition{node: n, kind: Namespace, name: x.rangeOf(name)}
	container, last, _ := cutLast(path)
	if tooDeep(container) {
		return
	}
	d.name.Start = d.name.End - len(last)
	d.container = &container
	x.define(d)
}

// haskellImport records an import. Without a list all names are taken, hidden ones
// apart, unless it is qualified.
func haskellImport(x *extraction, n syntax.Node) {
	module := x.child(n, "module")
	if module == syntax.None {
		return
	}
	x.importing = x.tree.After(n)
	im := Import{Module: x.textOf(module), Range: x.rangeOf(n), ModuleRange: x.rangeOf(module)}
	names, hidden := x.child(n, "names"), x.has(n, "hiding")
	if names != syntax.None && !hidden {
		for c := x.tree.First(names); c != syntax.None; c = x.tree.Next(c) {
			if x.kind(c) == "import_name" {
				if id := x.firstNamed(c); id != syntax.None {
					im.Names = append(im.Names, ImportName{Name: strings.Trim(x.textOf(id), "()"), Range: x.rangeOf(c)})
				}
			}
		}
	} else {
		im.Wildcard = !x.has(n, "qualified")
	}
	if alias := x.child(n, "alias"); alias != syntax.None {
		im.Names = append(im.Names, ImportName{Name: "*", Alias: x.textOf(alias), Range: x.rangeOf(alias)})
	} else if !im.Wildcard && names == syntax.None {
		im.Names = append(im.Names, ImportName{Name: "*", Alias: im.Module, Range: im.ModuleRange})
	}
	x.imports = append(x.imports, im)
}

// haskellData defines a data type: an enum when it has several constructors, a
// struct when it has one. An instance of a data family only adds constructors.
func haskellData(x *extraction, n syntax.Node) {
	d := definition{node: n, kind: Type}
	if k := x.kind(x.parent(n)); k == "data_instance" {
		x.open(typeScope, n, x.textOf(x.child(n, "name")))
		return
	}
	if x.kind(n) == "newtype" {
		d.kind = Struct
	} else if all := x.child(n, "constructors"); all != syntax.None {
		d.kind = Struct
		if first := x.firstNamed(all); first != syntax.None && x.nextNamed(first) != syntax.None {
			d.kind = Enum
		}
	}
	x.haskellDefine(d)
}

func haskellClass(x *extraction, n syntax.Node) {
	x.haskellDefine(definition{node: n, kind: Interface})
}

func haskellType(x *extraction, n syntax.Node) { x.haskellDefine(definition{node: n, kind: Type}) }

// haskellDefine defines what has its name in the field of that name, or is an
// operator between its parameters.
func (x *extraction) haskellDefine(d definition) {
	if d.name = x.haskellName(d.node); d.name.Len() > 0 {
		x.define(d)
	}
}

// haskellName returns the place of a declaration's name.
func (x *extraction) haskellName(n syntax.Node) Range {
	name := x.child(n, "name")
	if name == syntax.None {
		if infix := x.childOfKind(n, "infix"); infix != syntax.None {
			name = x.child(infix, "operator")
		}
	}
	switch x.kind(name) {
	case "":
		return Range{}
	case "prefix_id", "infix_id":
		if name = x.firstNamed(name); name == syntax.None {
			return Range{}
		}
	}
	return x.rangeOf(name)
}

// haskellInstance opens an instance. What it defines belongs to its type, to the
// class where the type has no name.
func haskellInstance(x *extraction, n syntax.Node) {
	container := x.textOf(x.child(n, "name"))
	if patterns := x.child(n, "patterns"); patterns != syntax.None {
		last := syntax.None
		for c := x.tree.First(patterns); c != syntax.None; c = x.tree.Next(c) {
			last = c
		}
		for c := last; c != syntax.None && c < x.tree.After(last); c++ {
			if x.kind(c) == "name" {
				container = x.textOf(c)
				break
			}
		}
	}
	x.open(typeScope, n, "")
	x.top().path, x.top().depth = container, 1
}

// haskellConstructor defines a constructor of a data type.
func haskellConstructor(x *extraction, n syntax.Node) {
	d := definition{node: n, kind: EnumMember, span: x.barred(n)}
	d.name = x.haskellName(n)
	if inner := x.child(n, "constructor"); inner != syntax.None && d.name.Len() == 0 {
		if d.name = x.haskellName(inner); d.name.Len() == 0 {
			if operator := x.child(inner, "operator"); operator != syntax.None {
				d.name = x.rangeOf(operator)
			}
		}
	}
	if d.name.Len() > 0 {
		x.define(d)
	}
}

// barred returns the range of a constructor with the mark before it where the mark
// begins the line, so that the comment above is the constructor's.
func (x *extraction) barred(n syntax.Node) Range {
	r := x.rangeOf(n)
	at := len(bytes.TrimRight(x.text[:r.Start], " \t\r\n")) - 1
	if at >= 0 && (x.text[at] == '|' || x.text[at] == '=') && startsLine(x.text, at) {
		r.Start = at
	}
	return r
}

// haskellField defines the fields of a line, each once however many constructors
// have it.
func haskellField(x *extraction, n syntax.Node) {
	var names []syntax.Node
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) == "field_name" {
			names = append(names, c)
		}
	}
	for _, name := range names {
		d := x.newDefinition(n, name, Field)
		d.once = true
		if len(names) > 1 {
			d.node, d.alone = name, true
		}
		x.define(d)
	}
}

// haskellDeclaration defines a function or a value at the first of its signature
// and equations; the others only open their scope.
func haskellDeclaration(x *extraction, n syntax.Node) {
	if pattern := x.child(n, "pattern"); pattern != syntax.None {
		x.haskellBind(pattern, Variable)
		return
	}
	d := definition{node: n, kind: Function, name: x.haskellName(n)}
	if names := x.child(n, "names"); names != syntax.None {
		x.haskellSignatures(names)
		return
	}
	if d.name.Len() == 0 {
		return
	}
	if x.taken(n) {
		x.open(functionScope, n, x.content(d.name))
	} else {
		x.haskellGroup(&d)
		x.define(d)
	}
	if infix := x.childOfKind(n, "infix"); infix != syntax.None {
		x.haskellBind(x.child(infix, "left_operand"), Parameter)
		x.haskellBind(x.child(infix, "right_operand"), Parameter)
	}
}

// haskellGroup completes a definition with what follows it under its name.
func (x *extraction) haskellGroup(d *definition) {
	name := x.content(d.name)
	d.span = x.rangeOf(d.node)
	d.signature = x.kind(d.node) == "signature"
	var group []syntax.Node
	for c := x.tree.Next(d.node); c != syntax.None; c = x.tree.Next(c) {
		kind := x.kind(c)
		if kind == "comment" || kind == "haddock" || kind == "pragma" || !x.tree.Named(c) {
			continue
		}
		if r := x.haskellName(c); kind != "function" && kind != "bind" || r.Len() == 0 || x.content(r) != name {
			break
		}
		group = append(group, c)
		d.span.End, d.signature = x.tree.End(c), false
	}
	for i := len(group) - 1; i >= 0; i-- {
		x.take(group[i])
	}
	value := x.kind(d.node) == "bind" || len(group) > 0 && x.kind(group[0]) == "bind"
	switch top := x.top(); {
	case top.kind == typeScope:
		d.kind = Method
	case top.inFunction && value && x.child(d.node, "type") == syntax.None:
		d.kind = Variable
	}
}

// haskellSignatures defines the methods of a class that share a signature. Other
// names that share one have their equations below.
func (x *extraction) haskellSignatures(names syntax.Node) {
	in := *x.top()
	if in.kind != typeScope {
		return
	}
	for c := x.tree.First(names); c != syntax.None; c = x.tree.Next(c) {
		if x.tree.Named(c) {
			d := x.newDefinition(c, c, Method)
			d.in, d.alone, d.signature = &in, true, true
			x.define(d)
		}
	}
}

// haskellDefault passes over the second signature of a method.
func haskellDefault(x *extraction, n syntax.Node) {
	if s := x.child(n, "signature"); s != syntax.None {
		x.take(s)
	}
}

func haskellForeign(x *extraction, n syntax.Node) {
	s := x.child(n, "signature")
	if s == syntax.None {
		return
	}
	x.take(s)
	if r := x.haskellName(s); r.Len() > 0 {
		x.define(definition{node: n, kind: Function, name: r, signature: true})
	}
}

// haskellSynonym defines pattern P x = ...
func haskellSynonym(x *extraction, n syntax.Node) {
	equation := x.childOfKind(n, "equation")
	synonym := x.child(equation, "synonym")
	if synonym == syntax.None {
		return
	}
	for c := synonym; c < x.tree.After(synonym); c++ {
		if x.kind(c) == "constructor" {
			x.define(x.newDefinition(n, c, Function))
			return
		}
	}
}

func haskellParameters(x *extraction, n syntax.Node) { x.haskellBind(n, Parameter) }

func haskellAlternative(x *extraction, n syntax.Node) {
	x.haskellBind(x.child(n, "pattern"), Variable)
}

// haskellBind defines the variables in a pattern. The function of a view pattern,
// a type and the name of a field bind nothing.
func (x *extraction) haskellBind(pattern syntax.Node, kind Kind) {
	if pattern == syntax.None {
		return
	}
	expression, typ := x.field("expression"), x.field("type")
	for c := pattern; c < x.tree.After(pattern); {
		if f := x.tree.Field(c); c != pattern && f != 0 && (f == typ || f == expression && x.kind(x.parent(c)) == "view_pattern") {
			c = x.tree.After(c)
			continue
		}
		if x.kind(c) == "variable" && x.kind(x.parent(c)) != "field_name" {
			d := x.newDefinition(c, c, kind)
			d.once, d.alone = true, true
			x.define(d)
		}
		c++
	}
}
