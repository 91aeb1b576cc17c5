// Blocks that reach beyond the edge of the image, at a reduced size.
//
// What an encoder writes there is its own affair: most repeat the last row and column, but some phones leave it black. The
// transform at a reduced size would mix it into the image. So these blocks are transformed at full size, their last row and
// column are repeated, and the result is reduced as the transform does it: the n × n lowest frequencies of its DCT, transformed
// back to n × n samples.

#include <math.h>
#include <string.h>

#include "decoder.h"

enum { WEIGHT_BITS = 13, KEPT_BITS = 7 };

/// Frequency `v` of a DCT of `n` values at sample `y`, orthonormal.
static double basis(int n, int v, int y) {
    return sqrt((v ? 2.0 : 1.0) / n) * cos((2 * y + 1) * v * 3.14159265358979323846 / (2 * n));
}

wj_edge_format wj_edge_format_make(const uint16_t quantization[64], int scale) {
    wj_edge_format format = {.whole = wj_block_format_make(quantization, 8), .scale = scale};
    for (int y = 0; y < scale; y++) {
        int sum = 0, middle = (2 * y + 1) * 4 / scale;
        for (int j = 0; j < 8; j++) {
            double weight = 0;
            for (int v = 0; v < scale; v++) weight += basis(scale, v, y) * basis(8, v, j);
            format.weights[y][j] = (int16_t)lrint(weight * sqrt(scale / 8.0) * (1 << WEIGHT_BITS));
            sum += format.weights[y][j];
        }
        // A block of one colour keeps it.
        format.weights[y][middle] = (int16_t)(format.weights[y][middle] + (1 << WEIGHT_BITS) - sum);
    }
    return format;
}

void wj_reduce_edge(
    const wj_edge_format *format, int16_t *block, int16_t dc, int width, int height, uint8_t *samples, size_t stride) {
    uint8_t whole[64];
    int32_t columns[8][8];
    int16_t value[2] = {dc, 0};
    format->whole.transform(&format->whole, block, value, 1, whole, 8);
    for (int y = 0; y < height; y++) memset(whole + 8 * y + width, whole[8 * y + width - 1], (size_t)(8 - width));
    for (int y = height; y < 8; y++) memcpy(whole + 8 * y, whole + 8 * (height - 1), 8);
    int n = format->scale;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < 8; x++) {
            int32_t sum = 1 << (WEIGHT_BITS - KEPT_BITS - 1);
            for (int j = 0; j < 8; j++) sum += format->weights[y][j] * whole[8 * j + x];
            columns[y][x] = sum >> (WEIGHT_BITS - KEPT_BITS);
        }
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int32_t sum = 1 << (WEIGHT_BITS + KEPT_BITS - 1);
            for (int j = 0; j < 8; j++) sum += format->weights[x][j] * columns[y][j];
            sum >>= WEIGHT_BITS + KEPT_BITS;
            samples[(size_t)y * stride + (size_t)x] = (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
        }
}
