// Structural similarity as in FFmpeg's filter `ssim` and in x264: Z. Wang, A. Bovik, H. Sheikh, E. Simoncelli, "Image
// Quality Assessment", 2004, with windows of 8 × 8 at every fourth pixel and equal weights. With the sums over the 64
// pixels of a window
//     a = Σ x,  b = Σ y,  q = Σ x² + Σ y²,  c = Σ x·y
//     v = 64·q − a² − b²,  w = 64·c − a·b
//     SSIM = (2·a·b + C1)·(2·w + C2) / ((a² + b² + C1)·(v + C2))
// with C1 = (0.01·255)²·64 and C2 = (0.03·255)²·64·63, rounded. (The paper's means would need a C1 64 times as large;
// this one matches FFmpeg and x264, so that figures are comparable.)

#include "clones.h"

#include "WayreelKernels.h"

WR_CLONES void wr_similarity_blocks(
    const uint8_t *first, ptrdiff_t first_stride, const uint8_t *second, ptrdiff_t second_stride, size_t count,
    wr_similarity_sums *restrict sums) {
    for (size_t i = 0; i < count; i++) {
        int32_t a = 0, b = 0, q = 0, c = 0;
        for (ptrdiff_t y = 0; y < 4; y++) {
            const uint8_t *p = first + y * first_stride + 4 * i, *r = second + y * second_stride + 4 * i;
            for (size_t x = 0; x < 4; x++) {
                int32_t u = p[x], v = r[x];
                a += u;
                b += v;
                q += u * u + v * v;
                c += u * v;
            }
        }
        sums[i] = (wr_similarity_sums){a, b, q, c};
    }
}

double wr_similarity_windows(const wr_similarity_sums *upper, const wr_similarity_sums *lower, size_t count) {
    const int64_t c1 = 416, c2 = 235963;
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t a = 0, b = 0, q = 0, c = 0;
        for (size_t k = i; k < i + 2; k++) {
            a += upper[k].first + lower[k].first;
            b += upper[k].second + lower[k].second;
            q += upper[k].squares + lower[k].squares;
            c += upper[k].product + lower[k].product;
        }
        int64_t v = 64 * q - a * a - b * b, w = 64 * c - a * b;
        total += (double)(2 * a * b + c1) * (double)(2 * w + c2) / ((double)(a * a + b * b + c1) * (double)(v + c2));
    }
    return total;
}

WR_CLONES void wr_luma8(const float *red, const float *green, const float *blue, uint8_t *restrict luma, size_t count) {
    for (size_t i = 0; i < count; i++) {
        // Luma as in JPEG: the weights of BT.601, full range.
        float y = 0.299f * red[i] + 0.587f * green[i] + 0.114f * blue[i];
        y = y < 0 ? 0 : y > 1 ? 1 : y;
        luma[i] = (uint8_t)(y * 255.0f + 0.5f);
    }
}
