package symbols

import (
	"maps"
	"slices"
	"sync"

	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"

	"codeintel/symbols/syntax"
)

// javascriptSyntax loads JavaScript's table, once. It is JSX's, too.
var javascriptSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	spec := scriptSpec("javascript")
	spec.language = javascript.Language()
	spec.visits["field_definition"] = scriptField("property")
	spec.visits["formal_parameters"] = javascriptParameters
	spec.kinds["field_definition"] = []Kind{Property, Method}
	spec.kinds["formal_parameters"] = []Kind{Parameter}
	spec.wrappers = append(spec.wrappers, "using_declaration")
	spec.statements = append(spec.statements, "using_declaration", "field_definition")
	return bind(spec)
})

// javascriptParameters defines the names in a parameter list.
func javascriptParameters(x *extraction, n syntax.Node) {
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		scriptBind(x, c, definition{kind: Parameter, local: true})
	}
}

// scriptSpec returns what JavaScript and TypeScript have in common, in tables of
// the caller's own.
func scriptSpec(name string) *languageSpec {
	return &languageSpec{
		name:        name,
		identifiers: maps.Clone(scriptIdentifiers),
		comments:    []string{"comment", "html_comment"},
		definitions: []definitionRow{
			{node: "function_declaration", kind: Function},
			{node: "generator_function_declaration", kind: Function},
			{node: "class_declaration", kind: Class},
		},
		visits:     scriptVisits(),
		kinds:      scriptKinds(),
		wrappers:   []string{"export_statement", "lexical_declaration", "variable_declaration", "expression_statement"},
		functions:  []string{"function_expression", "generator_function", "arrow_function", "class_static_block"},
		blocks:     []string{"statement_block", "for_statement", "for_in_statement", "catch_clause", "switch_body"},
		bodies:     []string{"method_definition"},
		plain:      []string{"array", "class_heritage", "jsx_element", "jsx_self_closing_element"},
		statements: slices.Clone(scriptStatements),
		lists: []string{
			"program", "statement_block", "class_body", "switch_body", "object", "array", "named_imports", "export_clause", "jsx_element",
		},
		immediate: scriptImmediate,
		mend:      mendScript,
	}
}

var scriptIdentifiers = map[string]Role{
	"identifier": RolePlain, "shorthand_property_identifier": RolePlain, "shorthand_property_identifier_pattern": RolePlain,
	"statement_identifier": RolePlain,
	"property_identifier":  RoleMember, "private_property_identifier": RoleMember,
}

var scriptStatements = []string{
	"import_statement", "export_statement", "function_declaration", "generator_function_declaration", "class_declaration",
	"lexical_declaration", "variable_declaration", "expression_statement", "if_statement", "else_clause", "for_statement", "for_in_statement",
	"while_statement", "do_statement", "switch_statement", "switch_case", "switch_default", "try_statement", "catch_clause", "finally_clause",
	"with_statement", "break_statement", "continue_statement", "debugger_statement", "return_statement", "throw_statement", "labeled_statement",
	"method_definition", "class_static_block", "pair", "import_specifier", "export_specifier",
}

func scriptKinds() map[string][]Kind {
	return map[string][]Kind{
		"method_definition":     {Method, Constructor, Property, Function},
		"variable_declarator":   {Variable, Constant, Function, Class},
		"pair":                  {Property, Method, Function, Variable},
		"assignment_expression": {Function, Method, Property, Variable, Class},
		"function_expression":   {Function},
		"generator_function":    {Function},
		"arrow_function":        {Parameter},
		"class":                 {Class},
		"catch_clause":          {Variable},
		"for_in_statement":      {Variable, Constant},
		"export_statement":      {Function, Class, Constant},
	}
}

func scriptVisits() map[string]func(*extraction, syntax.Node) {
	return map[string]func(*extraction, syntax.Node){
		"method_definition":     scriptMethod,
		"variable_declarator":   scriptVariable,
		"pair":                  scriptPair,
		"assignment_expression": scriptAssignment,
		"function_expression":   scriptFunction,
		"generator_function":    scriptFunction,
		"arrow_function":        scriptArrow,
		"class":                 scriptClass,
		"catch_clause":          scriptCatch,
		"for_in_statement":      scriptForIn,
		"decorator":             scriptDecorator,
		"import_statement":      scriptImport,
		"export_statement":      scriptExport,
		"call_expression":       scriptCall,
	}
}
