// One-dimensional filters over a strip of sixteen lines, so that each step is one vector.
#include "WayreelKernels.h"

#include <string.h>

#include "clones.h"

typedef float lanes __attribute__((vector_size(64)));
typedef double wide __attribute__((vector_size(128)));

#define WIDEN(V) __builtin_convertvector(V, wide)
#define NARROW(V) __builtin_convertvector(V, lanes)

WR_CLONES void wr_strip_from_rows(
    const float *restrict plane, size_t stride, size_t rows, size_t count, float *restrict strip) {
    for (size_t i = 0; i < count; i++)
        for (size_t row = 0; row < 16; row++) strip[16 * i + row] = plane[(row < rows ? row : 0) * stride + i];
}

WR_CLONES void wr_strip_to_rows(
    const float *restrict strip, float *restrict plane, size_t stride, size_t rows, size_t count) {
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < count; i++) plane[row * stride + i] = strip[16 * i + row];
}

WR_CLONES void wr_strip_from_columns(const float *restrict plane, size_t stride, size_t count, float *restrict strip) {
    for (size_t i = 0; i < count; i++) memcpy(strip + 16 * i, plane + i * stride, 64);
}

WR_CLONES void wr_strip_to_columns(const float *restrict strip, float *restrict plane, size_t stride, size_t count) {
    for (size_t i = 0; i < count; i++) memcpy(plane + i * stride, strip + 16 * i, 64);
}

WR_CLONES void wr_strip_gaussian(
    const float *restrict in, float *restrict out, size_t count, const double *restrict c) {
    const double b0 = c[0], b1 = c[1], b2 = c[2], b3 = c[3];
    const double a1 = c[4], a2 = c[5], a3 = c[6], a4 = c[7];
    const double d1 = c[8], d2 = c[9], d3 = c[10], d4 = c[11];
    const lanes *x = (const lanes *)in;
    lanes *y = (lanes *)out;
    const double total = 1 + d1 + d2 + d3 + d4;

    // Lines are extended with their last value: the filter starts in the corresponding steady state.
    wide x1 = WIDEN(x[0]), x2 = x1, x3 = x1;
    wide y1 = x1 * ((b0 + b1 + b2 + b3) / total), y2 = y1, y3 = y1, y4 = y1;
    for (size_t i = 0; i < count; i++) {
        wide x0 = WIDEN(x[i]);
        wide y0 = (x0 * b0 + x1 * b1 + (x2 * b2 + x3 * b3)) - (y2 * d2 + y3 * d3 + y4 * d4) - y1 * d1;
        y[i] = NARROW(y0);
        x3 = x2, x2 = x1, x1 = x0;
        y4 = y3, y3 = y2, y2 = y1, y1 = y0;
    }
    x1 = WIDEN(x[count - 1]), x2 = x1, x3 = x1;
    wide x4 = x1;
    y1 = x1 * ((a1 + a2 + a3 + a4) / total), y2 = y1, y3 = y1, y4 = y1;
    for (size_t i = count; i-- > 0;) {
        wide y0 = (x1 * a1 + x2 * a2 + (x3 * a3 + x4 * a4)) - (y2 * d2 + y3 * d3 + y4 * d4) - y1 * d1;
        y[i] += NARROW(y0);
        x4 = x3, x3 = x2, x2 = x1, x1 = WIDEN(x[i]);
        y4 = y3, y3 = y2, y2 = y1, y1 = y0;
    }
}

WR_CLONES void wr_strip_convolve(
    const float *restrict in, float *restrict out, size_t count, const float *restrict weights, size_t radius) {
    const lanes *x = (const lanes *)in;
    lanes *y = (lanes *)out;
    for (size_t i = 0; i < count; i++) {
        const lanes *first = x + i;
        lanes sum = first[radius] * weights[radius];
        for (size_t k = 0; k < radius; k++) sum += (first[k] + first[2 * radius - k]) * weights[k];
        y[i] = sum;
    }
}

WR_CLONES void wr_strip_box(
    const float *restrict in, float *restrict out, size_t count, size_t radius, double fraction) {
    const lanes *x = (const lanes *)in;
    lanes *y = (lanes *)out;
    const double scale = 1 / (2 * ((double)radius + fraction) + 1);
    wide sum = {0};
    for (size_t k = 1; k <= 2 * radius + 1; k++) sum += WIDEN(x[k]);
    for (size_t i = 0; i < count; i++) {
        wide before = WIDEN(x[i]), after = WIDEN(x[i + 2 * radius + 2]);
        y[i] = NARROW((sum + (before + after) * fraction) * scale);
        sum += after - WIDEN(x[i + 1]);
    }
}
