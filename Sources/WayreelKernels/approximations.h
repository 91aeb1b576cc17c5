// Logarithm, power and cosine without a call to libm, so that loops over them vectorise.
#ifndef WR_APPROXIMATIONS_H
#define WR_APPROXIMATIONS_H

#include <stdint.h>
#include <string.h>

#include "clones.h"

static inline float wr_clampf(float value, float low, float high) {
    value = value > low ? value : low;  // also NaN → low
    return value < high ? value : high;
}

static inline float wr_luma(float red, float green, float blue) {
    return 0.2126f * red + 0.7152f * green + 0.0722f * blue;  // ITU-R BT.709
}

/// log2 of a positive number. The mantissa is scaled to √½…√2; the polynomial is log2(1 + z)/z fitted at Chebyshev
/// nodes, with an error of 1.2e-7. A division would cost more than its terms.
static inline float wr_log2(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int32_t exponent = (int32_t)(bits - 0x3F3504F3u) >> 23;
    bits -= (uint32_t)exponent << 23;
    float mantissa;
    memcpy(&mantissa, &bits, sizeof mantissa);
    float z = mantissa - 1;
    float sum = -0.146203534f;
    sum = sum * z + 0.234209851f;
    sum = sum * z - 0.248821806f;
    sum = sum * z + 0.287075611f;
    sum = sum * z - 0.360241986f;
    sum = sum * z + 0.480924039f;
    sum = sum * z - 0.721352759f;
    sum = sum * z + 1.442694960f;
    return (float)exponent + z * sum;
}

/// 2^value for −126…127 (clamped). The polynomial is 2^f, |f| ≤ ½, fitted at Chebyshev nodes, with an error of 1.6e-7.
static inline float wr_exp2(float value) {
    value = wr_clampf(value, -126, 127);
    float shifted = value + 12582912.0f;  // 1.5 · 2^23: the last bits are now the nearest whole number
    float f = value - (shifted - 12582912.0f);
    float sum = 1.34004322e-3f;
    sum = sum * f + 9.6760371e-3f;
    sum = sum * f + 5.55032721e-2f;
    sum = sum * f + 2.40221074e-1f;
    sum = sum * f + 6.93147207e-1f;
    sum = sum * f + 1.0f;
    uint32_t whole, bits;
    memcpy(&whole, &shifted, sizeof whole);
    memcpy(&bits, &sum, sizeof bits);
    bits += whole << 23;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

/// base^exponent for a base ≥ 0 and a positive exponent; relative error about 1e-6 over the range of images.
static inline float wr_power_of(float base, float exponent) {
    float power = wr_exp2(exponent * wr_log2(base));
    return base > 0 ? power : 0;
}

/// cos(2π·turns), for |turns| up to 2^22; absolute error below 1e-6.
static inline float wr_cos_turns(float turns) {
    turns -= (turns + 12582912.0f) - 12582912.0f;
    float a = 6.28318531f * (0.25f - (turns < 0 ? -turns : turns)), u = a * a;  // cos is the sine of the complement
    float sum = -2.50521084e-8f;
    sum = sum * u + 2.75573192e-6f;
    sum = sum * u - 1.98412698e-4f;
    sum = sum * u + 8.33333333e-3f;
    sum = sum * u - 1.66666667e-1f;
    return a + a * u * sum;
}

/// A hash of a position (the finaliser of MurmurHash3 over two odd multiples).
static inline uint32_t wr_hash(uint32_t x, uint32_t y, uint32_t seed) {
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return h ^ (h >> 16);
}

#endif
