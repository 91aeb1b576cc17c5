#include "WayreelKernels.h"

#include "clones.h"

// A tile of sixteen by sixteen: whole cache lines on both sides for any orientation.
#define TILE 16

WR_CLONES void wr_turn(
    const float *restrict in, ptrdiff_t step_x, ptrdiff_t step_y, float *restrict out, size_t stride, size_t width,
    size_t height) {
    for (size_t top = 0; top < height; top += TILE) {
        size_t bottom = top + TILE < height ? top + TILE : height;
        for (size_t left = 0; left < width; left += TILE) {
            size_t right = left + TILE < width ? left + TILE : width;
            for (size_t y = top; y < bottom; y++) {
                const float *from = in + (ptrdiff_t)y * step_y;
                for (size_t x = left; x < right; x++) out[y * stride + x] = from[(ptrdiff_t)x * step_x];
            }
        }
    }
}
