#include "flatten.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

// The part of the tree-sitter interface that is used here. The functions live in
// the Go binding's objects, which the final link brings in. They are weak, so
// that this package links by itself, too, where cgo tries that.
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
typedef struct {
	void *payload;
	const char *(*read)(void *payload, uint32_t at, flat_point point, uint32_t *length);
	int encoding; // 0 is UTF-8
	uint32_t (*decode)(const uint8_t *, uint32_t, int32_t *);
} TSInput;
typedef struct { void *payload; uint32_t at; bool has_error; } TSParseState;
typedef struct { void *payload; bool (*progress)(TSParseState *); } TSParseOptions;

#define RUNTIME extern __attribute__((weak))

RUNTIME void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
RUNTIME TSParser *ts_parser_new(void);
RUNTIME void ts_parser_delete(TSParser *);
RUNTIME bool ts_parser_set_language(TSParser *, const void *);
RUNTIME TSTree *ts_parser_parse_with_options(TSParser *, const TSTree *, TSInput, TSParseOptions);
typedef struct {
	uint32_t start_byte, old_end_byte, new_end_byte;
	flat_point start_point, old_end_point, new_end_point;
} TSInputEdit;

RUNTIME TSTree *ts_tree_copy(const TSTree *);
RUNTIME void ts_tree_edit(TSTree *, const TSInputEdit *);
RUNTIME void ts_tree_delete(TSTree *);
RUNTIME TSNode ts_tree_root_node(const TSTree *);
RUNTIME uint32_t ts_node_descendant_count(TSNode);
RUNTIME uint16_t ts_node_symbol(TSNode);
RUNTIME uint32_t ts_node_start_byte(TSNode);
RUNTIME uint32_t ts_node_end_byte(TSNode);
RUNTIME bool ts_node_is_missing(TSNode);
RUNTIME bool ts_node_has_error(TSNode);
RUNTIME TSTreeCursor ts_tree_cursor_new(TSNode);
RUNTIME void ts_tree_cursor_delete(TSTreeCursor *);
RUNTIME TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
RUNTIME uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
RUNTIME bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
RUNTIME bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
RUNTIME bool ts_tree_cursor_goto_parent(TSTreeCursor *);

// plain_allocator makes the runtime call malloc and free itself. The binding has
// it call Go for that, which makes parsing a third slower. What one allocator gave
// the other may free: both end in the same malloc.
static void plain_allocator(void) {
	static bool done;
	if (!__atomic_exchange_n(&done, true, __ATOMIC_ACQ_REL)) {
		ts_set_allocator(NULL, NULL, NULL, NULL);
	}
}

// source is the text of a parse and the CPU time at which it is given up.
typedef struct {
	const char *text;
	uint32_t length;
	int64_t end; // microseconds of this thread
} source;

static const char *read_source(void *payload, uint32_t at, flat_point point, uint32_t *length) {
	const source *s = payload;
	(void)point;
	*length = at < s->length ? s->length - at : 0;
	return at < s->length ? s->text + at : "";
}

// thread_time returns the CPU time of this thread in microseconds: that other
// work keeps the processor busy must not end a parse.
static int64_t thread_time(void) {
	struct timespec t = {0, 0};
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

// out_of_time is called by the runtime every hundred steps; true ends the parse.
static bool out_of_time(TSParseState *state) {
	const source *s = state->payload;
	return thread_time() > s->end;
}

void *flat_parse(const void *language, const void *old, const char *text, uint32_t length, int64_t limit, int *why) {
	if (ts_parser_new == NULL || ts_tree_cursor_new == NULL) {
		*why = FLAT_NO_RUNTIME;
		return NULL;
	}
	plain_allocator();
	TSParser *parser = ts_parser_new();
	TSTree *tree = NULL;
	*why = FLAT_BAD_LANGUAGE;
	if (ts_parser_set_language(parser, language)) {
		source s = {text, length, thread_time() + limit};
		TSInput input = {&s, read_source, 0, NULL};
		TSParseOptions options = {&s, out_of_time};
		tree = ts_parser_parse_with_options(parser, old, input, options);
		*why = thread_time() > s.end ? FLAT_OUT_OF_TIME : FLAT_NO_TREE;
	}
	ts_parser_delete(parser);
	return tree;
}

uint32_t flat_count(const void *tree) {
	return ts_node_descendant_count(ts_tree_root_node(tree));
}

// trouble returns the flags of a node in a tree with errors.
static uint32_t trouble(TSNode node) {
	return (ts_node_is_missing(node) ? FLAT_MISSING : 0) | (ts_node_has_error(node) ? FLAT_HAS_ERROR : 0);
}

uint32_t flat_copy(const void *tree, const uint8_t *kinds, uint16_t kind_count, flat_node *nodes, uint32_t count) {
	TSNode node = ts_tree_root_node(tree);
	TSTreeCursor cursor = ts_tree_cursor_new(node);
	bool flawed = ts_node_has_error(node);
	uint32_t used = 0;
	int32_t parent = -1;
	while (used < count) {
		node = ts_tree_cursor_current_node(&cursor);
		uint16_t kind = ts_node_symbol(node);
		uint32_t known = kind < kind_count ? kinds[kind] : FLAT_KIND_NAMED; // an error is named
		uint32_t flags = flawed ? trouble(node) : 0;
		if (!(known & FLAT_KIND_SKIPPED) || (flags & FLAT_MISSING)) {
			int32_t at = (int32_t)used++;
			nodes[at] = (flat_node){
				.start = ts_node_start_byte(node), .end = ts_node_end_byte(node), .parent = parent,
				.kind = kind, .field = ts_tree_cursor_current_field_id(&cursor),
				.flags = flags | (known & FLAT_KIND_NAMED ? FLAT_NAMED : 0),
			};
			if (ts_tree_cursor_goto_first_child(&cursor)) {
				parent = at;
				continue;
			}
			nodes[at].next = (int32_t)used;
		}
		while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
			if (parent < 0 || !ts_tree_cursor_goto_parent(&cursor)) {
				goto done;
			}
			nodes[parent].next = (int32_t)used;
			parent = nodes[parent].parent;
		}
	}
done:
	for (; parent >= 0; parent = nodes[parent].parent) {
		nodes[parent].next = (int32_t)used;
	}
	ts_tree_cursor_delete(&cursor);
	return used;
}

uint32_t flat_faults(const void *tree, flat_range *faults, uint32_t count) {
	TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t found = 0;
	for (int depth = 0; depth >= 0;) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		if (ts_node_has_error(node)) { // so do all nodes around an error
			if (ts_node_symbol(node) == UINT16_MAX || ts_node_is_missing(node)) {
				if (found < count) {
					faults[found] = (flat_range){ts_node_start_byte(node), ts_node_end_byte(node)};
				}
				found++;
			}
			if (ts_tree_cursor_goto_first_child(&cursor)) {
				depth++;
				continue;
			}
		}
		while (depth >= 0 && !ts_tree_cursor_goto_next_sibling(&cursor)) {
			ts_tree_cursor_goto_parent(&cursor);
			depth--;
		}
	}
	ts_tree_cursor_delete(&cursor);
	return found;
}

void *flat_same(const void *tree) {
	return ts_tree_copy(tree);
}

void flat_edit(void *tree, uint32_t start, uint32_t end, flat_point start_point, flat_point old_end, flat_point new_end) {
	TSInputEdit edit = {start, end, end, start_point, old_end, new_end};
	ts_tree_edit(tree, &edit);
}

void flat_delete(void *tree) {
	ts_tree_delete(tree);
}
