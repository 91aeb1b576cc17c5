// Subsets of fonts, by libharfbuzz-subset.
#ifndef WR_CHARFBUZZ_H
#define WR_CHARFBUZZ_H

#include <stddef.h>
#include <stdint.h>

/// Loads libharfbuzz-subset once. Returns NULL on success, otherwise the reason. Must be called before `charfbuzz_subset`.
const char *charfbuzz_load(void);

/// Makes a font of the glyphs that `characters` of a TrueType or OpenType font need, with all layout features, axes of
/// variations, and names, but without hinting. Sets `is_missing` to 1 for each character that the font lacks.
///
/// `result` is allocated with `malloc`. Returns whether the font could be read and written.
int charfbuzz_subset(
    const void *font, size_t count, const uint32_t *characters, size_t character_count, uint8_t *is_missing,
    void **result, size_t *result_count);

#endif
