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

// Limits integers, because instructions that narrow them limit them as well. The value is finite and far inside the
// range of an int32_t.
static inline int32_t rounded(float value, int32_t full) {
    int32_t code = (int32_t)(value + 0.5f);
    code = code > 0 ? code : 0;
    return code < full ? code : full;
}

#define COMPONENT(ROW) \
    rounded(matrix[ROW] * luma[x] + matrix[ROW + 1] * cb[x] + matrix[ROW + 2] * cr[x] + matrix[ROW + 3], full)

#define CONVERT(NAME, TYPE, FULL)                                                                                 \
    WR_CLONES void NAME##_rgb(                                                                                    \
        const float *restrict luma, const float *restrict cb, const float *restrict cr,                           \
        const float *restrict matrix, TYPE *restrict out, size_t count) {                                         \
        const int32_t full = FULL;                                                                                \
        for (size_t x = 0; x < count; x++) {                                                                      \
            out[3 * x] = (TYPE)COMPONENT(0);                                                                      \
            out[3 * x + 1] = (TYPE)COMPONENT(4);                                                                  \
            out[3 * x + 2] = (TYPE)COMPONENT(8);                                                                  \
        }                                                                                                         \
    }                                                                                                             \
    WR_CLONES void NAME##_rgba(                                                                                   \
        const float *restrict luma, const float *restrict cb, const float *restrict cr,                           \
        const float *restrict alpha, float alpha_scale, const float *restrict matrix, TYPE *restrict out,         \
        size_t count) {                                                                                           \
        const int32_t full = FULL;                                                                                \
        for (size_t x = 0; x < count; x++) {                                                                      \
            out[4 * x] = (TYPE)COMPONENT(0);                                                                      \
            out[4 * x + 1] = (TYPE)COMPONENT(4);                                                                  \
            out[4 * x + 2] = (TYPE)COMPONENT(8);                                                                  \
            out[4 * x + 3] = (TYPE)rounded(alpha[x] * alpha_scale, full);                                         \
        }                                                                                                         \
    }

CONVERT(wr_ycbcr_to_bytes, uint8_t, 255)
CONVERT(wr_ycbcr_to_words, uint16_t, 65535)
