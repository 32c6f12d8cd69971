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

// flat_parse parses text, for at most limit microseconds of CPU time. It returns a
// tree to give to flat_copy, or sets why.
void *flat_parse(const void *language, const char *text, uint32_t length, int64_t limit, uint32_t *count, int *why);

// flat_copy writes at most count nodes, frees the tree and returns the number of
// nodes written. Tokens of the kinds for which skip is not 0 are left out, unless
// they are missing in the text.
uint32_t flat_copy(void *tree, const uint8_t *skip, uint16_t kinds, flat_node *nodes, uint32_t count);

// flat_delete frees a tree that is not given to flat_copy.
void flat_delete(void *tree);

#endif
