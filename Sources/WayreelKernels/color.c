#include "WayreelKernels.h"

#include "approximations.h"
#include "clones.h"

WR_CLONES void wr_matrix(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, const float *restrict m) {
    const float m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5], m6 = m[6], m7 = m[7], m8 = m[8],
                m9 = m[9], m10 = m[10], m11 = m[11];
    for (size_t i = 0; i < count; i++) {
        float r = red[i], g = green[i], b = blue[i];
        red[i] = m0 * r + m1 * g + m2 * b + m3;
        green[i] = m4 * r + m5 * g + m6 * b + m7;
        blue[i] = m8 * r + m9 * g + m10 * b + m11;
    }
}

WR_CLONES void wr_decode_srgb(float *plane, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float value = plane[i], size = __builtin_fabsf(value);
        float power = wr_exp2(2.4f * wr_log2((size + 0.055f) * (1 / 1.055f)));
        plane[i] = __builtin_copysignf(size <= 0.04045f ? size * (1 / 12.92f) : power, value);
    }
}

WR_CLONES void wr_encode_srgb(float *plane, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float value = plane[i], size = __builtin_fabsf(value);
        float power = 1.055f * wr_exp2((1 / 2.4f) * wr_log2(size)) - 0.055f;
        plane[i] = __builtin_copysignf(size <= 0.0031308f ? size * 12.92f : power, value);
    }
}

WR_CLONES void wr_power(float *plane, size_t count, float exponent) {
    for (size_t i = 0; i < count; i++) {
        plane[i] = __builtin_copysignf(wr_power_of(__builtin_fabsf(plane[i]), exponent), plane[i]);
    }
}

WR_CLONES void wr_scale_by_luminance(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, const float weights[3],
    float exponent, float factor) {
    const float w0 = weights[0], w1 = weights[1], w2 = weights[2];
    for (size_t i = 0; i < count; i++) {
        float scale = factor * wr_power_of(w0 * red[i] + w1 * green[i] + w2 * blue[i], exponent);
        red[i] *= scale;
        green[i] *= scale;
        blue[i] *= scale;
    }
}

WR_CLONES void wr_clamp(float *plane, size_t count, float low, float high) {
    for (size_t i = 0; i < count; i++) plane[i] = wr_clampf(plane[i], low, high);
}

WR_CLONES void wr_polynomial(float *plane, size_t count, float c0, float c1, float c2, float c3) {
    for (size_t i = 0; i < count; i++) plane[i] = ((c3 * plane[i] + c2) * plane[i] + c1) * plane[i] + c0;
}

WR_CLONES void wr_posterize(float *plane, size_t count, float steps) {
    for (size_t i = 0; i < count; i++) {
        plane[i] = (float)(int32_t)(wr_clampf(plane[i], 0, 1) * steps + 0.5f) / steps;
    }
}

// Each step is a smoothstep, so that flat parts meet smoothly.
WR_CLONES void wr_soft_steps(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, float steps) {
    for (size_t i = 0; i < count; i++) {
        float luma = wr_luma(red[i], green[i], blue[i]);
        float position = wr_clampf(luma, 0, 1) * steps;
        float step = (float)(int32_t)position, t = position - step;
        t = wr_clampf((t - 0.5f) * 3 + 0.5f, 0, 1);
        float change = (step + t * t * (3 - 2 * t)) / steps - luma;
        red[i] += change;
        green[i] += change;
        blue[i] += change;
    }
}

WR_CLONES void wr_threshold(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, float threshold) {
    for (size_t i = 0; i < count; i++) {
        red[i] = green[i] = blue[i] = wr_luma(red[i], green[i], blue[i]) >= threshold ? 1.0f : 0.0f;
    }
}

WR_CLONES void wr_vibrance(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, float amount) {
    for (size_t i = 0; i < count; i++) {
        float r = red[i], g = green[i], b = blue[i];
        float high = r > g ? r : g, low = r < g ? r : g;
        high = high > b ? high : b;
        low = low < b ? low : b;
        float luma = wr_luma(r, g, b);
        float gain = 1 + amount * (1 - wr_clampf(high - low, 0, 1));
        red[i] = luma + (r - luma) * gain;
        green[i] = luma + (g - luma) * gain;
        blue[i] = luma + (b - luma) * gain;
    }
}

WR_CLONES void wr_highlight_shadow(
    float *restrict red, float *restrict green, float *restrict blue, const float *restrict mask, size_t count,
    float highlights, float shadows) {
    for (size_t i = 0; i < count; i++) {
        float m = wr_clampf(mask[i], 0, 1);
        float gain = (1 + shadows * (1 - m) * (1 - m)) * (1 - highlights * m * m);
        red[i] *= gain;
        green[i] *= gain;
        blue[i] *= gain;
    }
}

WR_CLONES void wr_luma_plane(
    const float *restrict red, const float *restrict green, const float *restrict blue, float *restrict luma,
    size_t count) {
    for (size_t i = 0; i < count; i++) luma[i] = wr_luma(red[i], green[i], blue[i]);
}

WR_CLONES void wr_straighten_alpha(
    float *restrict red, float *restrict green, float *restrict blue, const float *restrict alpha, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float factor = alpha[i] > 0 ? 1 / alpha[i] : 0;
        red[i] *= factor;
        green[i] *= factor;
        blue[i] *= factor;
    }
}

WR_CLONES void wr_premultiply(
    float *restrict red, float *restrict green, float *restrict blue, const float *restrict alpha, size_t count) {
    for (size_t i = 0; i < count; i++) {
        red[i] *= alpha[i];
        green[i] *= alpha[i];
        blue[i] *= alpha[i];
    }
}
