#include "WayreelKernels.h"

#include "approximations.h"
#include "clones.h"

WR_CLONES void wr_curve(float *restrict plane, size_t count, const float *restrict samples, int32_t sample_count) {
    const int32_t last = sample_count - 2;
    const float scale = (float)(sample_count - 1);
    for (size_t i = 0; i < count; i++) {
        float position = wr_clampf(plane[i], 0, 1) * scale;
        int32_t index = (int32_t)position;
        index = index < last ? index : last;
        float low = samples[index], high = samples[index + 1];
        plane[i] = low + (position - (float)index) * (high - low);
    }
}

// The unit cell is divided into six tetrahedra along its grey diagonal. The path from the dark to the light corner
// follows the axis of the largest fraction first and that of the smallest last.
WR_CLONES void wr_cube(
    float *restrict red, float *restrict green, float *restrict blue, size_t count, const float *restrict table,
    int32_t size, const float *restrict low, const float *restrict scale) {
    const int32_t last = size - 2, dr = 3, dg = 3 * size, db = 3 * size * size;
    const float end = (float)(size - 1);
    const float low_r = low[0], low_g = low[1], low_b = low[2], scale_r = scale[0], scale_g = scale[1],
                scale_b = scale[2];
    for (size_t i = 0; i < count; i++) {
        float r = wr_clampf((red[i] - low_r) * scale_r, 0, end);
        float g = wr_clampf((green[i] - low_g) * scale_g, 0, end);
        float b = wr_clampf((blue[i] - low_b) * scale_b, 0, end);
        int32_t ri = (int32_t)r, gi = (int32_t)g, bi = (int32_t)b;
        ri = ri < last ? ri : last;
        gi = gi < last ? gi : last;
        bi = bi < last ? bi : last;
        r -= (float)ri;
        g -= (float)gi;
        b -= (float)bi;
        float rg_max = r > g ? r : g, rg_min = r < g ? r : g;
        float largest = rg_max > b ? rg_max : b, smallest = rg_min < b ? rg_min : b;
        float middle = rg_max < b ? rg_max : b;
        middle = middle > rg_min ? middle : rg_min;
        int32_t first = b > rg_max ? db : (r >= g ? dr : dg);
        int32_t final = b <= rg_min ? db : (g <= r ? dg : dr);
        int32_t p0 = ri * dr + gi * dg + bi * db, p3 = p0 + dr + dg + db, p1 = p0 + first, p2 = p3 - final;
        float w0 = 1 - largest, w1 = largest - middle, w2 = middle - smallest;
        red[i] = w0 * table[p0] + w1 * table[p1] + w2 * table[p2] + smallest * table[p3];
        green[i] = w0 * table[p0 + 1] + w1 * table[p1 + 1] + w2 * table[p2 + 1] + smallest * table[p3 + 1];
        blue[i] = w0 * table[p0 + 2] + w1 * table[p1 + 2] + w2 * table[p2 + 2] + smallest * table[p3 + 2];
    }
}
