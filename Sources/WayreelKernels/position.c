// Colour kernels that depend on the pixel position. Each works on part of a row; `x` and `y` are the first pixel's
// position.
#include "WayreelKernels.h"

#include "approximations.h"
#include "clones.h"

static inline float smoothstep(float t) {
    t = wr_clampf(t, 0, 1);
    return t * t * (3 - 2 * t);
}

WR_CLONES void wr_shade(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, float x, float y,
    const wr_shade_shape *shape) {
    const float dy = (y - shape->y) * shape->scale_y, start = shape->start, slope = shape->slope,
                strength = shape->strength;
    for (size_t i = 0; i < count; i++) {
        float dx = (x + (float)(int32_t)i - shape->x) * shape->scale_x;
        float gain = 1 - strength * smoothstep((__builtin_elementwise_sqrt(dx * dx + dy * dy) - start) * slope);
        red[i] *= gain;
        green[i] *= gain;
        blue[i] *= gain;
    }
}

WR_CLONES void wr_leak(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, float x, float y,
    const wr_leak_shape *shape) {
    const float step = shape->step_x, start = (x - shape->x) * shape->step_x + (y - shape->y) * shape->step_y;
    const float r = shape->red, g = shape->green, b = shape->blue;
    for (size_t i = 0; i < count; i++) {
        float t = smoothstep(start + (float)(int32_t)i * step);
        float weight = t * t;
        red[i] += weight * r * (1 - wr_clampf(red[i], 0, 1));
        green[i] += weight * g * (1 - wr_clampf(green[i], 0, 1));
        blue[i] += weight * b * (1 - wr_clampf(blue[i], 0, 1));
    }
}

WR_CLONES void wr_dither(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, uint32_t x, uint32_t y,
    float intensity) {
    const float row = 0.00583715f * (float)(int32_t)(y & 0xFFFF);
    for (size_t i = 0; i < count; i++) {
        float phase = 0.06711056f * (float)(int32_t)((x + (uint32_t)i) & 0xFFFF) + row;
        phase = 52.9829189f * (phase - (float)(int32_t)phase);
        float noise = intensity * (phase - (float)(int32_t)phase - 0.5f);
        red[i] += noise;
        green[i] += noise;
        blue[i] += noise;
    }
}

// Triangular noise of one lattice point, −1…1.
static inline float lattice(uint32_t x, uint32_t y, uint32_t seed) {
    uint32_t h = wr_hash(x, y, seed);
    return (float)(int32_t)((h >> 16) + (h & 0xFFFF)) * (1 / 65535.0f) - 1;
}

WR_CLONES void wr_grain(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, uint32_t x, uint32_t y,
    float intensity, float scale, uint32_t seed) {
    const float v = (float)(int32_t)y * scale;
    const uint32_t row = (uint32_t)(int32_t)v;
    const float fy = v - (float)(int32_t)row;
    for (size_t i = 0; i < count; i++) {
        float u = (float)(int32_t)(x + (uint32_t)i) * scale;
        uint32_t column = (uint32_t)(int32_t)u;
        float fx = u - (float)(int32_t)column;
        float above = lattice(column, row, seed), below = lattice(column, row + 1, seed);
        above += fx * (lattice(column + 1, row, seed) - above);
        below += fx * (lattice(column + 1, row + 1, seed) - below);
        // Interpolation reduces the variance by the sum of its squared weights; this restores it.
        float even = (1 - 2 * fx * (1 - fx)) * (1 - 2 * fy * (1 - fy));
        float luma = wr_clampf(wr_luma(red[i], green[i], blue[i]), 0, 1);
        float weight = 0.15f + 3.4f * luma * (1 - luma);
        float noise = intensity * weight * (above + fy * (below - above)) / __builtin_elementwise_sqrt(even);
        red[i] += noise;
        green[i] += noise;
        blue[i] += noise;
    }
}

// One ink on one screen: the remaining lightness, 0…1, at the screen's `threshold`.
static inline float printed(float value, float threshold, float contrast) {
    return wr_clampf((value - threshold) * contrast + 0.5f, 0, 1);
}

// The threshold avoids both ends, so that white stays paper and black stays ink.
static inline float line_threshold(float u) { return 0.5f + 0.46f * wr_cos_turns(u); }

static inline float dot_threshold(float u, float v) {
    return 0.5f + 0.23f * (wr_cos_turns(u) + wr_cos_turns(v));
}

WR_CLONES void wr_dot_screen(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, float x, float y,
    const wr_screen_shape *s) {
    for (size_t i = 0; i < count; i++) {
        float dx = x + (float)(int32_t)i - s->x, dy = y - s->y;
        float threshold = dot_threshold(dx * s->cos + dy * s->sin, dy * s->cos - dx * s->sin);
        red[i] = green[i] = blue[i] = printed(wr_luma(red[i], green[i], blue[i]), threshold, s->contrast);
    }
}

WR_CLONES void wr_line_screen(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, float x, float y,
    const wr_screen_shape *s) {
    for (size_t i = 0; i < count; i++) {
        float dx = x + (float)(int32_t)i - s->x, dy = y - s->y;
        float threshold = line_threshold(dy * s->cos - dx * s->sin);
        red[i] = green[i] = blue[i] = printed(wr_luma(red[i], green[i], blue[i]), threshold, s->contrast);
    }
}

WR_CLONES void wr_circular_screen(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, float x, float y,
    const wr_screen_shape *s) {
    const float frequency = __builtin_elementwise_sqrt(s->cos * s->cos + s->sin * s->sin);
    for (size_t i = 0; i < count; i++) {
        float dx = x + (float)(int32_t)i - s->x, dy = y - s->y;
        float threshold = line_threshold(__builtin_elementwise_sqrt(dx * dx + dy * dy) * frequency);
        red[i] = green[i] = blue[i] = printed(wr_luma(red[i], green[i], blue[i]), threshold, s->contrast);
    }
}

// The first strokes start in the highlights, the crossing ones in the midtones.
WR_CLONES void wr_hatched_screen(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, float x, float y,
    const wr_screen_shape *s) {
    for (size_t i = 0; i < count; i++) {
        float dx = x + (float)(int32_t)i - s->x, dy = y - s->y;
        float luma = wr_luma(red[i], green[i], blue[i]);
        float along = printed(luma * (1 / 0.85f), line_threshold(dy * s->cos - dx * s->sin), s->contrast);
        float across = printed(luma * (1 / 0.5f), line_threshold(dx * s->cos + dy * s->sin), s->contrast);
        red[i] = green[i] = blue[i] = along < across ? along : across;
    }
}

// Cosine and sine of 15°, 75°, 0° and 45°, the common angles of cyan, magenta, yellow and black.
WR_CLONES void wr_cmyk_halftone(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, float x, float y,
    const wr_screen_shape *s, float black_share) {
    for (size_t i = 0; i < count; i++) {
        float dx = x + (float)(int32_t)i - s->x, dy = y - s->y;
        float u = dx * s->cos + dy * s->sin, v = dy * s->cos - dx * s->sin;
        float r = wr_clampf(red[i], 0, 1), g = wr_clampf(green[i], 0, 1), b = wr_clampf(blue[i], 0, 1);
        float brightest = r > g ? r : g;
        brightest = brightest > b ? brightest : b;
        float paper = 1 - black_share * (1 - brightest);
        float left = 1 / (paper > 1e-3f ? paper : 1e-3f);
        float uc = 0.9659258f * u + 0.2588190f * v, vc = 0.9659258f * v - 0.2588190f * u;
        float um = 0.2588190f * u + 0.9659258f * v, vm = 0.2588190f * v - 0.9659258f * u;
        float uk = 0.7071068f * (u + v), vk = 0.7071068f * (v - u);
        float key = printed(paper, dot_threshold(uk, vk), s->contrast);
        red[i] = key * printed(r * left, dot_threshold(uc, vc), s->contrast);
        green[i] = key * printed(g * left, dot_threshold(um, vm), s->contrast);
        blue[i] = key * printed(b * left, dot_threshold(u, v), s->contrast);
    }
}
