// ITU-R BT.709-6, section 3, in 8 bits of limited range. With E′ of red, green and blue from 0 to 1:
//     E′Y = 0.2126·E′R + 0.7152·E′G + 0.0722·E′B      E′CB = (E′B − E′Y) / 1.8556      E′CR = (E′R − E′Y) / 1.5748
//     Y = 16 + 219·E′Y      CB = 128 + 224·E′CB      CR = 128 + 224·E′CR
// and back
//     E′R = E′Y + 1.5748·E′CR      E′B = E′Y + 1.8556·E′CB      E′G = (E′Y − 0.2126·E′R − 0.0722·E′B) / 0.7152
//
// A 4:2:0 chroma sample is on the first of two columns and midway between two rows (chroma_sample_loc_type 0 of H.264
// and HEVC, "left").

#include "clones.h"

#include "WayreelKernels.h"

static const float red_scale = 1.5748f, blue_scale = 1.8556f;

/// Two pixels: the chroma of the first is at `i`, that of the second midway to `next`.
#define PAIR(I, NEXT)                                                                                              \
    float blue_here = (float)(3 * near_cb[I] + far_cb[I] - 512), blue_next = (float)(3 * near_cb[NEXT] + far_cb[NEXT] - 512); \
    float red_here = (float)(3 * near_cr[I] + far_cr[I] - 512), red_next = (float)(3 * near_cr[NEXT] + far_cr[NEXT] - 512);   \
    float blue_between = (blue_here + blue_next) * 0.5f, red_between = (red_here + red_next) * 0.5f;

#define PIXEL(X, CB, CR)                                                                                           \
    do {                                                                                                           \
        float y = (float)(luma[X] - 16) * (1 / 219.0f);                                                            \
        red[X] = y + (CR) * to_red;                                                                                \
        green[X] = y - (CB) * blue_to_green - (CR) * red_to_green;                                                 \
        blue[X] = y + (CB) * to_blue;                                                                              \
    } while (0)

WR_CLONES void wr_rgb_from_yuv420(
    const uint8_t *restrict luma, const uint8_t *const cb[2], const uint8_t *const cr[2], float *restrict red,
    float *restrict green, float *restrict blue, size_t count) {
    // Chroma is in quarters of a code.
    const float to_red = red_scale / (4 * 224), to_blue = blue_scale / (4 * 224);
    const float red_to_green = to_red * (0.2126f / 0.7152f), blue_to_green = to_blue * (0.0722f / 0.7152f);
    const uint8_t *restrict near_cb = cb[0], *restrict far_cb = cb[1];
    const uint8_t *restrict near_cr = cr[0], *restrict far_cr = cr[1];
    size_t last = (count + 1) / 2 - 1;
    for (size_t i = 0; i < last; i++) {
        PAIR(i, i + 1)
        PIXEL(2 * i, blue_here, red_here);
        PIXEL(2 * i + 1, blue_between, red_between);
    }
    PAIR(last, last)
    PIXEL(2 * last, blue_here, red_here);
    if (2 * last + 1 < count) PIXEL(2 * last + 1, blue_between, red_between);
}

static inline float unit(float value) {
    value = value > 0 ? value : 0;  // also NaN → 0
    return value < 1 ? value : 1;
}

WR_CLONES void wr_yuv_from_rgb(
    const float *restrict red, const float *restrict green, const float *restrict blue, uint8_t *restrict luma,
    float *restrict cb, float *restrict cr, size_t count) {
    const float to_cb = 224 / blue_scale, to_cr = 224 / red_scale;
    for (size_t x = 0; x < count; x++) {
        float r = unit(red[x]), g = unit(green[x]), b = unit(blue[x]);
        float y = 0.2126f * r + 0.7152f * g + 0.0722f * b;
        luma[x] = (uint8_t)(int32_t)(y * 219 + 16.5f);
        cb[x] = (b - y) * to_cb;
        cr[x] = (r - y) * to_cr;
    }
}

/// The mean of two rows, weighted 1, 2, 1 around a column, times eight.
#define AROUND(LEFT, X, RIGHT)                                                                                     \
    ((upper[LEFT] + lower[LEFT]) + 2 * (upper[X] + lower[X]) + (upper[RIGHT] + lower[RIGHT]))

static inline uint8_t chroma(float eightfold) { return (uint8_t)(int32_t)(eightfold * 0.125f + 128.5f); }

WR_CLONES void wr_chroma420(
    const float *restrict upper, const float *restrict lower, uint8_t *restrict out, size_t count) {
    size_t last = (count + 1) / 2 - 1, end = count - 1;
    out[0] = chroma(AROUND(0, 0, end < 1 ? end : 1));
    for (size_t i = 1; i < last; i++) out[i] = chroma(AROUND(2 * i - 1, 2 * i, 2 * i + 1));
    if (last > 0) out[last] = chroma(AROUND(2 * last - 1, 2 * last, 2 * last + 1 < end ? 2 * last + 1 : end));
}
