package bind

import "codeintel/symbols/syntax"

// The standard library's declarations are not read. What its lists, maps and
// promises pass on is stated here.

// libraryCall returns the type of a call of a method of the standard library; ok
// is false when the receiver is of another type.
func (l *script) libraryCall(b *Binder, call place, callee syntax.Node) (t *shape, ok bool) {
	f := call.file
	receiver := b.value(f.at(f.Child(callee, "object")))
	if receiver == nil || receiver.kind != list && receiver.kind != promise && !(receiver.kind == plain && receiver.elem != nil) {
		return nil, false
	}
	switch f.Text(f.Child(callee, "property")) {
	case "filter", "slice", "concat", "reverse", "sort", "splice", "toSorted", "toReversed", "values", "catch", "finally":
		if receiver.kind == plain {
			return &shape{kind: list, elem: receiver.elem}, true
		}
		return receiver, true
	case "find", "findLast", "pop", "shift", "at", "get":
		return receiver.elem, true
	case "map", "flatMap":
		return &shape{kind: list, elem: l.callbackResult(b, call)}, true
	case "then":
		return &shape{kind: promise, elem: awaited(l.callbackResult(b, call))}, true
	}
	return &shape{}, true
}

// callbackResult returns what the function that is a call's first argument returns.
func (l *script) callbackResult(b *Binder, call place) *shape {
	f := call.file
	fn, ok := b.functionOf(b.value(f.at(f.first(f.Child(call.node, "arguments")))))
	if !ok {
		return nil
	}
	return l.result(b, fn)
}

// libraryParameter returns the type of a parameter of a function that is given to
// a method of a list or a promise.
func (l *script) libraryParameter(b *Binder, call place, i int) (t *shape, ok bool) {
	f := call.file
	callee := f.Child(call.node, "function")
	if !f.is(callee, "member_expression") {
		return nil, false
	}
	receiver := b.value(f.at(f.Child(callee, "object")))
	if receiver == nil || receiver.elem == nil {
		return nil, false
	}
	switch f.Text(f.Child(callee, "property")) {
	case "forEach", "map", "filter", "find", "findLast", "some", "every", "flatMap", "findIndex", "then":
		if i == 0 {
			return receiver.elem, true
		}
	case "reduce":
		if i == 1 {
			return receiver.elem, true
		}
	case "sort", "toSorted":
		return receiver.elem, true
	}
	return nil, false
}
