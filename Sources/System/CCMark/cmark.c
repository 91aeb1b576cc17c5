#include "CCMark.h"

#include "CLazyLibrary.h"

#define CMARK_FUNCTIONS(F) \
    F(cmark_node_first_child) \
    F(cmark_node_free) \
    F(cmark_node_get_end_line) \
    F(cmark_node_get_list_start) \
    F(cmark_node_get_list_type) \
    F(cmark_node_get_literal) \
    F(cmark_node_get_start_column) \
    F(cmark_node_get_start_line) \
    F(cmark_node_get_title) \
    F(cmark_node_get_type) \
    F(cmark_node_get_url) \
    F(cmark_node_next) \
    F(cmark_parse_document)

// Before 1.0 each version has a name of its own: the one that it is compiled for is loaded.
WR_LAZY_LIBRARY(cmark, CMARK_FUNCTIONS, "libcmark.so." CMARK_VERSION_STRING)
