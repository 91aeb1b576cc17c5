// The resampler's general path: 16-bit images, alpha, linear light.

#include "WayreelKernels.h"

#include "clones.h"

#include <string.h>

WR_CLONES void wr_bytes_to_floats(const uint8_t *restrict in, float *restrict out, size_t count, float scale) {
    for (size_t x = 0; x < count; x++) out[x] = (float)in[x] * scale;
}

WR_CLONES void wr_words_to_floats(const uint16_t *restrict in, float *restrict out, size_t count, float scale) {
    for (size_t x = 0; x < count; x++) out[x] = (float)in[x] * scale;
}

#define LOOK_UP(NAME, TYPE)                                                                                     \
    void NAME(                                                                                                  \
        const TYPE *restrict in, float *restrict out, size_t pixels, size_t components,                         \
        const float *restrict table, float scale) {                                                             \
        for (size_t x = 0; x < pixels; x++, in += components, out += components) {                              \
            out[0] = table[in[0]];                                                                              \
            out[1] = table[in[1]];                                                                              \
            out[2] = table[in[2]];                                                                              \
            if (components == 4) out[3] = (float)in[3] * scale;                                                 \
        }                                                                                                       \
    }

LOOK_UP(wr_look_up_bytes, uint8_t)
LOOK_UP(wr_look_up_words, uint16_t)

WR_CLONES void wr_premultiply_pixels(float *row, size_t pixels) {
    for (size_t x = 0; x < pixels; x++) {
        float alpha = row[4 * x + 3];
        row[4 * x] *= alpha;
        row[4 * x + 1] *= alpha;
        row[4 * x + 2] *= alpha;
    }
}

WR_CLONES void wr_resample_columns_f(
    const float *const *rows, const float *weights, size_t taps, float *restrict out, size_t count) {
    enum { block = 2048 };
    for (size_t start = 0; start < count; start += block) {
        size_t length = count - start < block ? count - start : block;
        float *restrict sum = out + start;
        memset(sum, 0, length * sizeof *sum);
        size_t k = 0;
        for (; k + 4 <= taps; k += 4) {
            const float *a = rows[k] + start, *b = rows[k + 1] + start, *c = rows[k + 2] + start,
                        *d = rows[k + 3] + start;
            float wa = weights[k], wb = weights[k + 1], wc = weights[k + 2], wd = weights[k + 3];
            for (size_t x = 0; x < length; x++) sum[x] += wa * a[x] + wb * b[x] + wc * c[x] + wd * d[x];
        }
        for (; k < taps; k++) {
            const float *a = rows[k] + start;
            float wa = weights[k];
            for (size_t x = 0; x < length; x++) sum[x] += wa * a[x];
        }
    }
}

WR_CLONES void wr_split_planes(
    const float *restrict in, size_t pixels, size_t components, float *restrict red, float *restrict green,
    float *restrict blue, float *restrict fourth) {
    if (components == 3) {
        for (size_t x = 0; x < pixels; x++) {
            red[x] = in[3 * x];
            green[x] = in[3 * x + 1];
            blue[x] = in[3 * x + 2];
        }
    } else {
        for (size_t x = 0; x < pixels; x++) {
            red[x] = in[4 * x];
            green[x] = in[4 * x + 1];
            blue[x] = in[4 * x + 2];
            fourth[x] = in[4 * x + 3];
        }
    }
}

typedef float lanes __attribute__((vector_size(32), aligned(4)));

WR_CLONES void wr_resample_row_f(
    const float *row, const int32_t *first, const float *weights, size_t taps, size_t outputs, float *restrict out) {
    for (size_t i = 0; i < outputs; i++, weights += taps) {
        const float *in = row + first[i];
        lanes sum = {0};
        for (size_t k = 0; k < taps; k += 8) sum += *(const lanes *)(in + k) * *(const lanes *)(weights + k);
        out[i] = ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
    }
}
