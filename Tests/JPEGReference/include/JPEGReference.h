// libjpeg as the reference of WayreelJPEG.
#ifndef JPEG_REFERENCE_H
#define JPEG_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/// What libjpeg says of a file, compared with coefficients or samples of WayreelJPEG.
typedef struct {
    /// The file cannot be decoded.
    int failed;
    long warnings;
    /// Blocks or rows that differ.
    long different;
} jpeg_comparison;

/// Compares the quantized coefficients: 64 for each block, by rows of `blocks_wide` blocks.
jpeg_comparison jpeg_compare_coefficients(
    const uint8_t *bytes, size_t count, const int16_t *const coefficients[3], const uint32_t blocks_wide[3]);
/// Compares the samples of each component before chroma is enlarged.
jpeg_comparison jpeg_compare_samples(
    const uint8_t *bytes, size_t count, const uint8_t *const samples[3], const size_t strides[3]);

/// How an image is encoded.
typedef struct {
    uint32_t width, height;
    /// 1 grey, 3 colour.
    int components;
    int quality;
    int h[3], v[3];
    /// MCUs between restart markers.
    unsigned restart_interval;
    int is_optimized, is_rgb, is_progressive, is_arithmetic;
} jpeg_encoding;

/// Encodes interleaved samples. Returns the file, to be freed with free(), or NULL.
uint8_t *jpeg_encode(const uint8_t *samples, jpeg_encoding encoding, size_t *count);

#endif
