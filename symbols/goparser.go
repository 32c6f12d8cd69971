package symbols

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"math"

	"codeintel/symbols/syntax"
)

// Go's own parser is many times as fast as its grammar. What it reads becomes a
// tree in the kinds of the grammar, so that the table of lang_go.go says what both
// mean. The tree has only the nodes that the table looks at, and those between
// them that the table looks for.

// goNode names the kinds of nodes that are made here.
type goNode uint8

const (
	goSourceFile goNode = iota
	goComment
	goIdentifier
	goTypeIdentifier
	goFieldIdentifier
	goPackageIdentifier
	goLabelName
	goDot
	goBlank
	goDefines
	goPath
	goPackageClause
	goImportSpec
	goFunction
	goMethodDeclaration
	goTypeDeclaration
	goConstDeclaration
	goVarDeclaration
	goTypeSpec
	goTypeAlias
	goConstSpec
	goVarSpec
	goFieldDeclaration
	goMethodElem
	goParameters
	goParameterDeclaration
	goVariadicDeclaration
	goTypeParameterDeclaration
	goFunctionType
	goStructType
	goInterfaceType
	goMapType
	goSliceType
	goQualifiedType
	goExpressions
	goParenthesized
	goFuncLiteral
	goCompositeLiteral
	goLiteralValue
	goLiteralElement
	goKeyedElement
	goBlock
	goIf
	goFor
	goRange
	goSwitch
	goTypeSwitchStatement
	goSelect
	goExpressionCase
	goTypeCase
	goDefaultCase
	goCommunicationCase
	goReceive
	goShortVarDeclaration
	goNodeCount
)

// goNodeNames returns the names of the nodes in the grammar.
func goNodeNames() [goNodeCount]string {
	return [goNodeCount]string{
		goSourceFile: "source_file", goComment: "comment", goIdentifier: "identifier", goTypeIdentifier: "type_identifier",
		goFieldIdentifier: "field_identifier", goPackageIdentifier: "package_identifier", goLabelName: "label_name", goDot: "dot",
		goBlank: "blank_identifier", goDefines: ":=", goPath: "interpreted_string_literal", goPackageClause: "package_clause",
		goImportSpec: "import_spec", goFunction: "function_declaration", goMethodDeclaration: "method_declaration",
		goTypeDeclaration: "type_declaration", goConstDeclaration: "const_declaration", goVarDeclaration: "var_declaration",
		goTypeSpec: "type_spec", goTypeAlias: "type_alias", goConstSpec: "const_spec", goVarSpec: "var_spec",
		goFieldDeclaration: "field_declaration", goMethodElem: "method_elem", goParameters: "parameter_list",
		goParameterDeclaration: "parameter_declaration", goVariadicDeclaration: "variadic_parameter_declaration",
		goTypeParameterDeclaration: "type_parameter_declaration", goFunctionType: "function_type", goStructType: "struct_type",
		goInterfaceType: "interface_type", goMapType: "map_type", goSliceType: "slice_type", goQualifiedType: "qualified_type",
		goExpressions: "expression_list", goParenthesized: "parenthesized_expression", goFuncLiteral: "func_literal",
		goCompositeLiteral: "composite_literal", goLiteralValue: "literal_value", goLiteralElement: "literal_element",
		goKeyedElement: "keyed_element", goBlock: "block", goIf: "if_statement", goFor: "for_statement", goRange: "range_clause",
		goSwitch: "expression_switch_statement", goTypeSwitchStatement: "type_switch_statement", goSelect: "select_statement",
		goExpressionCase: "expression_case", goTypeCase: "type_case", goDefaultCase: "default_case",
		goCommunicationCase: "communication_case", goReceive: "receive_statement", goShortVarDeclaration: "short_var_declaration",
	}
}

// goNumbers are the numbers of the grammar.
type goNumbers struct {
	kinds [goNodeCount]syntax.Kind

	name, path, receiver, body, typ, value, left, right, alias, key, pkg syntax.Field
}

// goParser returns a parser that gives trees of the grammar.
func goParser(g *syntax.Grammar) (func(text []byte) *syntax.Tree, error) {
	n := &goNumbers{}
	for i, name := range goNodeNames() {
		kinds := g.Kinds(name, goNode(i) != goDefines)
		if len(kinds) == 0 {
			return nil, fmt.Errorf("grammar %s has no node %q", g.Name(), name)
		}
		n.kinds[i] = kinds[0]
	}
	for name, field := range map[string]*syntax.Field{
		"name": &n.name, "path": &n.path, "receiver": &n.receiver, "body": &n.body, "type": &n.typ, "value": &n.value,
		"left": &n.left, "right": &n.right, "alias": &n.alias, "key": &n.key, "package": &n.pkg,
	} {
		f, ok := g.Field(name)
		if !ok {
			return nil, fmt.Errorf("grammar %s has no field %q", g.Name(), name)
		}
		*field = f
	}
	return func(text []byte) *syntax.Tree { return n.parse(g, text) }, nil
}

// parse returns the tree of a text, nil when Go's parser finds fault with it.
func (n *goNumbers) parse(g *syntax.Grammar, text []byte) *syntax.Tree {
	files := gotoken.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	b, err := g.Build(len(text))
	if err != nil {
		return nil
	}
	t := &goTree{goNumbers: n, Builder: b, text: text, base: files.File(file.FileStart).Base(), groups: file.Comments}
	t.nextComment()
	t.file(file)
	if t.doubtful {
		return nil
	}
	return b.Tree()
}

// A goTree is a tree of one text in the making.
type goTree struct {
	*goNumbers
	*syntax.Builder
	text []byte
	base int

	// groups are the comments to come; comment is the start of the first one, line
	// its number in its group.
	groups  []*ast.CommentGroup
	line    int
	comment gotoken.Pos
	// inReceiver says that the types being added are those of a receiver.
	inReceiver bool
	// doubtful says that the grammar reads the text in another way.
	doubtful bool
}

func (t *goTree) offset(p gotoken.Pos) int { return int(p) - t.base }

// open adds a node that has others below it, and the comments before it.
func (t *goTree) open(k goNode, f syntax.Field, start, end gotoken.Pos) {
	if start > t.comment {
		t.commentsBefore(start)
	}
	t.Open(t.kinds[k], f, int(start)-t.base, int(end)-t.base)
}

// leaf adds a node without others below it, and the comments before it.
func (t *goTree) leaf(k goNode, f syntax.Field, start, end gotoken.Pos) {
	if start > t.comment {
		t.commentsBefore(start)
	}
	t.Leaf(t.kinds[k], f, int(start)-t.base, int(end)-t.base)
}

func (t *goTree) commentsBefore(p gotoken.Pos) {
	for t.comment < p {
		c := t.groups[0].List[t.line]
		start := t.offset(c.Slash)
		t.Leaf(t.kinds[goComment], 0, start, commentEnd(t.text, start, len(c.Text)))
		if t.line++; t.line == len(t.groups[0].List) {
			t.groups, t.line = t.groups[1:], 0
		}
		t.nextComment()
	}
}

// nextComment notes the start of the first comment to come.
func (t *goTree) nextComment() {
	if len(t.groups) == 0 {
		t.comment = gotoken.Pos(math.MaxInt)
		return
	}
	t.comment = t.groups[0].List[t.line].Slash
}

// commentEnd returns where a comment ends of which that many bytes are known: the
// scanner leaves carriage returns out.
func commentEnd(text []byte, start, size int) int {
	end := start + size
	block := text[start+1] == '*'
	for block && (text[end-1] != '/' || text[end-2] != '*') {
		end++
	}
	for !block && end < len(text) && text[end] != '\n' {
		end++
	}
	return end
}
