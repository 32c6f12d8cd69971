package symbols

// Kind says what a symbol is.
type Kind string

// The kinds of symbols.
const (
	Function      Kind = "function"
	Method        Kind = "method"
	Constructor   Kind = "constructor"
	Property      Kind = "property"
	Field         Kind = "field"
	Variable      Kind = "variable"
	Constant      Kind = "constant"
	Class         Kind = "class"
	Interface     Kind = "interface"
	Struct        Kind = "struct"
	Enum          Kind = "enum"
	EnumMember    Kind = "enum member"
	Type          Kind = "type"
	Namespace     Kind = "namespace"
	Parameter     Kind = "parameter"
	TypeParameter Kind = "type parameter"
	// Section is a heading with the text below it.
	Section Kind = "section"
)

// IsType reports whether a kind is a type: class, interface, struct, enum, or a
// named type of another sort.
func (k Kind) IsType() bool {
	switch k {
	case Class, Interface, Struct, Enum, Type:
		return true
	}
	return false
}

// IsCallable reports whether a kind is always callable. A property or a variable
// may be, too: see [Symbol.Callable].
func (k Kind) IsCallable() bool {
	return k == Function || k == Method || k == Constructor
}

// A Symbol is a definition.
type Symbol struct {
	// Name is the bare name. A quoted name is without quotes, a computed one as
	// written ("[Symbol.iterator]"), an unnamed default export is "default".
	Name string
	// Container is the qualified name of what the symbol belongs to: "Command" for
	// a Go method of Command or *Command, "Outer.Inner" for a member of a class in a
	// namespace, "f" for what function f holds; "" for the file itself.
	Container string
	// Kind says what is defined.
	Kind Kind
	// Range is the whole definition: with the comment directly above, decorators
	// and the export keyword. One of several names declared together has only its
	// own part.
	Range Range
	// Selection is the name.
	Selection Range
	// Header is the offset where the definition begins after its comment: at the
	// first decorator or keyword.
	Header int
	// Scope tells places of one container apart: it is equal for names of one block
	// or function and 0 for what can be reached by its qualified name alone. Two
	// symbols of the same name are parts of one (overloads, merged declarations)
	// only when Container and Scope agree; see [Symbol.SameAs].
	Scope int
	// Local reports that the symbol is a variable, parameter or the like inside a
	// function, or something inside a function without a name: no qualified name
	// reaches it from outside.
	Local bool
	// Signature reports that this is callable but has no body: an overload
	// signature, an interface method, an ambient declaration.
	Signature bool
	// Callable reports that the symbol is a function in one of its forms: also an
	// accessor, or a property that is bound to a function.
	Callable bool
}

// IsCallable reports whether the symbol is a function in one of its forms.
func (s Symbol) IsCallable() bool { return s.Callable }

// IsType reports whether the symbol is a type.
func (s Symbol) IsType() bool { return s.Kind.IsType() }

// SameAs reports whether both are parts of one symbol of a document, such as
// overloads or merged declarations.
func (s Symbol) SameAs(t Symbol) bool {
	return s.Name == t.Name && s.Container == t.Container && s.Scope == t.Scope
}

// Qualified returns the name with its container: "Command.AddCommand".
func (s Symbol) Qualified() string { return qualify(s.Container, s.Name) }

func qualify(container, name string) string {
	if container == "" {
		return name
	}
	return container + "." + name
}

// Role says how an identifier is used, as far as syntax alone tells.
type Role uint8

// The roles of identifiers.
const (
	// RolePlain is a name that is looked up in the scopes around it.
	RolePlain Role = iota
	// RoleMember is a name looked up in something else: after a dot, the key of an
	// object or of a struct literal, a keyword argument, a JSX attribute.
	RoleMember
	// RoleDeclaration is the name of a symbol, where it is defined.
	RoleDeclaration
	// RoleImport is a name in an import, or in an export from another module.
	RoleImport
)

// String returns the role's name.
func (r Role) String() string {
	return [...]string{"plain", "member", "declaration", "import"}[r&3]
}

// An Identifier is a name in the text, at its definition or at a use.
type Identifier struct {
	Range Range
	Role  Role
}

// An Import is one module that a document names: by an import or an export from
// it, by require or by a dynamic import.
type Import struct {
	// Module is the module as written, without quotes: "./a", "node:fs", "net/http",
	// ".pkg.mod".
	Module string
	// Range is the statement; in a Go import block the one line of the module. For
	// a call (require, dynamic import) that declares nothing it is the call.
	Range Range
	// ModuleRange is the module as written, with its quotes.
	ModuleRange Range
	// Names are the names taken from the module.
	Names []ImportName
	// Wildcard reports that all names are taken: from m import *, export * from, a
	// Go dot import.
	Wildcard bool
	// Export reports that the names are exported again.
	Export bool
}

// An ImportName is one name that an import takes.
type ImportName struct {
	// Name is the name in the module: "default" for a default import, "*" for the
	// module as a whole.
	Name string
	// Alias is the name in this document where it differs from Name.
	Alias string
	// Range is the name with its alias.
	Range Range
}
