#include "KernelVariants.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "WayreelKernels.h"

enum {
    /// The number of values that kernels may read in front of a row.
    margin = 64,
    /// Memory for four components of the longest row.
    row = 4 * KERNEL_MAX_COUNT + 4 * margin,
    /// Samples along an edge of the colour cube.
    side = 13,
    /// Number of cells of the seed grid in a row.
    columns = KERNEL_MAX_COUNT / 8 + 4,
};

struct kernel_operands {
    /// Values from −1 to 2, including 0, 1 and tiny numbers.
    float floats[8][row] __attribute__((aligned(64)));
    double doubles[row];
    int32_t longs[2][row];
    int16_t words[2][row];
    uint8_t bytes[6][4 * row];
    /// Values from 0 to 255, for kernels that look up or add up their input.
    int32_t indices[row];
    float seeds[2][3 * columns];
    wr_meter_state meter;
    wr_integer_levels integer_levels;
    wr_float_levels float_levels;
    double result;
};

// MARK: Operands

static uint32_t next(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static float random_float(uint32_t *state) {
    static const float special[] = {0, -0.0f, 1, -1, 0.5f, 1e-20f, -1e-20f, 0.0031308f, 0.04045f};
    uint32_t bits = next(state);
    if (bits % 16 == 0) return special[bits / 16 % (sizeof special / sizeof *special)];
    return (float)(bits >> 8) * (3.0f / (1 << 24)) - 1;
}

kernel_operands *kernel_operands_make(unsigned seed) {
    kernel_operands *o = aligned_alloc(64, (sizeof *o + 63) / 64 * 64);
    uint32_t state = seed * 2654435761u + 1;
    if (!o) return NULL;
    memset(o, 0, sizeof *o);
    for (size_t k = 0; k < 8; k++)
        for (size_t i = 0; i < row; i++) o->floats[k][i] = random_float(&state);
    for (size_t i = 0; i < row; i++) {
        o->doubles[i] = (double)random_float(&state) * 3;
        o->indices[i] = (int32_t)(next(&state) % 256);
        for (size_t k = 0; k < 2; k++) {
            o->longs[k][i] = (int32_t)next(&state);
            o->words[k][i] = (int16_t)next(&state);
        }
    }
    for (size_t k = 0; k < 6; k++)
        for (size_t i = 0; i < 4 * row; i++) o->bytes[k][i] = (uint8_t)(next(&state) >> 11);
    // One seed in each cell of eight pixels.
    for (size_t i = 0; i < 3 * columns; i++) {
        o->seeds[0][i] = (float)(i % columns) * 8 - 16 + (float)(next(&state) % 800) / 100;
        o->seeds[1][i] = (float)(i / columns) * 8 - 8 + (float)(next(&state) % 800) / 100;
    }
    wr_begin_integer_levels(&o->integer_levels);
    wr_begin_float_levels(&o->float_levels);
    o->float_levels.lane = next(&state) % WR_ENERGY_LANES;
    return o;
}

void kernel_operands_copy(kernel_operands *to, const kernel_operands *from) { memcpy(to, from, sizeof *to); }

int kernel_operands_equal(const kernel_operands *a, const kernel_operands *b) { return !memcmp(a, b, sizeof *a); }

void kernel_operands_free(kernel_operands *operands) { free(operands); }

// MARK: Kernels

#define F(K) (o->floats[K] + margin)
#define B(K) (o->bytes[K])
#define W(K) ((uint16_t *)(void *)o->bytes[K])
#define D (o->doubles + margin)

/// Counts for kernels of sixteen lines, which are shorter because each value takes sixteen floats.
#define SHORT (n % 300 + 1)

static const wr_shade_shape shade = {300, 20, 0.004f, 0.01f, 0.2f, 1.7f, 0.8f};
static const wr_leak_shape leak = {10, -5, 0.003f, 0.001f, 0.9f, 0.4f, 0.1f};
static const wr_screen_shape printing = {100, 50, 0.12f, 0.05f, 4};
static const wr_ballistics ballistics = {
    .gain = 1.3, .attack = {0.2, 0.05}, .decay = 0.999, .swing = {0.9, 0.1, -0.1, 0.95}, .hold_samples = 50,
    .hold_decay = 0.99};
static const double gaussian[12] = {
    0.1, 0.05, -0.02, 0.01, 0.08, 0.03, -0.01, 0.02, -1.2, 0.6, -0.1, 0.01};
static const float matrix[12] = {
    1.2f, -0.1f, 0.05f, 3, -0.2f, 1.1f, 0.07f, -2, 0.01f, 0.3f, 0.9f, 0.5f};

#define SEEDS (&(wr_seed_grid){o->seeds[0], o->seeds[1], columns, -16, -8, 8, 8})

#define PLANES(K) ((float *[4]){F(K), F(K + 1), F(K + 2), F(K + 3)})
#define CONST_PLANES(K) ((const float *[4]){F(K), F(K + 1), F(K + 2), F(K + 3)})
#define ROWS ((const float *[5]){F(0), F(1), F(2), F(3), F(4)})
#define PAIR(K) ((const uint8_t *[2]){B(K), B(K + 1)})

/// Every kernel that has variants, with its arguments: `o` are the operands, `n` is the count.
#define KERNELS(K)                                                                                               \
    K(wr_pack_rgb8, F(0), F(1), F(2), B(0), n)                                                                   \
    K(wr_pack_rgba8, F(0), F(1), F(2), F(3), B(0), n)                                                            \
    K(wr_pack_rgb16, F(0), F(1), F(2), W(0), n)                                                                  \
    K(wr_pack_rgba16, F(0), F(1), F(2), F(3), W(0), n)                                                           \
    K(wr_sums_to_planes, o->longs[0], n, F(0), F(1), F(2), n % 2 ? F(3) : NULL)                                  \
    K(wr_bytes_to_floats, B(0), F(0), n, 0.3f)                                                                   \
    K(wr_words_to_floats, W(0), F(0), n, 0.3f)                                                                   \
    K(wr_premultiply_pixels, F(0), n)                                                                            \
    K(wr_resample_columns_f, ROWS, F(5), 1 + n % 5, F(6), n)                                                     \
    K(wr_split_planes, F(0), n, 3 + n % 2, F(1), F(2), F(3), F(4))                                               \
    K(wr_resample_row_f, F(0), o->indices, F(1), 8, n / 8 + 1, F(2))                                             \
    K(wr_turn, F(0), n % 2 ? 1 : -1, 2, F(1), 64, n % 64 + 1, n % 37 + 1)                                        \
    K(wr_composite, n % 5, CONST_PLANES(0), PLANES(4), n, 0.7f)                                                  \
    K(wr_unpack_bgra8, (const uint32_t *)o->longs[0], PLANES(0), n)                                              \
    K(wr_matrix, F(0), F(1), F(2), n, F(3))                                                                      \
    K(wr_decode_srgb, F(0), n)                                                                                   \
    K(wr_encode_srgb, F(0), n)                                                                                   \
    K(wr_power, F(0), n, 1.7f)                                                                                   \
    K(wr_scale_by_luminance, F(0), F(1), F(2), n, matrix, 0.4f, 1.3f)                                            \
    K(wr_clamp, F(0), n, 0, 1)                                                                                   \
    K(wr_polynomial, F(0), n, 0.1f, 0.7f, -0.3f, 0.5f)                                                           \
    K(wr_posterize, F(0), n, 5)                                                                                  \
    K(wr_soft_steps, F(0), F(1), F(2), n, 5)                                                                     \
    K(wr_threshold, F(0), F(1), F(2), n, 0.5f)                                                                   \
    K(wr_vibrance, F(0), F(1), F(2), n, 0.6f)                                                                    \
    K(wr_highlight_shadow, F(0), F(1), F(2), F(3), n, 0.4f, 0.6f)                                                \
    K(wr_luma_plane, F(0), F(1), F(2), F(3), n)                                                                  \
    K(wr_straighten_alpha, F(0), F(1), F(2), F(3), n)                                                            \
    K(wr_premultiply, F(0), F(1), F(2), F(3), n)                                                                 \
    K(wr_curve, F(0), n, F(1), 2 + n % 60)                                                                       \
    K(wr_cube, F(0), F(1), F(2), n, o->floats[3], side, matrix, matrix + 8)                                      \
    K(wr_shade, F(0), F(1), F(2), n, 3.5f, 7.5f, &shade)                                                         \
    K(wr_leak, F(0), F(1), F(2), n, 3.5f, 7.5f, &leak)                                                           \
    K(wr_dither, F(0), F(1), F(2), n, 65530, 7, 0.02f)                                                           \
    K(wr_grain, F(0), F(1), F(2), n, 5, 9, 0.3f, 0.37f, 42)                                                      \
    K(wr_dot_screen, F(0), F(1), F(2), n, 3.5f, 7.5f, &printing)                                                 \
    K(wr_line_screen, F(0), F(1), F(2), n, 3.5f, 7.5f, &printing)                                                \
    K(wr_circular_screen, F(0), F(1), F(2), n, 3.5f, 7.5f, &printing)                                            \
    K(wr_hatched_screen, F(0), F(1), F(2), n, 3.5f, 7.5f, &printing)                                             \
    K(wr_cmyk_halftone, F(0), F(1), F(2), n, 3.5f, 7.5f, &printing, 0.6f)                                        \
    K(wr_strip_from_rows, F(0), 300, n % 16 + 1, SHORT, F(1))                                                    \
    K(wr_strip_to_rows, F(0), F(1), 300, n % 16 + 1, SHORT)                                                      \
    K(wr_strip_from_columns, F(0), 16, SHORT, F(1))                                                              \
    K(wr_strip_to_columns, F(0), F(1), 16, SHORT)                                                                \
    K(wr_strip_gaussian, F(0), F(1), SHORT, gaussian)                                                            \
    K(wr_strip_convolve, F(0), F(1), SHORT, F(2), n % 20)                                                        \
    K(wr_strip_box, F(0), F(1), SHORT, n % 20, 0.3)                                                              \
    K(wr_add_scaled, F(0), F(1), n, 0.3f)                                                                        \
    K(wr_running_sum, F(0), D, n)                                                                                \
    K(wr_add_span, F(0), D, F(1), n, 5, 0.3f)                                                                    \
    K(wr_scale, F(0), n, 0.3f)                                                                                   \
    K(wr_sharpen, F(0), F(1), n, 0.3f)                                                                           \
    K(wr_sharpen_luma, F(0), F(1), F(2), F(3), n, 0.3f)                                                          \
    K(wr_glow_source, F(0), F(1), F(2), n)                                                                       \
    K(wr_screen_with, F(0), F(1), n, 0.3f)                                                                       \
    K(wr_median, F(0), F(1), F(2), F(3), n)                                                                      \
    K(wr_sobel, F(0), F(1), F(2), F(3), n, 0.25f)                                                                \
    K(wr_square, F(0), F(1), n)                                                                                  \
    K(wr_guided_line, F(0), F(1), n, 0.01f)                                                                      \
    K(wr_guided_apply, F(0), F(1), F(2), n)                                                                      \
    K(wr_ink, F(0), F(1), n, 12, 0.4f, 9)                                                                        \
    K(wr_lerp_rows, F(0), F(1), F(2), n, 0.3f)                                                                   \
    K(wr_add_sampled, F(0), F(1), o->indices, F(2), n)                                                           \
    K(wr_sample_cubic, F(0), 64, 60, 50, F(1), n, 3.3f, 40.7f, 0.77f, -0.31f)                                    \
    K(wr_nearest_seeds, SEEDS, 3.5f, o->longs[0], o->longs[1], F(0), F(1), n)                                    \
    K(wr_levels_s16, o->words[0] + n % 3, n, &o->integer_levels)                                                 \
    K(wr_levels_s32, o->longs[0] + n % 3, n, &o->integer_levels)                                                 \
    K(wr_levels_f32, F(0) + n % 3, n, &o->float_levels)                                                          \
    K(wr_rgb_from_yuv420, B(0), PAIR(1), PAIR(3), F(0), F(1), F(2), n)                                           \
    K(wr_yuv_from_rgb, F(0), F(1), F(2), B(0), F(3), F(4), n)                                                    \
    K(wr_chroma420, F(0), F(1), B(0), n)                                                                         \
    K(wr_blend_bytes, B(0), B(1), 0.25f, F(0), n)                                                                \
    K(wr_blend_words, W(0), W(1), 0.25f, F(0), n)                                                                \
    K(wr_upsample_cosited, F(0), F(1), n)                                                                        \
    K(wr_upsample_centered, F(0), F(1), n)                                                                       \
    K(wr_ycbcr_to_bytes_rgb, F(0), F(1), F(2), matrix, B(0), n)                                                  \
    K(wr_ycbcr_to_words_rgb, F(0), F(1), F(2), matrix, W(0), n)                                                  \
    K(wr_ycbcr_to_bytes_rgba, F(0), F(1), F(2), F(3), 255, matrix, B(0), n)                                      \
    K(wr_ycbcr_to_words_rgba, F(0), F(1), F(2), F(3), 65535, matrix, W(0), n)                                    \
    K(wr_similarity_blocks, B(0), row, B(4), row, n / 4 + 1, (wr_similarity_sums *)(void *)o->floats[0])         \
    K(wr_luma8, F(0), F(1), F(2), B(0), n)                                                                       \
    K(wr_pick_s16, o->words[0], 1 + n % 3, o->words[1], n)                                                       \
    K(wr_pick_s32, o->longs[0], 1 + n % 3, o->longs[1], n)                                                       \
    K(wr_pick_f32, F(0), 1 + n % 3, F(1), n)                                                                     \
    K(wr_floats_from_s16, o->words[0], 1 + n % 3, F(0), n)                                                       \
    K(wr_floats_from_s32, o->longs[0], 1 + n % 3, F(0), n)                                                       \
    K(wr_words_from_s32, o->longs[0], 1 + n % 3, o->words[0], n)                                                 \
    K(wr_words_from_f32, F(0), 1 + n % 3, o->words[0], n, 32767)                                                 \
    K(wr_words_below_f32, F(0), 1 + n % 3, o->words[0], n)                                                       \
    K(wr_add_words, o->words[0], o->indices, n)                                                                  \
    K(wr_words_from_sums, o->indices, 1 + n % 64, o->words[0], n)                                                \
    K(wr_means_of_pairs, o->words[0], o->words[1], n)                                                            \
    K(wr_follow_peak, &ballistics, F(0), F(1), n, &o->meter)                                                     \
    K(wr_follow_quasi_peak, &ballistics, F(0), F(1), n, &o->meter)                                               \
    K(wr_follow_power, &ballistics, F(0), F(1), n, &o->meter)                                                    \
    K(wr_follow_mean, &ballistics, F(0), F(1), n, &o->meter)                                                     \
    K(wr_pcm_s8, B(0), B(4), n)                                                                                  \
    K(wr_pcm_u8, B(0), B(4), n)                                                                                  \
    K(wr_pcm_s16_swapped, B(0), B(4), n)                                                                         \
    K(wr_pcm_mulaw, B(0), B(4), n)                                                                               \
    K(wr_pcm_alaw, B(0), B(4), n)                                                                                \
    K(wr_pcm_s24le, B(0), B(4), n)                                                                               \
    K(wr_pcm_s24be, B(0), B(4), n)                                                                               \
    K(wr_pcm_s32_swapped, B(0), B(4), n)                                                                         \
    K(wr_pcm_s64, B(0), B(4), n)                                                                                 \
    K(wr_pcm_f64, D, F(0), n)                                                                                    \
    K(wr_pcm_f64_swapped, D, F(0), n)                                                                            \
    K(wr_silence_not_finite, (float *)(void *)B(0), n)                                                           \
    K(wr_levels_to_int16, F(0), n, 1.7, o->words[0], 1 + n % 3)

/// The kernels that return a value.
#define RESULTS(K) K(wr_count_not_finite, (const float *)(const void *)B(0), n)

// MARK: Variants

#if defined(__x86_64__) && !defined(WR_NO_CLONES)

/// The compiler's names for the variants that `target_clones` generates.
#define DECLARE(NAME, ...)                                                                                       \
    extern __typeof__(NAME) NAME##_plain __asm__(#NAME ".default.2");                                            \
    extern __typeof__(NAME) NAME##_v3 __asm__(#NAME ".arch_x86-64-v3.1");                                        \
    extern __typeof__(NAME) NAME##_v4 __asm__(#NAME ".arch_x86-64-v4.0");
#define VARIANTS(NAME) {NAME##_plain, NAME##_v3, NAME##_v4}

size_t kernel_variants(void) {
    return 1 + (__builtin_cpu_supports("x86-64-v3") != 0) + (__builtin_cpu_supports("x86-64-v4") != 0);
}

#else

#define DECLARE(NAME, ...)
#define VARIANTS(NAME) {NAME, NAME, NAME}

size_t kernel_variants(void) { return 1; }

#endif

KERNELS(DECLARE)
RESULTS(DECLARE)

#define RUN(NAME, ...)                                                                                           \
    static void run_##NAME(size_t variant, kernel_operands *o, size_t n) {                                       \
        static __typeof__(NAME) *const variants[] = VARIANTS(NAME);                                              \
        variants[variant](__VA_ARGS__);                                                                          \
    }
#define RUN_RESULT(NAME, ...)                                                                                    \
    static void run_##NAME(size_t variant, kernel_operands *o, size_t n) {                                       \
        static __typeof__(NAME) *const variants[] = VARIANTS(NAME);                                              \
        o->result = (double)variants[variant](__VA_ARGS__);                                                      \
    }
KERNELS(RUN)
RESULTS(RUN_RESULT)

#define ENTRY(NAME, ...) {#NAME, run_##NAME},

static const struct {
    const char *name;
    void (*run)(size_t variant, kernel_operands *operands, size_t count);
} kernels[] = {KERNELS(ENTRY) RESULTS(ENTRY)};

size_t kernel_count(void) { return sizeof kernels / sizeof *kernels; }

const char *kernel_name(size_t kernel) { return kernels[kernel].name; }

void kernel_run(size_t kernel, size_t variant, kernel_operands *operands, size_t count) {
    kernels[kernel].run(variant, operands, count);
}
