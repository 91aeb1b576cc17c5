#include "CYAML.h"

#include "CLazyLibrary.h"

#define YAML_FUNCTIONS(F) \
    F(yaml_event_delete) \
    F(yaml_parser_delete) \
    F(yaml_parser_initialize) \
    F(yaml_parser_parse) \
    F(yaml_parser_set_encoding) \
    F(yaml_parser_set_input_string)

WR_LAZY_LIBRARY(yaml, YAML_FUNCTIONS, "libyaml-0.so.2")
