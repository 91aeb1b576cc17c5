#include "clones.h"

#include "WayreelKernels.h"

static inline double clamp16(double value) {
    return value < -32768 ? -32768 : value > 32767 ? 32767 : value;
}

WR_CLONES
void wr_levels_to_int16(const float *levels, size_t count, double factor, int16_t *samples, size_t stride) {
    for (size_t i = 0; i < count; i++) {
        double sample = clamp16((double)levels[i] * 32768);
        // Rounds half away from zero.
        double whole = (int32_t)(sample + (sample < 0 ? -0.5 : 0.5));
        samples[i * stride] = (int16_t)clamp16(whole * factor);
    }
}
