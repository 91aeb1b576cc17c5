// The inner loops. Each is plain C over rows of floats or bytes, compiled once for each generation of x86-64 and chosen
// when the program starts; all versions give the same bits (no fused multiply-add, fixed order of sums).
#ifndef WAYREEL_KERNELS_H
#define WAYREEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// MARK: Packing rows for encoders (pack.c)

/// Planar floats 0…1 → interleaved bytes, rounded to nearest and clamped.
void wr_pack_rgb8(const float *red, const float *green, const float *blue, uint8_t *row, size_t count);
/// The same with alpha: colour comes premultiplied and leaves straight.
void wr_pack_rgba8(
    const float *red, const float *green, const float *blue, const float *alpha, uint8_t *row, size_t count);
/// The same in 16 bits, in the machine's byte order.
void wr_pack_rgb16(const float *red, const float *green, const float *blue, uint16_t *row, size_t count);
void wr_pack_rgba16(
    const float *red, const float *green, const float *blue, const float *alpha, uint16_t *row, size_t count);

// MARK: Resampling bytes (resample_bytes.c)
//
// Separable, in integers: weights have 14 fractional bits, the rows between the two passes 6. Rows come in pairs, and in
// them pixels in pairs, so that one multiply-add takes two taps.

/// The number of fractional bits of a weight: 1.0 is 1 << 14.
#define WR_WEIGHT_BITS 14

/// For tests: the newest instructions to use from here on: 0 none beyond the baseline, 1 SSSE3, 2 AVX2, 3 AVX-512.
void wr_limit_instructions(int newest);

/// Interleaves two rows: upper[0], lower[0], upper[1], lower[1], … `count` bytes each; up to 63 more may be read and
/// twice that written.
void wr_pair_rows(const uint8_t *upper, const uint8_t *lower, uint8_t *pair, size_t count);

/// Weighs `pair_count` paired rows into one: out[x] = Σ weight · row[x], with 6 fractional bits. `weights` holds two for
/// each pair. Works on `count` values rounded up to a multiple of 64.
void wr_resample_columns(
    const uint8_t *const *pairs, const int16_t *weights, size_t pair_count, int16_t *out, size_t count);

/// Rearranges a row of `pixels` with 3 or 4 `components` into pairs of pixels of four: R0 R1 G0 G1 B0 B1 X0 X1 …
/// Reads up to 8 values past the end of `in`; writes an even number of pixels.
void wr_pair_pixels(const int16_t *in, int16_t *out, size_t pixels, size_t components);

/// Weighs paired pixels of four rows at once, so that a weight is fetched once for all: for each of `outputs`, the `taps`
/// pixels (a multiple of 8) from `first` (even) on. `weights` holds 4 × `taps` for each output, laid out as the pixels
/// are. The sums have 20 fractional bits, four to an output.
void wr_resample_rows(
    const int16_t *const rows[4], const int32_t *first, const int16_t *weights, size_t taps, size_t outputs,
    int32_t *const sums[4]);

/// Sums of four components → planar floats, 0…255 → 0…1. `fourth` may be NULL.
void wr_sums_to_planes(const int32_t *sums, size_t count, float *red, float *green, float *blue, float *fourth);

// MARK: Resampling floats (resample_floats.c)

/// out[x] = in[x] · scale.
void wr_bytes_to_floats(const uint8_t *in, float *out, size_t count, float scale);
void wr_words_to_floats(const uint16_t *in, float *out, size_t count, float scale);
/// out[x] = table[in[x]] in groups of `components`, of which only the first three; the fourth is multiplied by `scale`.
void wr_look_up_bytes(
    const uint8_t *in, float *out, size_t pixels, size_t components, const float *table, float scale);
void wr_look_up_words(
    const uint16_t *in, float *out, size_t pixels, size_t components, const float *table, float scale);
/// Multiplies red, green and blue of interleaved pixels by their alpha.
void wr_premultiply(float *row, size_t pixels);
/// out[x] = Σ weights[k] · rows[k][x].
void wr_resample_columns_f(const float *const *rows, const float *weights, size_t taps, float *out, size_t count);
/// Splits interleaved pixels into planes; `fourth` may be NULL where there are three components.
void wr_split_planes(
    const float *in, size_t pixels, size_t components, float *red, float *green, float *blue, float *fourth);
/// out[i] = Σ weights[i][k] · row[first[i] + k], k below `taps`, a multiple of 8.
void wr_resample_row_f(
    const float *row, const int32_t *first, const float *weights, size_t taps, size_t outputs, float *out);
// MARK: Compositing (composite.c)

/// Blend modes of W3C Compositing and Blending Level 1, section 5.
enum wr_blend {
    WR_BLEND_NORMAL,
    WR_BLEND_MULTIPLY,
    WR_BLEND_SCREEN,
    WR_BLEND_OVERLAY,
    WR_BLEND_SOFT_LIGHT,
};

/// Draws `count` pixels over others: red, green, blue and alpha planes, premultiplied, 0…1. The source is made fainter by
/// `opacity`, 0…1. `destination[3]` is NULL for an opaque picture. Planes may not overlap; no alignment is needed.
void wr_composite(
    enum wr_blend mode, const float *const source[4], float *const destination[4], size_t count, float opacity);
/// 32-bit pixels, alpha in the top byte and blue in the lowest (cairo's ARGB32) → planar floats 0…1.
void wr_unpack_bgra8(const uint32_t *row, float *const planes[4], size_t count);

#endif
