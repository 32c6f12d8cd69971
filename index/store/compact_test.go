package store

import "testing"

// TestCrowded has more full segments than small ones may be: they stay, since
// merging them would take all of them into memory.
func TestCrowded(t *testing.T) {
	segment := func(bytes int) *Segment {
		ends := make([]uint64, segmentSections)
		for i := recordEndSection; i < len(ends); i++ {
			ends[i] = 4 * 10 // records
		}
		return &Segment{pages: &pages{data: make([]byte, bytes), ends: ends}}
	}
	live := map[*Segment]int{}
	full := segment(smallBytes)
	for range 2 * manySegments {
		copied := *full
		live[&copied] = 10
	}
	if out := crowded(live); len(out) > 0 {
		t.Errorf("%d of %d full segments are to be merged", len(out), len(live))
	}
	for i := range manySegments + 1 {
		live[segment(100+i)] = 10
	}
	if out := crowded(live); len(out) != manySegments+1-manySegments/2 {
		t.Errorf("%d of %d small segments are to be merged", len(out), manySegments+1)
	}
	unused := *full
	live = map[*Segment]int{&unused: 4}
	if out := crowded(live); !out[&unused] {
		t.Error("a segment of which little is used stays")
	}
}
