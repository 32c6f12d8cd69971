package symbols

import (
	"go/ast"
	gotoken "go/token"

	"codeintel/symbols/syntax"
)

// file adds a file.
func (t *goTree) file(f *ast.File) {
	t.open(goSourceFile, 0, f.Package, f.FileEnd)
	t.open(goPackageClause, 0, f.Package, f.Name.End())
	t.ident(goPackageIdentifier, 0, f.Name)
	t.Close()
	for _, d := range f.Decls {
		t.declaration(d)
	}
	t.Close()
}

func (t *goTree) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.GenDecl:
		t.general(d)
	case *ast.FuncDecl:
		kind := goFunction
		if d.Recv != nil {
			kind = goMethodDeclaration
		}
		t.open(kind, 0, d.Pos(), d.End())
		if d.Recv != nil {
			t.inReceiver = true
			t.parameters(d.Recv, t.receiver)
			t.inReceiver = false
			t.ident(goFieldIdentifier, t.name, d.Name)
		} else {
			t.ident(goIdentifier, t.name, d.Name)
		}
		t.signature(d.Type)
		t.body(d.Body)
		t.Close()
	default:
		t.doubtful = true
	}
}

// general adds a declaration of imports, types, constants or variables. One with
// parentheses is no node: it belongs to no single definition.
func (t *goTree) general(d *ast.GenDecl) {
	kind, spec := goTypeDeclaration, goNode(0)
	switch d.Tok {
	case gotoken.CONST:
		kind, spec = goConstDeclaration, goConstSpec
	case gotoken.VAR:
		kind, spec = goVarDeclaration, goVarSpec
	}
	single := !d.Lparen.IsValid() && d.Tok != gotoken.IMPORT
	if single {
		t.open(kind, 0, d.TokPos, d.End())
	}
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.ImportSpec:
			t.importSpec(s)
		case *ast.TypeSpec:
			t.typeSpec(s)
		case *ast.ValueSpec:
			t.valueSpec(spec, s)
		}
	}
	if single {
		t.Close()
	}
}

func (t *goTree) importSpec(s *ast.ImportSpec) {
	t.open(goImportSpec, 0, s.Pos(), s.Path.End())
	if s.Name != nil {
		kind := goPackageIdentifier
		switch s.Name.Name {
		case ".":
			kind = goDot
		case "_":
			kind = goBlank
		}
		t.ident(kind, t.name, s.Name)
	}
	t.leaf(goPath, t.path, s.Path.Pos(), s.Path.End())
	t.Close()
}

func (t *goTree) typeSpec(s *ast.TypeSpec) {
	kind := goTypeSpec
	if s.Assign.IsValid() {
		kind = goTypeAlias
	}
	t.open(kind, 0, s.Pos(), s.End())
	t.ident(goTypeIdentifier, t.name, s.Name)
	t.typeParameters(s.TypeParams)
	t.typeNode(s.Type, t.typ)
	t.Close()
}

func (t *goTree) valueSpec(kind goNode, s *ast.ValueSpec) {
	t.open(kind, 0, s.Pos(), s.End())
	for _, name := range s.Names {
		t.ident(goIdentifier, t.name, name)
	}
	if s.Type != nil {
		t.typeNode(s.Type, t.typ)
	}
	t.list(s.Values, t.value)
	t.Close()
}

// signature adds the parameters and results of a function.
func (t *goTree) signature(f *ast.FuncType) {
	t.typeParameters(f.TypeParams)
	t.parameters(f.Params, 0)
	switch {
	case f.Results == nil:
	case f.Results.Opening.IsValid():
		t.parameters(f.Results, 0)
	default:
		t.types(f.Results.List[0].Type)
	}
}

func (t *goTree) typeParameters(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		t.named(goTypeParameterDeclaration, goIdentifier, f)
	}
}

func (t *goTree) parameters(list *ast.FieldList, field syntax.Field) {
	t.open(goParameters, field, list.Pos(), list.End())
	for _, f := range list.List {
		kind := goParameterDeclaration
		if _, ok := f.Type.(*ast.Ellipsis); ok {
			kind = goVariadicDeclaration
		}
		t.named(kind, goIdentifier, f)
	}
	t.Close()
}

// named adds the names of a field, a parameter or a type parameter with its type.
func (t *goTree) named(kind, name goNode, f *ast.Field) {
	if len(f.Names) == 0 { // an embedded type, a parameter without a name
		t.types(f.Type)
		return
	}
	t.open(kind, 0, f.Pos(), f.End())
	for _, id := range f.Names {
		t.ident(name, t.name, id)
	}
	t.typeNode(f.Type, t.typ)
	t.Close()
}

func (t *goTree) methods(list *ast.FieldList) {
	for _, f := range list.List {
		signature, ok := f.Type.(*ast.FuncType)
		if len(f.Names) == 0 || !ok {
			t.types(f.Type)
			continue
		}
		t.open(goMethodElem, 0, f.Pos(), f.End())
		t.ident(goFieldIdentifier, t.name, f.Names[0])
		t.signature(signature)
		t.Close()
	}
}

// typeNode adds a type as just one node, in a field that the table looks for.
func (t *goTree) typeNode(e ast.Expr, field syntax.Field) {
	kind := goParenthesized
	switch e := e.(type) {
	case *ast.Ident:
		t.ident(goTypeIdentifier, field, e)
		return
	case *ast.StructType:
		kind = goStructType
	case *ast.InterfaceType:
		kind = goInterfaceType
	case *ast.MapType:
		kind = goMapType
	case *ast.ArrayType:
		kind = goSliceType
	case *ast.FuncType: // is a node anyway, but needs the field
		t.functionType(e, field)
		return
	}
	t.open(kind, field, e.Pos(), e.End())
	t.types(e)
	t.Close()
}

func (t *goTree) functionType(f *ast.FuncType, field syntax.Field) {
	t.open(goFunctionType, field, f.Pos(), f.Pos())
	t.signature(f)
	t.Close()
}

// types adds the names in a type.
func (t *goTree) types(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		t.ident(goTypeIdentifier, 0, e)
	case *ast.SelectorExpr:
		t.qualified(e)
	case *ast.StarExpr:
		t.types(e.X)
	case *ast.ParenExpr:
		t.types(e.X)
	case *ast.UnaryExpr: // ~T
		t.types(e.X)
	case *ast.BinaryExpr: // A | B
		t.types(e.X)
		t.types(e.Y)
	case *ast.IndexExpr:
		t.types(e.X)
		t.types(e.Index)
	case *ast.IndexListExpr:
		t.types(e.X)
		for _, a := range e.Indices {
			t.types(a)
		}
	case *ast.Ellipsis:
		t.types(e.Elt)
	case *ast.ArrayType:
		if e.Len != nil {
			t.expression(e.Len)
		}
		t.types(e.Elt)
	case *ast.MapType:
		t.types(e.Key)
		t.types(e.Value)
	case *ast.ChanType:
		t.types(e.Value)
	case *ast.FuncType:
		t.functionType(e, 0)
	case *ast.StructType:
		for _, f := range e.Fields.List {
			t.named(goFieldDeclaration, goFieldIdentifier, f)
		}
	case *ast.InterfaceType:
		t.methods(e.Methods)
	default:
		t.expression(e)
	}
}

// qualified adds a type of another package.
func (t *goTree) qualified(e *ast.SelectorExpr) {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		t.doubtful = true
		return
	}
	t.ident(goPackageIdentifier, 0, id)
	if !t.inReceiver { // a member either way
		t.ident(goFieldIdentifier, 0, e.Sel)
		return
	}
	t.open(goQualifiedType, 0, e.Pos(), e.End())
	t.ident(goTypeIdentifier, t.name, e.Sel)
	t.Close()
}

// list adds expressions as one node, in a field that the table looks for. Each is
// one node below it, unless it has no names.
func (t *goTree) list(all []ast.Expr, field syntax.Field) {
	if len(all) == 0 {
		return
	}
	t.open(goExpressions, field, all[0].Pos(), all[len(all)-1].End())
	for _, e := range all {
		t.element(e)
	}
	t.Close()
}

// element adds an expression as one node.
func (t *goTree) element(e ast.Expr) {
	switch e.(type) {
	case *ast.Ident, *ast.FuncLit, *ast.BasicLit:
		t.expression(e)
		return
	}
	t.open(goParenthesized, 0, e.Pos(), e.End())
	t.expression(e)
	t.Close()
}

func (t *goTree) expressions(all []ast.Expr) {
	for _, e := range all {
		t.expression(e)
	}
}

// expression adds the names in an expression, and the functions and literals.
func (t *goTree) expression(e ast.Expr) {
	switch e := e.(type) {
	case nil, *ast.BasicLit:
	case *ast.Ident:
		t.word(e)
	case *ast.SelectorExpr:
		t.expression(e.X)
		t.ident(goFieldIdentifier, 0, e.Sel)
	case *ast.CallExpr:
		t.call(e)
	case *ast.FuncLit:
		t.open(goFuncLiteral, 0, e.Pos(), e.End())
		t.signature(e.Type)
		t.body(e.Body)
		t.Close()
	case *ast.CompositeLit:
		t.composite(e)
	case *ast.ParenExpr:
		t.expression(e.X)
	case *ast.StarExpr:
		t.expression(e.X)
	case *ast.UnaryExpr:
		t.expression(e.X)
	case *ast.BinaryExpr:
		t.expression(e.X)
		t.expression(e.Y)
	case *ast.IndexExpr:
		t.expression(e.X)
		t.expression(e.Index)
	case *ast.IndexListExpr:
		t.expression(e.X)
		t.expressions(e.Indices)
	case *ast.SliceExpr:
		t.expression(e.X)
		t.expression(e.Low)
		t.expression(e.High)
		t.expression(e.Max)
	case *ast.TypeAssertExpr:
		t.expression(e.X)
		if e.Type != nil {
			t.types(e.Type)
		}
	case *ast.Ellipsis:
		t.expression(e.Elt)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		t.types(e)
	default:
		t.doubtful = true
	}
}

// call adds a call. The first argument of new and make is a type to the grammar.
func (t *goTree) call(e *ast.CallExpr) {
	t.expression(e.Fun)
	args := e.Args
	if f, ok := e.Fun.(*ast.Ident); ok && len(args) > 0 && (f.Name == "new" || f.Name == "make") {
		if id, ok := args[0].(*ast.Ident); ok {
			t.ident(goTypeIdentifier, 0, id)
			args = args[1:]
		}
	}
	t.expressions(args)
}

// word adds a name in an expression. Some predeclared ones are no names to the
// grammar there.
func (t *goTree) word(id *ast.Ident) {
	switch id.Name {
	case "nil", "true", "false", "iota":
	default:
		t.ident(goIdentifier, 0, id)
	}
}

func (t *goTree) ident(kind goNode, field syntax.Field, id *ast.Ident) {
	t.leaf(kind, field, id.NamePos, id.NamePos+gotoken.Pos(len(id.Name)))
}

// composite adds a literal, or a part of one that leaves its type out.
func (t *goTree) composite(e *ast.CompositeLit) {
	if e.Type != nil {
		t.open(goCompositeLiteral, 0, e.Pos(), e.End())
		t.typeNode(e.Type, t.typ)
	}
	t.open(goLiteralValue, 0, e.Lbrace, e.Rbrace+1)
	for _, e := range e.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			t.expression(e)
			continue
		}
		t.open(goKeyedElement, 0, pair.Pos(), pair.End())
		t.open(goLiteralElement, t.key, pair.Key.Pos(), pair.Key.End())
		t.element(pair.Key)
		t.Close()
		t.expression(pair.Value)
		t.Close()
	}
	t.Close()
	if e.Type != nil {
		t.Close()
	}
}

// body adds the block of a function.
func (t *goTree) body(b *ast.BlockStmt) {
	if b != nil {
		t.block(b, t.goNumbers.body)
	}
}

func (t *goTree) block(b *ast.BlockStmt, field syntax.Field) {
	t.open(goBlock, field, b.Pos(), b.End())
	t.statements(b.List)
	t.Close()
}

func (t *goTree) statements(all []ast.Stmt) {
	for _, s := range all {
		t.statement(s)
	}
}

func (t *goTree) statement(s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.ExprStmt:
		t.expression(s.X)
	case *ast.AssignStmt:
		t.assignment(s)
	case *ast.ReturnStmt:
		t.expressions(s.Results)
	case *ast.IfStmt:
		t.open(goIf, 0, s.If, s.If) // its end may be thousands of statements away
		t.statement(s.Init)
		t.expression(s.Cond)
		t.statement(s.Body)
		t.statement(s.Else)
		t.Close()
	case *ast.BlockStmt:
		t.block(s, 0)
	case *ast.ForStmt:
		t.open(goFor, 0, s.For, s.End())
		t.statement(s.Init)
		t.expression(s.Cond)
		t.statement(s.Post)
		t.statement(s.Body)
		t.Close()
	case *ast.RangeStmt:
		t.rangeStatement(s)
	case *ast.DeclStmt:
		t.declaration(s.Decl)
	case *ast.DeferStmt:
		t.expression(s.Call)
	case *ast.GoStmt:
		t.expression(s.Call)
	case *ast.IncDecStmt:
		t.expression(s.X)
	case *ast.SendStmt:
		t.expression(s.Chan)
		t.expression(s.Value)
	case *ast.BranchStmt:
		if s.Label != nil {
			t.ident(goLabelName, 0, s.Label)
		}
	case *ast.LabeledStmt:
		t.ident(goLabelName, 0, s.Label)
		t.statement(s.Stmt)
	default:
		t.choice(s)
	}
}

// choice adds a switch or a select statement.
func (t *goTree) choice(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.SwitchStmt:
		t.open(goSwitch, 0, s.Switch, s.End())
		t.statement(s.Init)
		t.expression(s.Tag)
		t.cases(s.Body, goExpressionCase)
		t.Close()
	case *ast.TypeSwitchStmt:
		t.open(goTypeSwitchStatement, 0, s.Switch, s.End())
		t.statement(s.Init)
		switch guard := s.Assign.(type) {
		case *ast.AssignStmt:
			t.list(guard.Lhs, t.alias)
			t.expressions(guard.Rhs)
		default:
			t.statement(guard)
		}
		t.cases(s.Body, goTypeCase)
		t.Close()
	case *ast.SelectStmt:
		t.open(goSelect, 0, s.Select, s.End())
		t.cases(s.Body, goCommunicationCase)
		t.Close()
	default:
		t.doubtful = true
	}
}

// cases adds the cases of a switch or a select statement.
func (t *goTree) cases(body *ast.BlockStmt, kind goNode) {
	for _, s := range body.List {
		switch c := s.(type) {
		case *ast.CaseClause:
			t.openCase(c, kind, c.List == nil)
			for _, e := range c.List {
				if kind == goTypeCase {
					t.types(e)
				} else {
					t.expression(e)
				}
			}
			t.statements(c.Body)
		case *ast.CommClause:
			t.openCase(c, kind, c.Comm == nil)
			t.communication(c.Comm)
			t.statements(c.Body)
		}
		t.Close()
	}
}

func (t *goTree) openCase(c ast.Stmt, kind goNode, isDefault bool) {
	if isDefault {
		kind = goDefaultCase
	}
	t.open(kind, 0, c.Pos(), c.Pos())
}

func (t *goTree) communication(s ast.Stmt) {
	received, ok := s.(*ast.AssignStmt)
	if !ok || received.Tok != gotoken.DEFINE {
		t.statement(s)
		return
	}
	t.received(goReceive, received.Lhs, received.Pos(), received.End(), received.TokPos)
	t.expressions(received.Rhs)
	t.Close()
}

func (t *goTree) assignment(s *ast.AssignStmt) {
	if s.Tok != gotoken.DEFINE {
		t.expressions(s.Lhs)
		t.expressions(s.Rhs)
		return
	}
	t.open(goShortVarDeclaration, 0, s.Pos(), s.End())
	t.list(s.Lhs, t.left)
	t.list(s.Rhs, t.right)
	t.Close()
}

func (t *goTree) rangeStatement(s *ast.RangeStmt) {
	t.open(goFor, 0, s.For, s.End())
	left := make([]ast.Expr, 0, 2)
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil {
			left = append(left, e)
		}
	}
	if s.Tok == gotoken.DEFINE {
		t.received(goRange, left, s.Key.Pos(), s.X.End(), s.TokPos)
		t.expression(s.X)
		t.Close()
	} else {
		t.expressions(left)
		t.expression(s.X)
	}
	t.statement(s.Body)
	t.Close()
}

// received opens a node that defines what stands left of its :=.
func (t *goTree) received(kind goNode, left []ast.Expr, start, end, define gotoken.Pos) {
	t.open(kind, 0, start, end)
	t.list(left, t.left)
	t.leaf(goDefines, 0, define, define+2)
}
