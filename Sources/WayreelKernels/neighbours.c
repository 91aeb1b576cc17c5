// Loops over a row of output that read several rows of input.
#include "WayreelKernels.h"

#include "approximations.h"
#include "clones.h"

WR_CLONES void wr_add_scaled(float *restrict out, const float *restrict in, size_t count, float weight) {
    for (size_t i = 0; i < count; i++) out[i] += weight * in[i];
}

WR_CLONES void wr_running_sum(const float *restrict in, double *restrict sums, size_t count) {
    double sum = 0;
    sums[0] = 0;
    for (size_t i = 0; i < count; i++) sums[i + 1] = sum += in[i];
}

WR_CLONES void wr_add_span(
    float *restrict out, const double *restrict sums, const float *restrict in, size_t count, ptrdiff_t radius,
    float fraction) {
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t center = (ptrdiff_t)i;
        out[i] += (float)(sums[center + radius + 1] - sums[center - radius])
            + fraction * (in[center - radius - 1] + in[center + radius + 1]);
    }
}

WR_CLONES void wr_scale(float *plane, size_t count, float factor) {
    for (size_t i = 0; i < count; i++) plane[i] *= factor;
}

WR_CLONES void wr_sharpen(float *restrict plane, const float *restrict soft, size_t count, float amount) {
    for (size_t i = 0; i < count; i++) plane[i] += amount * (plane[i] - soft[i]);
}

WR_CLONES void wr_sharpen_luma(
    float *restrict red, float *restrict green, float *restrict blue, const float *restrict soft, size_t count,
    float amount) {
    for (size_t i = 0; i < count; i++) {
        float change = amount * (wr_luma(red[i], green[i], blue[i]) - soft[i]);
        red[i] += change;
        green[i] += change;
        blue[i] += change;
    }
}

WR_CLONES void wr_glow_source(
    const float *restrict plane, const float *restrict luma, float *restrict glow, size_t count) {
    for (size_t i = 0; i < count; i++) glow[i] = wr_clampf(plane[i], 0, 1) * wr_clampf(luma[i], 0, 1);
}

WR_CLONES void wr_screen_with(float *restrict plane, const float *restrict glow, size_t count, float intensity) {
    for (size_t i = 0; i < count; i++) {
        float light = wr_clampf(intensity * glow[i], 0, 1);
        plane[i] += light * (1 - wr_clampf(plane[i], 0, 1));
    }
}

static inline void order(float *a, float *b) {
    float low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

// Nineteen exchanges (Devillard, "Fast median search", after Paeth).
WR_CLONES void wr_median(
    const float *restrict above, const float *restrict row, const float *restrict below, float *restrict out,
    size_t count) {
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t x = (ptrdiff_t)i;
        float p0 = above[x - 1], p1 = above[x], p2 = above[x + 1];
        float p3 = row[x - 1], p4 = row[x], p5 = row[x + 1];
        float p6 = below[x - 1], p7 = below[x], p8 = below[x + 1];
        order(&p1, &p2), order(&p4, &p5), order(&p7, &p8), order(&p0, &p1), order(&p3, &p4), order(&p6, &p7);
        order(&p1, &p2), order(&p4, &p5), order(&p7, &p8), order(&p0, &p3), order(&p5, &p8), order(&p4, &p7);
        order(&p3, &p6), order(&p1, &p4), order(&p2, &p5), order(&p4, &p7), order(&p4, &p2), order(&p6, &p4);
        order(&p4, &p2);
        out[i] = p4;
    }
}

WR_CLONES void wr_sobel(
    const float *restrict above, const float *restrict row, const float *restrict below, float *restrict out,
    size_t count, float scale) {
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t x = (ptrdiff_t)i;
        float across = (above[x + 1] - above[x - 1]) + 2 * (row[x + 1] - row[x - 1]) + (below[x + 1] - below[x - 1]);
        float down = (below[x - 1] - above[x - 1]) + 2 * (below[x] - above[x]) + (below[x + 1] - above[x + 1]);
        out[i] = scale * __builtin_elementwise_sqrt(across * across + down * down);
    }
}

WR_CLONES void wr_square(const float *restrict in, float *restrict out, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = in[i] * in[i];
}

WR_CLONES void wr_guided_line(float *restrict mean, float *restrict mean_square, size_t count, float noise) {
    for (size_t i = 0; i < count; i++) {
        float variance = mean_square[i] - mean[i] * mean[i];
        variance = variance > 0 ? variance : 0;
        float slope = variance / (variance + noise);
        mean_square[i] = slope;
        mean[i] *= 1 - slope;
    }
}

WR_CLONES void wr_guided_apply(
    float *restrict plane, const float *restrict offset, const float *restrict slope, size_t count) {
    for (size_t i = 0; i < count; i++) plane[i] = slope[i] * plane[i] + offset[i];
}

WR_CLONES void wr_ink(
    float *restrict fine, const float *restrict coarse, size_t count, float gain, float threshold, float softness) {
    for (size_t i = 0; i < count; i++) {
        float edge = (1 + gain) * fine[i] - gain * coarse[i];
        float t = wr_clampf(1 + (edge - threshold) * softness, 0, 1);
        fine[i] = t * t * (3 - 2 * t);
    }
}

WR_CLONES void wr_lerp_rows(
    const float *restrict above, const float *restrict below, float *restrict out, size_t count, float share) {
    for (size_t i = 0; i < count; i++) out[i] = above[i] + share * (below[i] - above[i]);
}

WR_CLONES void wr_add_sampled(
    float *restrict out, const float *restrict row, const int32_t *restrict index, const float *restrict share,
    size_t count) {
    for (size_t i = 0; i < count; i++) {
        float left = row[index[i]], right = row[index[i] + 1];
        out[i] += left + share[i] * (right - left);
    }
}

// Weights of Keys' cubic convolution with a = −1/2 (Catmull-Rom) at `t`, 0…1, between the second and third of four
// samples.
static inline float cubic(float p0, float p1, float p2, float p3, float t) {
    float c1 = 0.5f * (p2 - p0), c2 = p0 - 2.5f * p1 + 2 * p2 - 0.5f * p3, c3 = 1.5f * (p1 - p2) + 0.5f * (p3 - p0);
    return ((c3 * t + c2) * t + c1) * t + p1;
}

WR_CLONES void wr_sample_cubic(
    const float *restrict plane, int32_t stride, int32_t width, int32_t height, float *restrict out, size_t count,
    float x, float y, float step_x, float step_y) {
    for (size_t i = 0; i < count; i++) {
        float u = wr_clampf(x + (float)(int32_t)i * step_x, 0, (float)(width - 1));
        float v = wr_clampf(y + (float)(int32_t)i * step_y, 0, (float)(height - 1));
        int32_t ui = (int32_t)u, vi = (int32_t)v;
        float fu = u - (float)ui, fv = v - (float)vi;
        int32_t x0 = ui > 0 ? ui - 1 : 0, x2 = ui + 1 < width ? ui + 1 : width - 1;
        int32_t x3 = ui + 2 < width ? ui + 2 : width - 1;
        int32_t y0 = (vi > 0 ? vi - 1 : 0) * stride, y1 = vi * stride;
        int32_t y2 = (vi + 1 < height ? vi + 1 : height - 1) * stride;
        int32_t y3 = (vi + 2 < height ? vi + 2 : height - 1) * stride;
        float r0 = cubic(plane[y0 + x0], plane[y0 + ui], plane[y0 + x2], plane[y0 + x3], fu);
        float r1 = cubic(plane[y1 + x0], plane[y1 + ui], plane[y1 + x2], plane[y1 + x3], fu);
        float r2 = cubic(plane[y2 + x0], plane[y2 + ui], plane[y2 + x2], plane[y2 + x3], fu);
        float r3 = cubic(plane[y3 + x0], plane[y3 + ui], plane[y3 + x2], plane[y3 + x3], fu);
        out[i] = cubic(r0, r1, r2, r3, fv);
    }
}

WR_CLONES void wr_nearest_seeds(
    const wr_seed_grid *grid, float y, int32_t *restrict first, int32_t *restrict second, float *restrict distance,
    float *restrict border, size_t count) {
    const float *restrict xs = grid->x, *restrict ys = grid->y;
    const int32_t columns = grid->columns, row = (int32_t)((y - grid->origin_y) / grid->pitch_y);
    const float origin = grid->origin_x, pitch = grid->pitch_x;
    for (size_t i = 0; i < count; i++) {
        float x = (float)(int32_t)i + 0.5f, near = 1e30f, next = 1e30f;
        int32_t cell = row * columns + (int32_t)((x - origin) / pitch), nearest = 0, runner_up = 0;
#pragma clang loop unroll(full)
        for (int32_t k = 0; k < 9; k++) {
            int32_t index = cell + (k / 3 - 1) * columns + k % 3 - 1;
            float dx = xs[index] - x, dy = ys[index] - y, square = dx * dx + dy * dy;
            runner_up = square < near ? nearest : (square < next ? index : runner_up);
            next = square < near ? near : (square < next ? square : next);
            nearest = square < near ? index : nearest;
            near = square < near ? square : near;
        }
        float dx = xs[runner_up] - xs[nearest], dy = ys[runner_up] - ys[nearest];
        first[i] = nearest;
        second[i] = runner_up;
        distance[i] = __builtin_elementwise_sqrt(near);
        border[i] = (next - near) / (2 * __builtin_elementwise_sqrt(dx * dx + dy * dy));
    }
}
