package symbols

import (
	"bytes"
	"sort"

	"codeintel/symbols/syntax"
)

// Bounds on what one file's errors may cost: noise that is no code at all has an
// error at every word.
const (
	maxFaultsJudged = 200
	maxFaultClimb   = 500
)

// fault records an error or a missing token and what it spoils: the smallest
// statement or member around it, less the blocks and functions in it that are
// whole; where it stands among statements, its own lines.
func (x *extraction) fault(n syntax.Node) {
	at := x.rangeOf(n)
	x.faults = append(x.faults, at)
	if len(x.faults) > maxFaultsJudged {
		x.spoil(at)
		return
	}
	spoiled := Range{0, len(x.text)}
	inner := n
	for range maxFaultClimb {
		p := x.tree.Parent(inner)
		if p == syntax.None || x.tree.IsError(p) || x.rule(p).flags&isList != 0 {
			break
		}
		spoiled = x.clip(spoiled, p, at)
		if x.rule(p).flags&isStatement != 0 {
			whole := x.rangeOf(p)
			x.broken = append(x.broken, Range{max(spoiled.Start, whole.Start), min(spoiled.End, whole.End)})
			return
		}
		inner = p
	}
	x.spoilGaps(n)
}

// clip narrows a range to what lies between the children of p, before and after a
// place, that are lists or functions of their own.
func (x *extraction) clip(r Range, p syntax.Node, at Range) Range {
	for c := x.tree.First(p); c != syntax.None; c = x.tree.Next(c) {
		if x.rule(c).flags&(isList|isFunction) == 0 {
			continue
		}
		child := x.rangeOf(c)
		if child.End <= at.Start {
			r.Start = max(r.Start, child.End)
		} else if child.Start >= at.End {
			r.End = min(r.End, child.Start)
		}
	}
	return r
}

// spoilGaps spoils an error node less the whole statements that the parser could
// still make out in it.
func (x *extraction) spoilGaps(n syntax.Node) {
	at := x.rangeOf(n)
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.rule(c).flags&isStatement == 0 || x.tree.HasError(c) {
			continue
		}
		child := x.rangeOf(c)
		x.spoil(Range{at.Start, child.Start})
		at.Start = child.End
	}
	x.spoil(at)
}

// spoil spoils the lines of a range: what an error leaves over of a statement is
// parsed as others on the same line.
func (x *extraction) spoil(r Range) {
	if x.spoiled.Covers(r) { // noise can have many errors on one long line
		return
	}
	inside := bytes.TrimSpace(x.text[r.Start:r.End])
	if len(inside) == 0 && r.Len() > 0 {
		return
	}
	if len(inside) > 0 {
		r.Start += bytes.Index(x.text[r.Start:r.End], inside[:1])
		r.End = r.Start + len(inside)
	}
	r.Start = bytes.LastIndexByte(x.text[:r.Start], '\n') + 1
	if i := bytes.IndexByte(x.text[r.End:], '\n'); i >= 0 {
		r.End += i
	} else {
		r.End = len(x.text)
	}
	x.spoiled = r
	x.broken = append(x.broken, r)
}

// merge sorts ranges and joins those that meet.
func merge(all []Range) []Range {
	sort.Slice(all, func(i, j int) bool { return all[i].Start < all[j].Start })
	out := all[:0]
	for _, r := range all {
		if len(out) > 0 && r.Start <= out[len(out)-1].End {
			out[len(out)-1].End = max(out[len(out)-1].End, r.End)
			continue
		}
		out = append(out, r)
	}
	return out
}
