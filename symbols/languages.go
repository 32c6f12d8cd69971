package symbols

import (
	"maps"
	"slices"
)

// LanguageInfo says what an outline of a language is made of, as its table has it.
type LanguageInfo struct {
	// Language is the identifier of the language.
	Language Language
	// Endings are the endings of its files in lower case, with the dot, or whole
	// names of files.
	Endings []string
	// Notes says what the table cannot; it may be empty.
	Notes string
	// Definitions has the nodes of the grammar that define something, by name.
	Definitions []NodeKinds
	// Identifiers has the nodes that are names, by name.
	Identifiers []NodeRole
	// Comments are the nodes that a definition directly below takes as its own.
	Comments []string
}

// NodeKinds says what a node of a grammar may define.
type NodeKinds struct {
	// Node is the name that the grammar gives the node.
	Node string
	// Kinds are the kinds of symbols that it may define, the usual one first.
	Kinds []Kind
}

// NodeRole says what a node that is an identifier is where nothing else is known.
type NodeRole struct {
	// Node is the name that the grammar gives the node.
	Node string
	// Role is the role.
	Role Role
}

// Languages describes the languages that have a grammar, in a fixed order. An
// error means that a table and its grammar do not agree.
func Languages() ([]LanguageInfo, error) {
	var out []LanguageInfo
	for _, row := range languages {
		if row.syntax == nil {
			continue
		}
		table, err := row.syntax()
		if err != nil {
			return nil, err
		}
		spec := table.spec
		info := LanguageInfo{Language: row.language, Endings: slices.Clone(row.endings), Notes: spec.notes, Comments: slices.Sorted(slices.Values(spec.comments))}
		kinds := spec.defines()
		for _, node := range slices.Sorted(maps.Keys(kinds)) {
			info.Definitions = append(info.Definitions, NodeKinds{node, kinds[node]})
		}
		for _, node := range slices.Sorted(maps.Keys(spec.identifiers)) {
			info.Identifiers = append(info.Identifiers, NodeRole{node, spec.identifiers[node]})
		}
		out = append(out, info)
	}
	return out, nil
}

// defines returns the kinds that each node defines, by rows or by visits.
func (spec *languageSpec) defines() map[string][]Kind {
	out := maps.Clone(spec.kinds)
	if out == nil {
		out = map[string][]Kind{}
	}
	for _, row := range spec.definitions {
		out[row.node] = []Kind{row.kind}
		if row.member != "" {
			out[row.node] = append(out[row.node], row.member)
		}
	}
	return out
}
