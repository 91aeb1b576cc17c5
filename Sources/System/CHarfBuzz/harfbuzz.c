#include "CHarfBuzz.h"

#include "CLazyLibrary.h"

#include <harfbuzz/hb-subset.h>
#include <stdlib.h>
#include <string.h>

// HarfBuzz' own functions are resolved through libharfbuzz-subset, which depends on it.
#define HARFBUZZ_FUNCTIONS(F) \
    F(hb_blob_create) \
    F(hb_blob_destroy) \
    F(hb_blob_get_data) \
    F(hb_face_collect_unicodes) \
    F(hb_face_create) \
    F(hb_face_destroy) \
    F(hb_face_get_glyph_count) \
    F(hb_face_reference_blob) \
    F(hb_set_add) \
    F(hb_set_allocation_successful) \
    F(hb_set_clear) \
    F(hb_set_create) \
    F(hb_set_destroy) \
    F(hb_set_has) \
    F(hb_set_invert) \
    F(hb_subset_input_create_or_fail) \
    F(hb_subset_input_destroy) \
    F(hb_subset_input_set) \
    F(hb_subset_input_set_flags) \
    F(hb_subset_input_unicode_set) \
    F(hb_subset_or_fail)

WR_LAZY_LIBRARY(charfbuzz, HARFBUZZ_FUNCTIONS, "libharfbuzz-subset.so.0")

/// Keeps all of a kind.
static void keep_all(hb_subset_input_t *input, hb_subset_sets_t kind) {
    hb_set_t *set = hb_subset_input_set(input, kind);
    hb_set_clear(set);
    hb_set_invert(set);
}

static int copy_bytes(hb_face_t *face, void **result, size_t *result_count) {
    hb_blob_t *blob = hb_face_reference_blob(face);
    unsigned length = 0;
    const char *data = hb_blob_get_data(blob, &length);
    *result = length ? malloc(length) : NULL;
    if (*result) memcpy(*result, data, length);
    *result_count = *result ? length : 0;
    hb_blob_destroy(blob);
    return *result != NULL;
}

int charfbuzz_subset(
    const void *font, size_t count, const uint32_t *characters, size_t character_count, uint8_t *is_missing,
    void **result, size_t *result_count) {
    *result = NULL;
    *result_count = 0;
    if (count > UINT32_MAX) return 0;
    hb_blob_t *blob = hb_blob_create(font, (unsigned)count, HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *face = hb_face_create(blob, 0);
    hb_blob_destroy(blob);
    hb_set_t *known = hb_set_create();
    hb_subset_input_t *input = hb_subset_input_create_or_fail();
    int is_done = 0;
    if (input && hb_face_get_glyph_count(face) > 0) {
        hb_face_collect_unicodes(face, known);
        hb_set_t *wanted = hb_subset_input_unicode_set(input);
        for (size_t i = 0; i < character_count; i++) {
            is_missing[i] = !hb_set_has(known, characters[i]);
            if (!is_missing[i]) hb_set_add(wanted, characters[i]);
        }
        keep_all(input, HB_SUBSET_SETS_LAYOUT_FEATURE_TAG);
        keep_all(input, HB_SUBSET_SETS_NAME_ID);
        keep_all(input, HB_SUBSET_SETS_NAME_LANG_ID);
        hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_NO_HINTING | HB_SUBSET_FLAGS_NOTDEF_OUTLINE);
        if (hb_set_allocation_successful(known) && hb_set_allocation_successful(wanted)) {
            hb_face_t *subset = hb_subset_or_fail(face, input);
            if (subset) {
                is_done = copy_bytes(subset, result, result_count);
                hb_face_destroy(subset);
            }
        }
    }
    if (input) hb_subset_input_destroy(input);
    hb_set_destroy(known);
    hb_face_destroy(face);
    return is_done;
}
