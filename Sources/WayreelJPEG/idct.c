// Dequantizes blocks and transforms them into samples, at 8, 6, 4, 3, 2 or 1 eighths of their size.
//
// The n × n samples are the inverse DCT of the n × n lowest frequencies. With 8 they are those of libjpeg's accurate integer
// transform, also where damaged coefficients overflow: its vector instructions (jidctint) add some of them in 16 bits before they
// multiply, and so does `rows8`. All versions give the same samples.

#include <math.h>
#include <string.h>

#include "decoder.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2")))
#endif

int wj_generation = 3;

void wj_limit_instructions(int newest) { wj_generation = newest; }

enum { MATRIX_BITS = 13, COLUMN_SHIFT = MATRIX_BITS - 2, ROW_SHIFT = MATRIX_BITS + 5 };
enum {
    COLUMN_ROUND = 1 << (COLUMN_SHIFT - 1),
    ROW_ROUND8 = 1 << (ROW_SHIFT - 1),
    // With the 128 that samples are shifted by; at size 8 they are added last.
    ROW_ROUND = ROW_ROUND8 + (128 << ROW_SHIFT),
};

typedef int16_t row_of_four[4];

/// The upper half of an inverse DCT: sample y is even + odd, and sample n − 1 − y is even − odd. Frequencies 0, 2, 4, 6 and
/// 1, 3, 5, 7; in units of 2^−13, and √8 as large as an orthonormal one.
typedef struct {
    row_of_four even[4], odd[4];
} half_matrix;

// Those of size n have √2 cos((2y + 1) v π / 2n) in row y for frequency v, and 1 for frequency 0. Of size 8, only the four lowest
// frequencies are used: see `rows8`.
static const half_matrix matrix8 = {
    {{8192, 10703, 0, 0}, {8192, 4433, 0, 0}, {8192, -4433, 0, 0}, {8192, -10703, 0, 0}},
    {{11363, 9633, 0, 0}, {9633, -2259, 0, 0}, {6437, -11362, 0, 0}, {2260, -6436, 0, 0}},
};
static const half_matrix matrix6 = {
    {{8192, 10033, 5793, 0}, {8192, 0, -11585, 0}, {8192, -10033, 5793, 0}},
    {{11190, 8192, 2998, 0}, {8192, -8192, -8192, 0}, {2998, -8192, 11190, 0}},
};
static const half_matrix matrix4 = {
    {{8192, 8192, 0, 0}, {8192, -8192, 0, 0}},
    {{10703, 4433, 0, 0}, {4433, -10703, 0, 0}},
};
static const half_matrix matrix3 = {
    {{8192, 5793, 0, 0}, {8192, -11585, 0, 0}},
    {{10033, 0, 0, 0}, {0, 0, 0, 0}},
};

static const half_matrix *matrix_of(int scale) {
    static const half_matrix *const matrices[9] = {[3] = &matrix3, [4] = &matrix4, [6] = &matrix6};
    return matrices[scale];
}

/// Row y of the matrix of size 8 as libjpeg has it. Even: 2^13 (f0 ± f4), f2 and f6. Odd: f3 + f7, f1 + f5, and what is left for
/// f1 and f7 in the first and the last row, for f3 and f5 in the others.
typedef struct {
    int16_t two, six, three_seven, one_five, first, second;
} row_of_eight;

static const row_of_eight rows8[4] = {
    {10703, 4433, 9633, 6437, 4926, -7373},
    {4433, -10704, -6436, 9633, 4177, -20995},
    {-4433, 10704, 9633, 6437, -20995, -4176},
    {-10703, -4433, -6436, 9633, -7373, -4927},
};
static int is_outer(int y) { return y == 0 || y == 3; }

// MARK: Portable

static int16_t saturated(int32_t value) { return (int16_t)(value < -32768 ? -32768 : value > 32767 ? 32767 : value); }
static uint8_t sample(int32_t value) { return (uint8_t)(value & ~255 ? (value < 0 ? 0 : 255) : value); }

/// The sample of a block that has only DC. At size 8, four times its value wraps in 16 bits.
static uint8_t flat_sample(int16_t dc, int16_t quantization, int scale) {
    int32_t value = 4 * (int16_t)(uint32_t)((int32_t)dc * quantization);
    value = scale == 8 ? (int16_t)(uint32_t)value : saturated(value);
    return sample(((value * 8192 + ROW_ROUND8) >> ROW_SHIFT) + 128);
}

/// Values `in`, `step` apart, to as many, rounded.
static void transform_line(const half_matrix *matrix, int n, const int16_t *in, size_t step, int32_t round, int shift, int32_t *out) {
    for (int y = 0; y < (n + 1) / 2; y++) {
        int32_t even = round, odd = 0;
        for (int v = 0; v < n; v += 2) even += matrix->even[y][v / 2] * in[(size_t)v * step];
        for (int v = 1; v < n; v += 2) odd += matrix->odd[y][v / 2] * in[(size_t)v * step];
        out[y] = (even + odd) >> shift;
        out[n - 1 - y] = (even - odd) >> shift;
    }
}

/// The same for size 8. The sums of three and four terms wrap in 32 bits.
static void transform_line8(const int16_t *in, size_t step, int32_t round, int shift, int32_t *out) {
    int32_t f[8];
    for (size_t v = 0; v < 8; v++) f[v] = in[v * step];
    int16_t sum04 = (int16_t)(f[0] + f[4]), difference04 = (int16_t)(f[0] - f[4]);
    int16_t sum37 = (int16_t)(f[3] + f[7]), sum15 = (int16_t)(f[1] + f[5]);
    for (int y = 0; y < 4; y++) {
        const row_of_eight *row = &rows8[y];
        int32_t zero = is_outer(y) ? sum04 : difference04, first = is_outer(y) ? f[1] : f[3], second = is_outer(y) ? f[7] : f[5];
        uint32_t even = (uint32_t)(8192 * zero) + (uint32_t)(row->two * f[2]) + (uint32_t)(row->six * f[6]) + (uint32_t)round;
        uint32_t odd = (uint32_t)(row->three_seven * sum37) + (uint32_t)(row->one_five * sum15)
                       + (uint32_t)(row->first * first) + (uint32_t)(row->second * second);
        out[y] = (int32_t)(even + odd) >> shift;
        out[7 - y] = (int32_t)(even - odd) >> shift;
    }
}

static void transform_block8(const wj_block_format *format, int16_t *block, int16_t dc, uint8_t *samples, size_t stride) {
    int16_t values[64];
    int32_t line[8];
    int lower = 0;
    block[0] = dc;
    for (int i = 0; i < 64; i++) values[i] = (int16_t)(uint32_t)((int32_t)block[i] * format->quantization[i]);
    for (int i = 8; i < 64; i++) lower |= block[i];
    for (int x = 0; x < 8; x++) {
        transform_line8(values + x, 8, COLUMN_ROUND, COLUMN_SHIFT, line);
        int16_t same = (int16_t)(uint32_t)(values[x] * 4);
        for (int y = 0; y < 8; y++) values[8 * y + x] = lower ? saturated(line[y]) : same;
    }
    for (int y = 0; y < 8; y++) {
        transform_line8(values + 8 * y, 1, ROW_ROUND8, ROW_SHIFT, line);
        for (int x = 0; x < 8; x++) samples[(size_t)y * stride + (size_t)x] = sample(line[x] + 128);
    }
}

static void transform_block(const wj_block_format *format, int16_t *block, int16_t dc, uint8_t *samples, size_t stride) {
    const half_matrix *matrix = matrix_of(format->scale);
    int n = format->scale;
    int16_t values[64];
    int32_t line[8];
    block[0] = dc;
    // 16 bits of the product, as libjpeg's vector instructions have it.
    for (int i = 0; i < format->size; i++) values[i] = (int16_t)(uint32_t)((int32_t)block[i] * format->quantization[i]);
    for (int x = 0; x < n; x++) {
        transform_line(matrix, n, values + x, (size_t)format->pitch, COLUMN_ROUND, COLUMN_SHIFT, line);
        for (int y = 0; y < n; y++) values[y * format->pitch + x] = saturated(line[y]);
    }
    for (int y = 0; y < n; y++) {
        transform_line(matrix, n, values + y * format->pitch, 1, ROW_ROUND, ROW_SHIFT, line);
        for (int x = 0; x < n; x++) samples[(size_t)y * stride + (size_t)x] = sample(line[x]);
    }
}

// MARK: AVX2

#if defined(__x86_64__)

#define LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define LOAD_HALF(p) _mm_loadu_si128((const __m128i *)(const void *)(p))

/// Two values as the pair that vpmaddwd multiplies.
AVX2 static inline __m256i pair(int first, int second) {
    return _mm256_set1_epi32((int)((uint32_t)(uint16_t)first | (uint32_t)(uint16_t)second << 16));
}

/// Two values in the pairs of the lower half, two in those of the upper half.
AVX2 static inline __m256i pairs_of_rows(__m128i a, __m128i b) {
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_unpacklo_epi16(a, b)), _mm_unpackhi_epi16(a, b), 1);
}

/// One pass over eight lines at once: row v of `in` has frequency v of each, row y of `out` sample y. `n` and `kept`, the
/// frequencies that are not 0, are constants where this is inlined.
AVX2 WJ_INLINE void pass8(const __m128i in[8], __m128i out[8], const half_matrix *m, int n, int kept, int round, int shift) {
    const __m256i rounding = _mm256_set1_epi32(round);
    __m256i even[4], odd[4], sum[4], difference[4];
    if (n == 8 && kept > 4) {
        __m256i plus = pairs_of_rows(_mm_add_epi16(in[0], in[4]), in[2]), minus = pairs_of_rows(_mm_sub_epi16(in[0], in[4]), in[2]);
        __m256i six = pairs_of_rows(in[6], _mm_setzero_si128());
        __m256i sums = pairs_of_rows(_mm_add_epi16(in[3], in[7]), _mm_add_epi16(in[1], in[5]));
        __m256i outer = pairs_of_rows(in[1], in[7]), inner = pairs_of_rows(in[3], in[5]);
        for (int y = 0; y < 4; y++) {
            const row_of_eight *row = &rows8[y];
            even[y] = _mm256_add_epi32(
                _mm256_madd_epi16(is_outer(y) ? plus : minus, pair(8192, row->two)), _mm256_madd_epi16(six, pair(row->six, 0)));
            odd[y] = _mm256_add_epi32(
                _mm256_madd_epi16(sums, pair(row->three_seven, row->one_five)),
                _mm256_madd_epi16(is_outer(y) ? outer : inner, pair(row->first, row->second)));
        }
    } else {
        __m256i even02 = pairs_of_rows(in[0], in[2]), odd13 = pairs_of_rows(in[1], in[3]);
        for (int y = 0; y < n / 2; y++) {
            even[y] = _mm256_madd_epi16(even02, pair(m->even[y][0], m->even[y][1]));
            odd[y] = _mm256_madd_epi16(odd13, pair(m->odd[y][0], m->odd[y][1]));
        }
        if (kept > 4) {
            __m256i four = pairs_of_rows(in[4], _mm_setzero_si128()), five = pairs_of_rows(in[5], _mm_setzero_si128());
            for (int y = 0; y < n / 2; y++) {
                even[y] = _mm256_add_epi32(even[y], _mm256_madd_epi16(four, pair(m->even[y][2], 0)));
                odd[y] = _mm256_add_epi32(odd[y], _mm256_madd_epi16(five, pair(m->odd[y][2], 0)));
            }
        }
    }
    for (int y = 0; y < n / 2; y++) {
        even[y] = _mm256_add_epi32(even[y], rounding);
        sum[y] = _mm256_srai_epi32(_mm256_add_epi32(even[y], odd[y]), shift);
        difference[y] = _mm256_srai_epi32(_mm256_sub_epi32(even[y], odd[y]), shift);
    }
    if (n == 6) sum[3] = difference[3] = _mm256_setzero_si256();
    // Packing works in halves: lines 0…3 of two rows, then lines 4…7.
    __m256i s01 = _mm256_permute4x64_epi64(_mm256_packs_epi32(sum[0], sum[1]), 0xD8);
    __m256i s23 = _mm256_permute4x64_epi64(_mm256_packs_epi32(sum[2], sum[3]), 0xD8);
    __m256i d01 = _mm256_permute4x64_epi64(_mm256_packs_epi32(difference[0], difference[1]), 0xD8);
    __m256i d23 = _mm256_permute4x64_epi64(_mm256_packs_epi32(difference[2], difference[3]), 0xD8);
    out[0] = _mm256_castsi256_si128(s01);
    out[1] = _mm256_extracti128_si256(s01, 1);
    out[2] = _mm256_castsi256_si128(s23);
    if (n == 8) {
        out[3] = _mm256_extracti128_si256(s23, 1);
        out[4] = _mm256_extracti128_si256(d23, 1);
    }
    out[n - 3] = _mm256_castsi256_si128(d23);
    out[n - 2] = _mm256_extracti128_si256(d01, 1);
    out[n - 1] = _mm256_castsi256_si128(d01);
    for (int y = n; y < 8; y++) out[y] = _mm_setzero_si128();
}

AVX2 WJ_INLINE void transpose8(__m128i r[8]) {
    __m128i a[8], b[8];
    for (int i = 0; i < 4; i++) {
        a[i] = _mm_unpacklo_epi16(r[i], r[i + 4]);
        a[i + 4] = _mm_unpackhi_epi16(r[i], r[i + 4]);
    }
    for (int i = 0; i < 2; i++) {
        b[i] = _mm_unpacklo_epi16(a[i], a[i + 2]);
        b[i + 2] = _mm_unpackhi_epi16(a[i], a[i + 2]);
        b[i + 4] = _mm_unpacklo_epi16(a[i + 4], a[i + 6]);
        b[i + 6] = _mm_unpackhi_epi16(a[i + 4], a[i + 6]);
    }
    for (int i = 0; i < 8; i += 2) {
        r[i] = _mm_unpacklo_epi16(b[i], b[i + 1]);
        r[i + 1] = _mm_unpackhi_epi16(b[i], b[i + 1]);
    }
}

/// One block of rows of eight values; `n` is 8 or 6.
AVX2 WJ_INLINE void block8_avx2(
    const half_matrix *m, int n, const int16_t *q, int16_t *block, int16_t dc, uint8_t *samples, size_t stride) {
    const __m256i zero = _mm256_setzero_si256();
    const int row_round = n == 8 ? ROW_ROUND8 : ROW_ROUND;
    __m256i a = LOAD(block), b = LOAD(block + 16), c = LOAD(block + 32), d = n == 8 ? LOAD(block + 48) : zero;
    __m256i lower = _mm256_or_si256(c, d);
    const __m256i right = _mm256_setr_epi64x(0, -1, 0, -1);
    int is_small = _mm256_testz_si256(lower, lower) && _mm256_testz_si256(_mm256_or_si256(a, b), right);
    const __m256i second_row = _mm256_setr_epi64x(0, 0, -1, -1);
    int has_one_row = n == 8 && _mm256_testz_si256(_mm256_or_si256(lower, b), _mm256_set1_epi8(-1)) && _mm256_testz_si256(a, second_row);
    __m128i in[8], out[8];
    in[0] = _mm_insert_epi16(_mm256_castsi256_si128(a), dc, 0);
    in[1] = _mm256_extracti128_si256(a, 1);
    in[2] = _mm256_castsi256_si128(b);
    in[3] = _mm256_extracti128_si256(b, 1);
    if (is_small) {
        const __m256i ac = _mm256_setr_epi64x(~0xFFFFLL, -1, -1, -1);
        if (_mm256_testz_si256(a, ac) && _mm256_testz_si256(b, b)) {
            uint64_t all = (uint64_t)flat_sample(dc, q[0], n) * 0x0101010101010101u;
            for (int y = 0; y < n; y++) memcpy(samples + (size_t)y * stride, &all, (size_t)n);
            return;
        }
        for (int i = 0; i < 4; i++) in[i] = _mm_mullo_epi16(in[i], LOAD_HALF(q + 8 * i));
        if (has_one_row) for (int y = 0; y < 8; y++) out[y] = _mm_slli_epi16(in[0], 2);
        else pass8(in, out, m, n, 4, COLUMN_ROUND, COLUMN_SHIFT);
        transpose8(out);
        pass8(out, in, m, n, 4, row_round, ROW_SHIFT);
        memset(block, 0, 64);
    } else {
        in[4] = _mm256_castsi256_si128(c);
        in[5] = _mm256_extracti128_si256(c, 1);
        in[6] = _mm256_castsi256_si128(d);
        in[7] = _mm256_extracti128_si256(d, 1);
        for (int i = 0; i < n; i++) in[i] = _mm_mullo_epi16(in[i], LOAD_HALF(q + 8 * i));
        if (has_one_row) for (int y = 0; y < 8; y++) out[y] = _mm_slli_epi16(in[0], 2);
        else pass8(in, out, m, n, 8, COLUMN_ROUND, COLUMN_SHIFT);
        transpose8(out);
        pass8(out, in, m, n, 8, row_round, ROW_SHIFT);
        memset(block, 0, (size_t)n * 16);
    }
    transpose8(in);
    for (int y = 0; y < n; y += 2) {
        __m128i two = n == 8 ? _mm_xor_si128(_mm_packs_epi16(in[y], in[y + 1]), _mm_set1_epi8(-128))
                             : _mm_packus_epi16(in[y], in[y + 1]);
        uint64_t first = (uint64_t)_mm_cvtsi128_si64(two), second = (uint64_t)_mm_extract_epi64(two, 1);
        memcpy(samples + (size_t)y * stride, &first, (size_t)n);
        memcpy(samples + (size_t)(y + 1) * stride, &second, (size_t)n);
    }
}

/// The value of a whole matrix in row `y` for frequency `v`; 0 beyond it.
WJ_INLINE int16_t whole(const half_matrix *m, int n, int y, int v) {
    if (y >= n || v >= n) return 0;
    int is_lower = y >= (n + 1) / 2, row = is_lower ? n - 1 - y : y;
    if (v % 2 == 0) return m->even[row][v / 2];
    return (int16_t)(is_lower ? -m->odd[row][v / 2] : m->odd[row][v / 2]);
}

/// Two blocks of rows of four values; `n` is 4 or 3.
AVX2 WJ_INLINE void blocks4_avx2(
    int n, const int16_t *q, const int16_t *first, const int16_t *second, const int16_t dc[2], uint8_t *samples, size_t stride,
    int count) {
    const half_matrix *m = n == 4 ? &matrix4 : &matrix3;
    const __m256i low = n == 4 ? LOAD(q) : _mm256_and_si256(LOAD(q), _mm256_setr_epi64x(-1, -1, -1, 0));
    __m256i a = _mm256_mullo_epi16(_mm256_insert_epi16(LOAD(first), dc[0], 0), low);
    __m256i b = _mm256_mullo_epi16(_mm256_insert_epi16(LOAD(second), dc[1], 0), low);
    // Rows 0 and 1 of both blocks, rows 2 and 3 of both; in pairs of rows.
    const __m256i pairs = _mm256_setr_epi8(
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    __m256i rows01 = _mm256_shuffle_epi8(_mm256_permute2x128_si256(a, b, 0x20), pairs);
    __m256i rows23 = _mm256_shuffle_epi8(_mm256_permute2x128_si256(a, b, 0x31), pairs);
    __m256i t[4];
    for (int y = 0; y < 4; y++) {
        __m256i sum = _mm256_add_epi32(
            _mm256_madd_epi16(rows01, pair(whole(m, n, y, 0), whole(m, n, y, 1))),
            _mm256_madd_epi16(rows23, pair(whole(m, n, y, 2), whole(m, n, y, 3))));
        t[y] = _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(COLUMN_ROUND)), COLUMN_SHIFT);
    }
    // Each half has rows of frequencies of one block: a pair of frequencies times those of four samples.
    __m256i t01 = _mm256_packs_epi32(t[0], t[1]), t23 = _mm256_packs_epi32(t[2], t[3]);
#define COLUMN(i, v) (int)((uint32_t)(uint16_t)whole(m, n, i, v) | (uint32_t)(uint16_t)whole(m, n, i, (v) + 1) << 16)
    const __m256i m01 = _mm256_setr_epi32(
        COLUMN(0, 0), COLUMN(1, 0), COLUMN(2, 0), COLUMN(3, 0), COLUMN(0, 0), COLUMN(1, 0), COLUMN(2, 0), COLUMN(3, 0));
    const __m256i m23 = _mm256_setr_epi32(
        COLUMN(0, 2), COLUMN(1, 2), COLUMN(2, 2), COLUMN(3, 2), COLUMN(0, 2), COLUMN(1, 2), COLUMN(2, 2), COLUMN(3, 2));
#define ROW(rows, i, j)                                                                                                  \
    _mm256_srai_epi32(                                                                                                   \
        _mm256_add_epi32(                                                                                                \
            _mm256_add_epi32(                                                                                            \
                _mm256_madd_epi16(_mm256_shuffle_epi32(rows, (i) * 0x55), m01),                                          \
                _mm256_madd_epi16(_mm256_shuffle_epi32(rows, (j) * 0x55), m23)),                                         \
            _mm256_set1_epi32(ROW_ROUND)),                                                                               \
        ROW_SHIFT)
    __m256i packed = _mm256_packus_epi16(
        _mm256_packs_epi32(ROW(t01, 0, 1), ROW(t01, 2, 3)), _mm256_packs_epi32(ROW(t23, 0, 1), ROW(t23, 2, 3)));
    __m128i of_first = _mm256_castsi256_si128(packed), of_second = _mm256_extracti128_si256(packed, 1);
    __m128i upper = _mm_unpacklo_epi32(of_first, of_second), lower = _mm_unpackhi_epi32(of_first, of_second);
    if (n == 3) {
        const __m128i close = _mm_setr_epi8(0, 1, 2, 4, 5, 6, -1, -1, 8, 9, 10, 12, 13, 14, -1, -1);
        upper = _mm_shuffle_epi8(upper, close);
        lower = _mm_shuffle_epi8(lower, close);
    }
    uint64_t rows[4] = {
        (uint64_t)_mm_cvtsi128_si64(upper), (uint64_t)_mm_extract_epi64(upper, 1), (uint64_t)_mm_cvtsi128_si64(lower),
        (uint64_t)_mm_extract_epi64(lower, 1)};
    // Not beyond the blocks: those beside them may be done.
    if (count == 2)
        for (int y = 0; y < n; y++) memcpy(samples + (size_t)y * stride, &rows[y], (size_t)(2 * n));
    else
        for (int y = 0; y < n; y++) memcpy(samples + (size_t)y * stride, &rows[y], (size_t)n);
}

AVX2 static void block8(
    const wj_block_format *format, int16_t *block, const int16_t dc[2], int count, uint8_t *samples, size_t stride) {
    (void)count;
    block8_avx2(&matrix8, 8, format->quantization, block, dc[0], samples, stride);
}
AVX2 static void block6(
    const wj_block_format *format, int16_t *block, const int16_t dc[2], int count, uint8_t *samples, size_t stride) {
    (void)count;
    block8_avx2(&matrix6, 6, format->quantization, block, dc[0], samples, stride);
}
AVX2 static void blocks4(
    const wj_block_format *format, int16_t *block, const int16_t dc[2], int count, uint8_t *samples, size_t stride) {
    blocks4_avx2(4, format->quantization, block, count == 2 ? block + 16 : block, dc, samples, stride, count);
    memset(block, 0, (size_t)count * 32);
}
AVX2 static void blocks3(
    const wj_block_format *format, int16_t *block, const int16_t dc[2], int count, uint8_t *samples, size_t stride) {
    blocks4_avx2(3, format->quantization, block, count == 2 ? block + 16 : block, dc, samples, stride, count);
    memset(block, 0, (size_t)count * 32);
}
#endif

// MARK: Choice

static void portable(
    const wj_block_format *format, int16_t *block, const int16_t dc[2], int count, uint8_t *samples, size_t stride) {
    for (int i = 0; i < count; i++, block += format->size, samples += format->scale) {
        (format->scale == 8 ? transform_block8 : transform_block)(format, block, dc[i], samples, stride);
        memset(block, 0, 2 * (size_t)format->size);
    }
}

static void block1(
    const wj_block_format *format, int16_t *block, const int16_t dc[2], int count, uint8_t *samples, size_t stride) {
    (void)count, (void)stride;
    samples[0] = flat_sample(dc[0], format->quantization[0], 1);
    block[0] = 0;
}

/// The cosine at a quarter of a half turn, times √2, is 1: sums and differences.
static void block2(
    const wj_block_format *format, int16_t *block, const int16_t dc[2], int count, uint8_t *samples, size_t stride) {
    const int16_t *q = format->quantization;
    for (int i = 0; i < count; i++, block += 4, samples += 2) {
        enum { round = 4 + 128 * 8 };
        int32_t a = (int16_t)(dc[i] * q[0]) + round, b = (int16_t)(block[1] * q[1]);
        int32_t c = (int16_t)(block[2] * q[2]), d = (int16_t)(block[3] * q[3]);
        samples[0] = sample((a + b + c + d) >> 3);
        samples[1] = sample((a - b + c - d) >> 3);
        samples[stride] = sample((a + b - c - d) >> 3);
        samples[stride + 1] = sample((a - b - c + d) >> 3);
        memset(block, 0, 8);
    }
}

static wj_transform transform_of(int scale) {
    if (scale == 1) return block1;
    if (scale == 2) return block2;
#if defined(__x86_64__)
    if (WJ_HAS_AVX2) {
        if (scale == 8) return block8;
        if (scale == 6) return block6;
        if (scale == 4) return blocks4;
        if (scale == 3) return blocks3;
    }
#endif
    return portable;
}

wj_block_format wj_block_format_make(const uint16_t quantization[64], int scale) {
    wj_block_format format = {.scale = scale, .transform = transform_of(scale)};
    // Whole cache lines, or an even part of one: what crosses them costs as much as the transform.
    format.pitch = scale == 3 ? 4 : scale == 6 ? 8 : scale;
    format.size = format.pitch * format.pitch;
    for (int y = 0; y < scale; y++)
        for (int x = 0; x < scale; x++)
            format.quantization[y * format.pitch + x] = (int16_t)quantization[8 * y + x];
    return format;
}
