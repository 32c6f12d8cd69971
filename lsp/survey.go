package lsp

import (
	"context"
	"sync"

	"codeintel/lsp/install"
)

// Status is what [Survey] has found out about one kind of server.
type Status struct {
	Kind     Kind
	Version  string         // of the server that answered, "" if none did
	Path     string         // of that server
	Origin   install.Origin // where that server comes from
	Accepted string         // the accepted versions, in words
	Skipped  []string       // what was found and is not used, "path: reason"
	Install  string         // the command that installs the pinned version
	Err      error          // why there is no server
}

// Survey starts every kind of server once, by a real initialize, and ends it
// again. With o.NoInstall it only looks; otherwise it installs those of which
// no usable one is found. The result is in the order of [Kinds].
func Survey(ctx context.Context, o Options) []Status {
	pool := NewPool(o)
	defer pool.Close()
	out := make([]Status, len(Kinds()))
	var asked sync.WaitGroup
	for i, kind := range Kinds() {
		asked.Go(func() { out[i] = pool.survey(ctx, kind) })
	}
	asked.Wait()
	return out
}

func (p *Pool) survey(ctx context.Context, kind Kind) Status {
	prof, _ := profileOf(kind)
	st := Status{Kind: kind, Accepted: prof.recipe.Accepted, Install: p.finder.Command(prof.recipe)}
	s, err := p.Server(ctx, kind)
	if err != nil {
		st.Err = err
		return st
	}
	st.Version, st.Path, st.Origin, st.Skipped = s.version, s.from.Shown, s.from.Origin, s.skipped
	return st
}
