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
