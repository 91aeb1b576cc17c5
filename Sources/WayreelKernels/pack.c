#include "WayreelKernels.h"

#include "clones.h"

static inline uint32_t quantise(float value, float full) {
    float scaled = value * full + 0.5f;
    scaled = scaled > 0 ? scaled : 0;  // also NaN → 0
    return (uint32_t)(int32_t)(scaled < full ? scaled : full);
}

static inline float straighten(float alpha) { return alpha > 0 ? 1 / alpha : 0; }

#define PACK_OPAQUE(NAME, TYPE, FULL)                                                                            \
    WR_CLONES void NAME(                                                                                         \
        const float *restrict red, const float *restrict green, const float *restrict blue, TYPE *restrict row,  \
        size_t count) {                                                                                          \
        for (size_t x = 0; x < count; x++) {                                                                     \
            row[3 * x] = (TYPE)quantise(red[x], FULL);                                                           \
            row[3 * x + 1] = (TYPE)quantise(green[x], FULL);                                                     \
            row[3 * x + 2] = (TYPE)quantise(blue[x], FULL);                                                      \
        }                                                                                                        \
    }

#define PACK_ALPHA(NAME, TYPE, FULL)                                                                             \
    WR_CLONES void NAME(                                                                                         \
        const float *restrict red, const float *restrict green, const float *restrict blue,                      \
        const float *restrict alpha, TYPE *restrict row, size_t count) {                                         \
        for (size_t x = 0; x < count; x++) {                                                                     \
            float factor = straighten(alpha[x]);                                                                 \
            row[4 * x] = (TYPE)quantise(red[x] * factor, FULL);                                                  \
            row[4 * x + 1] = (TYPE)quantise(green[x] * factor, FULL);                                            \
            row[4 * x + 2] = (TYPE)quantise(blue[x] * factor, FULL);                                             \
            row[4 * x + 3] = (TYPE)quantise(alpha[x], FULL);                                                     \
        }                                                                                                        \
    }

PACK_OPAQUE(wr_pack_rgb8, uint8_t, 255.0f)
PACK_OPAQUE(wr_pack_rgb16, uint16_t, 65535.0f)
PACK_ALPHA(wr_pack_rgba8, uint8_t, 255.0f)
PACK_ALPHA(wr_pack_rgba16, uint16_t, 65535.0f)
