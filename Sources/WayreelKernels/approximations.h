// Logarithm, power and cosine without a call to libm, so that loops over them vectorise.
#ifndef WR_APPROXIMATIONS_H
#define WR_APPROXIMATIONS_H

#include <stdint.h>
#include <string.h>

static inline float wr_clampf(float value, float low, float high) {
    value = value > low ? value : low;  // also NaN → low
    return value < high ? value : high;
}

static inline float wr_luma(float red, float green, float blue) {
    return 0.2126f * red + 0.7152f * green + 0.0722f * blue;  // ITU-R BT.709
}

/// log2 of a positive number. The mantissa is brought to √½…√2 and its logarithm summed as 2·artanh((m − 1)/(m + 1));
/// the first term left out is below 2e-9.
static inline float wr_log2(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int32_t exponent = ((int32_t)bits - 0x3F3504F3) >> 23;
    bits -= (uint32_t)exponent << 23;
    float mantissa;
    memcpy(&mantissa, &bits, sizeof mantissa);
    float t = (mantissa - 1) / (mantissa + 1), u = t * t;
    float sum = 0.320598898f;
    sum = sum * u + 0.412198583f;
    sum = sum * u + 0.577078016f;
    sum = sum * u + 0.961796694f;
    sum = sum * u + 2.885390082f;
    return (float)exponent + t * sum;
}

/// 2^value, for −126…127 (clamped to it): Taylor's series about the nearest whole number; relative error below 1e-7.
static inline float wr_exp2(float value) {
    value = wr_clampf(value, -126, 127);
    float whole = (value + 12582912.0f) - 12582912.0f;  // 1.5 · 2^23: rounds to nearest
    float f = value - whole;
    float sum = 1.52527338e-5f;
    sum = sum * f + 1.54035304e-4f;
    sum = sum * f + 1.33335581e-3f;
    sum = sum * f + 9.61812911e-3f;
    sum = sum * f + 5.55041087e-2f;
    sum = sum * f + 2.40226507e-1f;
    sum = sum * f + 6.93147181e-1f;
    sum = sum * f + 1.0f;
    uint32_t bits = (uint32_t)((int32_t)whole + 127) << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

/// base^exponent for a base of 0 or more and a positive exponent; relative error about 1e-6 over what pictures hold.
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

/// A well-mixed number for a place (the finaliser of MurmurHash3 over two odd multiples).
static inline uint32_t wr_hash(uint32_t x, uint32_t y, uint32_t seed) {
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return h ^ (h >> 16);
}

#endif
