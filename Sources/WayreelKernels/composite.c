#include "WayreelKernels.h"

#include "clones.h"

// W3C Compositing and Blending Level 1, section 9.1, in premultiplied form. With s = αs·Cs, d = αb·Cb and the mode's
// B(Cb, Cs), source-over with blending is
//     co = s·(1 − αb) + d·(1 − αs) + αs·αb·B(d/αb, s/αs)        αo = αs + αb·(1 − αs)
// Each MIX below is αs·αb·B, without divisions if the mode allows it.

static inline float clamp(float value, float low, float high) {
    value = value > low ? value : low;
    return value < high ? value : high;
}

static inline float mix_multiply(float s, float d, float sa, float da) { return s * d; }

static inline float mix_screen(float s, float d, float sa, float da) { return s * da + d * sa - s * d; }

// overlay(Cb, Cs) = hard-light(Cs, Cb): the backdrop chooses between multiply and screen.
static inline float mix_overlay(float s, float d, float sa, float da) {
    return 2 * d <= da ? 2 * s * d : sa * da - 2 * (da - d) * (sa - s);
}

static inline float mix_soft_light(float s, float d, float sa, float da) {
    float cb = da > 0 ? d / da : 0;
    float curve = cb <= 0.25f ? ((16 * cb - 12) * cb + 4) * cb : __builtin_elementwise_sqrt(cb);
    float change = 2 * s <= sa ? d * (1 - cb) : da * (curve - cb);
    return sa * d + (2 * s - sa) * change;
}

// The modes are defined on 0…1, so the backdrop is clamped for blending; the part that shows through is not, and pixels
// below a transparent overlay are unchanged.
#define BLEND(MIX)                                                                                                     \
    for (size_t x = 0; x < count; x++) {                                                                               \
        float sa = source_alpha[x] * opacity, da = alpha ? alpha[x] : 1;                                               \
        for (int c = 0; c < 3; c++) {                                                                                  \
            float s = source[c][x] * opacity, below = plane[c][x], d = clamp(below, 0, da);                            \
            plane[c][x] = s * (1 - da) + below * (1 - sa) + MIX(s, d, sa, da);                                         \
        }                                                                                                              \
        if (alpha) alpha[x] = sa + da * (1 - sa);                                                                      \
    }

#define NORMAL                                                                                                         \
    for (size_t x = 0; x < count; x++) {                                                                               \
        float sa = source_alpha[x] * opacity, through = 1 - sa;                                                        \
        for (int c = 0; c < 3; c++) plane[c][x] = source[c][x] * opacity + plane[c][x] * through;                      \
        if (alpha) alpha[x] = sa + alpha[x] * through;                                                                 \
    }

// The loop is compiled twice, so that the common opaque case has no branch.
#define EITHER(LOOP)                                                                                                   \
    if (destination[3]) {                                                                                              \
        float *restrict alpha = destination[3];                                                                        \
        LOOP                                                                                                           \
    } else {                                                                                                           \
        float *const alpha = 0;                                                                                        \
        LOOP                                                                                                           \
    }

WR_CLONES void wr_composite(
    enum wr_blend mode, const float *const source[4], float *const destination[4], size_t count, float opacity) {
    const float *restrict source_alpha = source[3];
    float *restrict red = destination[0], *restrict green = destination[1], *restrict blue = destination[2];
    float *const plane[3] = {red, green, blue};
    switch (mode) {
        case WR_BLEND_NORMAL: EITHER(NORMAL) break;
        case WR_BLEND_MULTIPLY: EITHER(BLEND(mix_multiply)) break;
        case WR_BLEND_SCREEN: EITHER(BLEND(mix_screen)) break;
        case WR_BLEND_OVERLAY: EITHER(BLEND(mix_overlay)) break;
        case WR_BLEND_SOFT_LIGHT: EITHER(BLEND(mix_soft_light)) break;
    }
}

WR_CLONES void wr_unpack_bgra8(const uint32_t *restrict row, float *const planes[4], size_t count) {
    float *restrict red = planes[0], *restrict green = planes[1], *restrict blue = planes[2], *restrict alpha = planes[3];
    const float scale = 1 / 255.0f;
    for (size_t x = 0; x < count; x++) {
        uint32_t pixel = row[x];
        red[x] = (float)(int32_t)(pixel >> 16 & 255) * scale;
        green[x] = (float)(int32_t)(pixel >> 8 & 255) * scale;
        blue[x] = (float)(int32_t)(pixel & 255) * scale;
        alpha[x] = (float)(int32_t)(pixel >> 24) * scale;
    }
}
