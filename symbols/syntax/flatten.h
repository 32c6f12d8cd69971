#ifndef CODEINTEL_FLATTEN_H
#define CODEINTEL_FLATTEN_H

#include <stdint.h>

// flat_node is one node of a flattened tree. Nodes are in preorder: the first
// child of node i is i+1, its next sibling is next.
typedef struct {
	uint32_t start, end; // bytes, half-open
	int32_t next;        // index after the last node below this one
	int32_t parent;      // -1 for the root
	uint16_t kind;       // 65535 for an error
	uint16_t field;      // 0 for none
	uint32_t flags;
} flat_node;

enum { FLAT_NAMED = 1, FLAT_MISSING = 2, FLAT_HAS_ERROR = 4 };

enum { FLAT_NO_RUNTIME = 1, FLAT_BAD_LANGUAGE = 2, FLAT_NO_TREE = 3, FLAT_OUT_OF_TIME = 4 };

// flat_parse parses text, for at most limit microseconds of CPU time, with the help
// of the tree of an earlier version when old is not NULL. It returns a tree to be
// freed by flat_delete, or sets why.
void *flat_parse(const void *language, const void *old, const char *text, uint32_t length, int64_t limit, int *why);

// flat_count returns the number of nodes of a tree.
uint32_t flat_count(const void *tree);

// What is known of a kind of node.
enum { FLAT_KIND_NAMED = 1, FLAT_KIND_SKIPPED = 2 };

// flat_copy writes at most count nodes and returns the number of nodes written.
// Tokens of the kinds that are skipped are left out, unless they are missing in the
// text.
uint32_t flat_copy(const void *tree, const uint8_t *kinds, uint16_t kind_count, flat_node *nodes, uint32_t count);

typedef struct { uint32_t start, end; } flat_range;

// flat_faults writes the places of at most count errors and missing tokens, in
// preorder, and returns how many there are in all.
uint32_t flat_faults(const void *tree, flat_range *faults, uint32_t count);

typedef struct { uint32_t row, column; } flat_point;

// flat_same returns another handle of a tree, to be edited and freed by itself.
void *flat_same(const void *tree);

// flat_edit says that the text of a tree was changed from start to end, to as many
// bytes.
void flat_edit(void *tree, uint32_t start, uint32_t end, flat_point start_point, flat_point old_end, flat_point new_end);

// flat_delete frees a tree.
void flat_delete(void *tree);

#endif
