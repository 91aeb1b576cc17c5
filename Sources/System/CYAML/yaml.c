#include "CYAML.h"

#include "CLazyLibrary.h"

#define YAML_FUNCTIONS(F) \
    F(yaml_document_end_event_initialize) \
    F(yaml_document_start_event_initialize) \
    F(yaml_emitter_delete) \
    F(yaml_emitter_emit) \
    F(yaml_emitter_initialize) \
    F(yaml_emitter_set_output) \
    F(yaml_emitter_set_unicode) \
    F(yaml_emitter_set_width) \
    F(yaml_event_delete) \
    F(yaml_mapping_end_event_initialize) \
    F(yaml_mapping_start_event_initialize) \
    F(yaml_parser_delete) \
    F(yaml_parser_initialize) \
    F(yaml_parser_parse) \
    F(yaml_parser_set_encoding) \
    F(yaml_parser_set_input_string) \
    F(yaml_scalar_event_initialize) \
    F(yaml_sequence_end_event_initialize) \
    F(yaml_sequence_start_event_initialize) \
    F(yaml_stream_end_event_initialize) \
    F(yaml_stream_start_event_initialize)

WR_LAZY_LIBRARY(yaml, YAML_FUNCTIONS, "libyaml-0.so.2")
