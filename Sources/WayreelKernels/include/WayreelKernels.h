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

#endif
