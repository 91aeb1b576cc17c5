#include "WayreelKernels.h"

#include <string.h>

#include "clones.h"

#define UNPACK(NAME, IN, OUT, EXPRESSION)                                                   \
    WR_CLONES void NAME(const void *restrict source, void *restrict target, size_t count) { \
        const IN *in = source;                                                              \
        OUT *out = target;                                                                  \
        for (size_t i = 0; i < count; i++) out[i] = (OUT)(EXPRESSION);                      \
    }

UNPACK(wr_pcm_s8, uint8_t, int16_t, (uint16_t)(in[i] << 8))
UNPACK(wr_pcm_u8, uint8_t, int16_t, (uint16_t)((in[i] ^ 0x80) << 8))
UNPACK(wr_pcm_s16_swapped, uint16_t, uint16_t, __builtin_bswap16(in[i]))
UNPACK(wr_pcm_s32_swapped, uint32_t, uint32_t, __builtin_bswap32(in[i]))
UNPACK(wr_pcm_s64, int64_t, int32_t, in[i] >> 32)
UNPACK(wr_pcm_f64, double, float, in[i])
UNPACK(
    wr_pcm_s24le, uint8_t, int32_t,
    (uint32_t)in[3 * i] << 8 | (uint32_t)in[3 * i + 1] << 16 | (uint32_t)in[3 * i + 2] << 24)
UNPACK(
    wr_pcm_s24be, uint8_t, int32_t,
    (uint32_t)in[3 * i + 2] << 8 | (uint32_t)in[3 * i + 1] << 16 | (uint32_t)in[3 * i] << 24)

static inline double swapped_double(uint64_t bits) {
    double value;
    bits = __builtin_bswap64(bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}

UNPACK(wr_pcm_f64_swapped, uint64_t, float, swapped_double(in[i]))

// ITU-T G.711: sign, three exponent bits, four mantissa bits, with a bias of 33 (µ) or a linear first segment (A); the
// 14-bit and 13-bit values are shifted to the upper bits of 16.
static inline int32_t mulaw(uint8_t code) {
    int32_t magnitude = (((((~code) & 0x0F) << 1) + 33) << ((~code >> 4) & 7)) - 33;
    return 4 * (code & 0x80 ? magnitude : -magnitude);
}

static inline int32_t alaw(uint8_t code) {
    int32_t bits = code ^ 0x55, exponent = bits >> 4 & 7, mantissa = ((bits & 0x0F) << 1) + 1;
    int32_t magnitude = exponent ? (mantissa + 32) << (exponent - 1) : mantissa;
    return 8 * (bits & 0x80 ? magnitude : -magnitude);
}

UNPACK(wr_pcm_mulaw, uint8_t, int16_t, mulaw(in[i]))
UNPACK(wr_pcm_alaw, uint8_t, int16_t, alaw(in[i]))

// Tests the bits, because comparisons with NaN are false.
static inline int is_finite(float value) {
    const uint32_t exponent = 0x7F800000;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & exponent) != exponent;
}

WR_CLONES size_t wr_count_not_finite(const float *values, size_t count) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += !is_finite(values[i]);
    return found;
}

WR_CLONES void wr_silence_not_finite(float *values, size_t count) {
    for (size_t i = 0; i < count; i++) values[i] = is_finite(values[i]) ? values[i] : 0;
}
