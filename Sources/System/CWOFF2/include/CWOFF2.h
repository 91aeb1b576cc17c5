// WOFF2 (W3C), by Google's libwoff2, whose functions are those of C++ with values of C.
#ifndef WR_CWOFF2_H
#define WR_CWOFF2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Load the encoder and the decoder once. Return NULL on success, otherwise the reason. Must be called before the
/// functions of each.
const char *cwoff2_encoder_load(void);
const char *cwoff2_decoder_load(void);

/// The most bytes that `cwoff2_encode` writes.
size_t cwoff2_max_size(const uint8_t *font, size_t count);

/// Compresses a TrueType or OpenType font. `result_count` is the room at `result`, and then the size. Returns whether the
/// font could be read.
bool cwoff2_encode(const uint8_t *font, size_t count, uint8_t *result, size_t *result_count);

/// The size of a font that a WOFF2 file says it has; 0 for another file.
size_t cwoff2_decoded_size(const uint8_t *file, size_t count);

/// Decompresses a font to exactly `result_count` bytes. Returns whether the file is sound.
bool cwoff2_decode(uint8_t *result, size_t result_count, const uint8_t *file, size_t count);

#endif
