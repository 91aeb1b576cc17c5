// Converts samples of a block: one channel as floats or 16 bits, or mixed.
#include "WayreelKernels.h"

#include "clones.h"

#define PICK(NAME, IN, OUT, VALUE)                                                                               \
    WR_CLONES void NAME(const IN *restrict in, size_t stride, OUT *restrict out, size_t count) {                 \
        if (stride == 1)                                                                                         \
            for (size_t i = 0; i < count; i++) out[i] = (VALUE(in[i]));                                          \
        else if (stride == 2)                                                                                    \
            for (size_t i = 0; i < count; i++) out[i] = (VALUE(in[2 * i]));                                      \
        else                                                                                                     \
            for (size_t i = 0; i < count; i++) out[i] = (VALUE(in[stride * i]));                                 \
    }

#define SAME(V) V
#define FROM_16(V) (float)(V) * 0x1p-15f
#define FROM_32(V) (float)(V) * 0x1p-31f
#define UPPER_16(V) (int16_t)((V) >> 16)

PICK(wr_pick_s16, int16_t, int16_t, SAME)
PICK(wr_pick_s32, int32_t, int32_t, SAME)
PICK(wr_pick_f32, float, float, SAME)
PICK(wr_floats_from_s16, int16_t, float, FROM_16)
PICK(wr_floats_from_s32, int32_t, float, FROM_32)
PICK(wr_words_from_s32, int32_t, int16_t, UPPER_16)

static inline int16_t truncated(float value) {
    value = value > -32768 ? value : -32768;
    return (int16_t)(int32_t)(value < 32767 ? value : 32767);
}

WR_CLONES void wr_words_from_f32(
    const float *restrict in, size_t stride, int16_t *restrict out, size_t count, float scale) {
    for (size_t i = 0; i < count; i++) out[i] = truncated(in[stride * i] * scale);
}

WR_CLONES void wr_words_below_f32(const float *restrict in, size_t stride, int16_t *restrict out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float value = in[stride * i] * 32768;
        value = value > -32768 ? value : -32768;
        value = value < 32767 ? value : 32767;
        int32_t whole = (int32_t)value;
        out[i] = (int16_t)(whole - ((float)whole > value));
    }
}

WR_CLONES void wr_add_words(const int16_t *restrict in, int32_t *restrict sums, size_t count) {
    for (size_t i = 0; i < count; i++) sums[i] += in[i];
}

// A fractional quotient differs from an integer by at least 1/64, which this float type can represent.
WR_CLONES void wr_words_from_sums(
    const int32_t *restrict sums, size_t channels, int16_t *restrict out, size_t count) {
    const float divisor = (float)channels;
    for (size_t i = 0; i < count; i++) out[i] = (int16_t)(int32_t)((float)sums[i] / divisor);
}

WR_CLONES void wr_means_of_pairs(const int16_t *restrict in, int16_t *restrict out, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = (int16_t)((in[2 * i] + in[2 * i + 1]) / 2);
}
