// Rows of Y′CbCr images of any depth, subsampling and matrix → rows of R′G′B′.
//
// Samples are floats in code units until the matrix, which maps them to the range of the output.

#include "clones.h"

#include "WayreelKernels.h"

#define BLEND(NAME, TYPE)                                                                                         \
    WR_CLONES void NAME(                                                                                          \
        const TYPE *restrict first, const TYPE *restrict second, float share, float *restrict out, size_t count) { \
        for (size_t x = 0; x < count; x++) {                                                                      \
            float value = (float)first[x];                                                                        \
            out[x] = value + ((float)second[x] - value) * share;                                                  \
        }                                                                                                         \
    }

BLEND(wr_blend_bytes, uint8_t)
BLEND(wr_blend_words, uint16_t)

WR_CLONES void wr_upsample_cosited(const float *restrict in, float *restrict out, size_t count) {
    size_t last = (count + 1) / 2 - 1;
    for (size_t i = 0; i < last; i++) {
        out[2 * i] = in[i];
        out[2 * i + 1] = (in[i] + in[i + 1]) * 0.5f;
    }
    out[2 * last] = in[last];
    if (2 * last + 1 < count) out[2 * last + 1] = in[last];
}

WR_CLONES void wr_upsample_centered(const float *restrict in, float *restrict out, size_t count) {
    size_t last = (count + 1) / 2 - 1;
    out[0] = in[0];
    for (size_t i = 0; i < last; i++) {
        out[2 * i + 1] = in[i] * 0.75f + in[i + 1] * 0.25f;
        out[2 * i + 2] = in[i] * 0.25f + in[i + 1] * 0.75f;
    }
    if (2 * last + 1 < count) out[2 * last + 1] = in[last];
}

static inline float clamped(float value, float full) {
    value = value > 0 ? value : 0;  // also NaN → 0
    return value < full ? value : full;
}

#define COMPONENT(ROW) \
    clamped(matrix[ROW] * luma[x] + matrix[ROW + 1] * cb[x] + matrix[ROW + 2] * cr[x] + matrix[ROW + 3], full)

#define CONVERT(NAME, TYPE, FULL)                                                                                 \
    WR_CLONES void NAME##_rgb(                                                                                    \
        const float *restrict luma, const float *restrict cb, const float *restrict cr,                           \
        const float *restrict matrix, TYPE *restrict out, size_t count) {                                         \
        const float full = FULL;                                                                                  \
        for (size_t x = 0; x < count; x++) {                                                                      \
            out[3 * x] = (TYPE)(int32_t)(COMPONENT(0) + 0.5f);                                                    \
            out[3 * x + 1] = (TYPE)(int32_t)(COMPONENT(4) + 0.5f);                                                \
            out[3 * x + 2] = (TYPE)(int32_t)(COMPONENT(8) + 0.5f);                                                \
        }                                                                                                         \
    }                                                                                                             \
    WR_CLONES void NAME##_rgba(                                                                                   \
        const float *restrict luma, const float *restrict cb, const float *restrict cr,                           \
        const float *restrict alpha, float alpha_scale, const float *restrict matrix, TYPE *restrict out,         \
        size_t count) {                                                                                           \
        const float full = FULL;                                                                                  \
        for (size_t x = 0; x < count; x++) {                                                                      \
            out[4 * x] = (TYPE)(int32_t)(COMPONENT(0) + 0.5f);                                                    \
            out[4 * x + 1] = (TYPE)(int32_t)(COMPONENT(4) + 0.5f);                                                \
            out[4 * x + 2] = (TYPE)(int32_t)(COMPONENT(8) + 0.5f);                                                \
            out[4 * x + 3] = (TYPE)(int32_t)(clamped(alpha[x] * alpha_scale, full) + 0.5f);                       \
        }                                                                                                         \
    }

CONVERT(wr_ycbcr_to_bytes, uint8_t, 255.0f)
CONVERT(wr_ycbcr_to_words, uint16_t, 65535.0f)
