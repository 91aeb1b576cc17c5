// The resampler's fast path: 8-bit images without alpha, in integers. All versions give identical results.

#include "WayreelKernels.h"

#include "clones.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl")))
#define HAS_SSSE3 (generation >= 1 && __builtin_cpu_supports("ssse3"))
#define HAS_AVX2 (generation >= 2 && __builtin_cpu_supports("avx2"))
#define HAS_AVX512 (generation >= 3 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
#endif

static int generation = 3;

void wr_limit_instructions(int newest) { generation = newest; }

enum { row_bits = 6, column_shift = WR_WEIGHT_BITS - row_bits };

static inline int16_t saturated(int32_t value) {
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

// MARK: Pairs of rows

#if defined(__x86_64__)
AVX2 static void pair_rows_avx2(const uint8_t *upper, const uint8_t *lower, uint8_t *pair, size_t count) {
    for (size_t x = 0; x < count; x += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(upper + x));
        __m256i b = _mm256_loadu_si256((const __m256i *)(lower + x));
        __m256i low = _mm256_unpacklo_epi8(a, b), high = _mm256_unpackhi_epi8(a, b);
        _mm256_storeu_si256((__m256i *)(pair + 2 * x), _mm256_permute2x128_si256(low, high, 0x20));
        _mm256_storeu_si256((__m256i *)(pair + 2 * x + 32), _mm256_permute2x128_si256(low, high, 0x31));
    }
}
#endif

void wr_pair_rows(const uint8_t *upper, const uint8_t *lower, uint8_t *pair, size_t count) {
#if defined(__x86_64__)
    if (HAS_AVX2) return pair_rows_avx2(upper, lower, pair, count);
#endif
    for (size_t x = 0; x < count; x++) {
        pair[2 * x] = upper[x];
        pair[2 * x + 1] = lower[x];
    }
}

// MARK: Columns

#if defined(__x86_64__)
static inline int32_t weight_pair(const int16_t *weights) {
    int32_t both;
    __builtin_memcpy(&both, weights, sizeof both);
    return both;
}

AVX512 static void columns_avx512(
    const uint8_t *const *pairs, const int16_t *weights, size_t pair_count, int16_t *out, size_t count) {
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    const __m512i half = _mm512_set1_epi32(1 << (column_shift - 1));
    for (size_t x = 0; x < count; x += 64) {
        __m512i sums[4] = {half, half, half, half};
        for (size_t k = 0; k < pair_count; k++) {
            const uint8_t *in = pairs[k] + 2 * x;
            __m512i weight = _mm512_set1_epi32(weight_pair(weights + 2 * k));
            for (int i = 0; i < 4; i++) {
                __m512i values = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(in + 32 * i)));
                sums[i] = _mm512_add_epi32(sums[i], _mm512_madd_epi16(weight, values));
            }
        }
        for (int i = 0; i < 4; i += 2) {
            __m512i packed = _mm512_packs_epi32(
                _mm512_srai_epi32(sums[i], column_shift), _mm512_srai_epi32(sums[i + 1], column_shift));
            _mm512_storeu_si512(out + x + 16 * i, _mm512_permutexvar_epi64(order, packed));
        }
    }
}

AVX2 static void columns_avx2(
    const uint8_t *const *pairs, const int16_t *weights, size_t pair_count, int16_t *out, size_t count) {
    const __m256i half = _mm256_set1_epi32(1 << (column_shift - 1));
    for (size_t x = 0; x < count; x += 32) {
        __m256i sums[4] = {half, half, half, half};
        for (size_t k = 0; k < pair_count; k++) {
            const uint8_t *in = pairs[k] + 2 * x;
            __m256i weight = _mm256_set1_epi32(weight_pair(weights + 2 * k));
            for (int i = 0; i < 4; i++) {
                __m256i values = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(in + 16 * i)));
                sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(weight, values));
            }
        }
        for (int i = 0; i < 4; i += 2) {
            __m256i packed = _mm256_packs_epi32(
                _mm256_srai_epi32(sums[i], column_shift), _mm256_srai_epi32(sums[i + 1], column_shift));
            _mm256_storeu_si256((__m256i *)(out + x + 8 * i), _mm256_permute4x64_epi64(packed, 0xD8));
        }
    }
}
#endif

void wr_resample_columns(
    const uint8_t *const *pairs, const int16_t *weights, size_t pair_count, int16_t *out, size_t count) {
#if defined(__x86_64__)
    if (HAS_AVX512) return columns_avx512(pairs, weights, pair_count, out, count);
    if (HAS_AVX2) return columns_avx2(pairs, weights, pair_count, out, count);
#endif
    for (size_t x = 0; x < count; x++) {
        int32_t sum = 1 << (column_shift - 1);
        for (size_t k = 0; k < pair_count; k++)
            sum += weights[2 * k] * pairs[k][2 * x] + weights[2 * k + 1] * pairs[k][2 * x + 1];
        out[x] = saturated(sum >> column_shift);
    }
}

// MARK: Pairs of pixels

#if defined(__x86_64__)
__attribute__((target("ssse3"))) static void pair_pixels_ssse3(
    const int16_t *in, int16_t *out, size_t pixels, size_t components) {
    const __m128i three = _mm_setr_epi8(0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, -1, -1, -1, -1);
    const __m128i four = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    const __m128i order = components == 3 ? three : four;
    for (size_t x = 0; x < pixels; x += 2) {
        __m128i two = _mm_loadu_si128((const __m128i *)(in + components * x));
        _mm_storeu_si128((__m128i *)(out + 4 * x), _mm_shuffle_epi8(two, order));
    }
}
#endif

void wr_pair_pixels(const int16_t *in, int16_t *out, size_t pixels, size_t components) {
#if defined(__x86_64__)
    if (HAS_SSSE3) return pair_pixels_ssse3(in, out, pixels, components);
#endif
    for (size_t x = 0; x < pixels; x += 2)
        for (size_t c = 0; c < 4; c++)
            for (size_t p = 0; p < 2; p++)
                out[4 * x + 2 * c + p] = c < components ? in[components * (x + p) + c] : 0;
}

// MARK: Interleaved rows

WR_CLONES void wr_interleave_rows(const int16_t *const rows[4], int16_t *out, size_t count) {
    const int16_t *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    for (size_t x = 0; x < count; x += 2, out += 8) {
        __builtin_memcpy(out, a + x, 4);
        __builtin_memcpy(out + 2, b + x, 4);
        __builtin_memcpy(out + 4, c + x, 4);
        __builtin_memcpy(out + 6, d + x, 4);
    }
}

// MARK: Rows

#if defined(__x86_64__)
AVX512 static inline __m128i fold_avx512(__m512i sum) {
    __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
    return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

AVX512 static void rows_avx512(
    const int16_t *const rows[4], const int32_t *first, const int16_t *weights, size_t taps, size_t outputs,
    int32_t *const out[4]) {
    for (size_t i = 0; i < outputs; i++, weights += 4 * taps) {
        size_t start = 4 * (size_t)first[i];
        __m512i sums[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
        for (size_t k = 0; k < 4 * taps; k += 32) {
            __m512i weight = _mm512_loadu_si512(weights + k);
            for (int r = 0; r < 4; r++)
                sums[r] = _mm512_add_epi32(
                    sums[r], _mm512_madd_epi16(weight, _mm512_loadu_si512(rows[r] + start + k)));
        }
        for (int r = 0; r < 4; r++) _mm_storeu_si128((__m128i *)(out[r] + 4 * i), fold_avx512(sums[r]));
    }
}

AVX2 static void rows_avx2(
    const int16_t *const rows[4], const int32_t *first, const int16_t *weights, size_t taps, size_t outputs,
    int32_t *const out[4]) {
    for (size_t i = 0; i < outputs; i++, weights += 4 * taps) {
        size_t start = 4 * (size_t)first[i];
        __m256i sums[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
        for (size_t k = 0; k < 4 * taps; k += 16) {
            __m256i weight = _mm256_loadu_si256((const __m256i *)(weights + k));
            for (int r = 0; r < 4; r++)
                sums[r] = _mm256_add_epi32(
                    sums[r],
                    _mm256_madd_epi16(weight, _mm256_loadu_si256((const __m256i *)(rows[r] + start + k))));
        }
        for (int r = 0; r < 4; r++)
            _mm_storeu_si128(
                (__m128i *)(out[r] + 4 * i),
                _mm_add_epi32(_mm256_castsi256_si128(sums[r]), _mm256_extracti128_si256(sums[r], 1)));
    }
}
#endif

void wr_resample_rows(
    const int16_t *const rows[4], const int32_t *first, const int16_t *weights, size_t taps, size_t outputs,
    int32_t *const sums[4]) {
#if defined(__x86_64__)
    if (HAS_AVX512) return rows_avx512(rows, first, weights, taps, outputs, sums);
    if (HAS_AVX2) return rows_avx2(rows, first, weights, taps, outputs, sums);
#endif
    for (size_t i = 0; i < outputs; i++, weights += 4 * taps) {
        size_t start = 4 * (size_t)first[i];
        for (int r = 0; r < 4; r++) {
            int32_t sum[4] = {0};
            for (size_t k = 0; k < 4 * taps; k++) sum[k / 2 % 4] += rows[r][start + k] * weights[k];
            for (int c = 0; c < 4; c++) sums[r][4 * i + c] = sum[c];
        }
    }
}

WR_CLONES void wr_sums_to_planes(
    const int32_t *restrict sums, size_t count, float *restrict red, float *restrict green, float *restrict blue,
    float *restrict fourth) {
    const float scale = 1.0f / (255.0f * (float)(1 << (row_bits + WR_WEIGHT_BITS)));
    for (size_t x = 0; x < count; x++) {
        red[x] = (float)sums[4 * x] * scale;
        green[x] = (float)sums[4 * x + 1] * scale;
        blue[x] = (float)sums[4 * x + 2] * scale;
    }
    if (fourth)
        for (size_t x = 0; x < count; x++) fourth[x] = (float)sums[4 * x + 3] * scale;
}
