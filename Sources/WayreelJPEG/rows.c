// Rows of R′G′B′ from planes at full size, as libjpeg makes them: chroma is enlarged by its triangle filter (jdsample.c) and
// converted by BT.601's equations in 16 bits (jdcolor.c).

#include <string.h>

#include "decoder.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2")))
#endif

#if defined(__x86_64__) && !defined(WR_NO_CLONES)
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CLONES
#endif

static uint32_t divided_up(uint32_t value, uint32_t by) { return (value + by - 1) / by; }

/// Doubles a row of `count` sums, which are `1 << (shift − 2)` samples each. `first` and `second` round the two halves.
CLONES static void double_columns(const uint16_t *restrict in, uint8_t *restrict out, size_t count, int shift, int first, int second) {
    // The samples at both ends are their own neighbours: (3 + 1) s.
    out[0] = (uint8_t)((4 * in[0] + first) >> shift);
    out[2 * count - 1] = (uint8_t)((4 * in[count - 1] + second) >> shift);
    // Two bytes at once, so that compilers use vectors.
    for (size_t i = 0; i + 1 < count; i++) {
        unsigned left = (unsigned)(3 * in[i] + in[i + 1] + second) >> shift;
        unsigned right = (unsigned)(3 * in[i + 1] + in[i] + first) >> shift;
        uint16_t both = (uint16_t)(left | right << 8);
        memcpy(out + 2 * i + 1, &both, 2);
    }
}

/// out = 3 near + far.
CLONES static void weigh_rows(const uint8_t *restrict near, const uint8_t *restrict far, uint16_t *restrict out, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = (uint16_t)(3 * near[i] + far[i]);
}

CLONES static void widen(const uint8_t *restrict in, uint16_t *restrict out, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = in[i];
}

/// Rounds up and down in turn: a row keeps its mean.
CLONES static void mean(const uint8_t *first, const uint8_t *second, size_t step, uint8_t *restrict out, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = (uint8_t)((first[i * step] + second[i * step] + (i & 1)) >> 1);
}

CLONES static void round_rows(const uint16_t *restrict in, uint8_t *restrict out, size_t count, int round) {
    for (size_t i = 0; i < count; i++) out[i] = (uint8_t)((in[i] + round) >> 2);
}

/// Samples of luma for one of component `c`, in eighths: 16 where it has half as many.
typedef struct {
    int across, down;
} ratio;

static ratio ratio_of(const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX], int c) {
    const wj_component *component = &frame->components[c];
    return (ratio){
        8 * (frame->h_max / component->h) * planes[0].scale / planes[c].scale,
        8 * (frame->v_max / component->v) * planes[0].scale / planes[c].scale};
}

/// The row of a component for row `y` of luma's plane; `scratch` and `sums` have room for a row and 64 samples.
static const uint8_t *component_row(
    const wj_frame *frame, int c, const wj_plane planes[WJ_COMPONENTS_MAX], uint32_t y, uint8_t *scratch, uint16_t *sums) {
    const wj_component *component = &frame->components[c];
    const wj_plane *plane = &planes[c];
    int across = ratio_of(frame, planes, c).across, down = ratio_of(frame, planes, c).down;
    uint32_t count = wj_row_width(frame, planes);
    if (across == 4 || down == 4) {
        // Two samples for one, in 4:2:2 or 4:4:0 that is reduced: their mean.
        const uint8_t *upper = plane->samples + (size_t)y * (down == 4 ? 2 : 1) * plane->stride;
        mean(upper, down == 4 ? upper + plane->stride : upper + 1, down == 4 ? 1 : 2, scratch, count);
        return scratch;
    }
    uint32_t width = divided_up(count, (uint32_t)across / 8), rows = divided_up(frame->height, (uint32_t)frame->v_max / component->v);
    uint32_t row = y / ((uint32_t)down / 8);
    const uint8_t *near = plane->samples + (size_t)row * plane->stride;
    if (across == 8 && down == 8) return near;
    // The neighbour of the upper of two rows is above, that of the lower one below.
    uint32_t other = y % 2 ? (row + 1 < rows ? row + 1 : row) : (row ? row - 1 : 0);
    const uint8_t *far = plane->samples + (size_t)other * plane->stride;
    if (across == 16 && down == 8 && width > 2) {
        widen(near, sums, width);
        double_columns(sums, scratch, width, 2, 1, 2);
    } else if (across == 16 && down == 16 && width > 2) {
        weigh_rows(near, far, sums, width);
        double_columns(sums, scratch, width, 4, 8, 7);
    } else if (across == 8 && down == 16) {
        weigh_rows(near, far, sums, width);
        round_rows(sums, scratch, width, y % 2 ? 2 : 1);
    } else {
        for (uint32_t x = 0; x < count; x++) scratch[x] = near[x / ((uint32_t)across / 8)];
    }
    return scratch;
}

static inline uint8_t limited(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

static void convert_portable(
    const uint8_t *luma, const uint8_t *cb, const uint8_t *cr, uint8_t *out, size_t from, size_t count) {
    enum { half = 1 << 15 };
    for (size_t x = from; x < count; x++) {
        int32_t y = luma[x], b = cb[x] - 128, r = cr[x] - 128;
        out[3 * x] = limited(y + ((91881 * r + half) >> 16));
        out[3 * x + 1] = limited(y + ((-22554 * b - 46802 * r + half) >> 16));
        out[3 * x + 2] = limited(y + ((116130 * b + half) >> 16));
    }
}

static void interleave_portable(
    const uint8_t *red, const uint8_t *green, const uint8_t *blue, uint8_t *out, size_t from, size_t count) {
    for (size_t x = from; x < count; x++) {
        out[3 * x] = red[x];
        out[3 * x + 1] = green[x];
        out[3 * x + 2] = blue[x];
    }
}

#if defined(__x86_64__)
AVX2 static inline __m256i words(const uint8_t *in) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)in));
}

/// (first · a + second · b + ½) / 65 536 for sixteen words.
AVX2 static inline __m256i scaled(__m256i a, __m256i b, int first, int second, int half) {
    const __m256i factors = _mm256_set1_epi32((int)((uint32_t)(uint16_t)first | (uint32_t)(uint16_t)second << 16));
    const __m256i round = _mm256_set1_epi32(half);
    __m256i low = _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), factors), round);
    __m256i high = _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), factors), round);
    return _mm256_packs_epi32(_mm256_srai_epi32(low, 16), _mm256_srai_epi32(high, 16));
}

AVX2 static inline __m128i bytes(__m256i words) {
    return _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}

AVX2 static inline void store_three(__m128i red, __m128i green, __m128i blue, uint8_t *out) {
    // Byte i of the result is that of a component at i / 3.
#define PLACES(start, component)                                                                                         \
    _mm_setr_epi8(                                                                                                       \
        PLACE(start, component), PLACE(start + 1, component), PLACE(start + 2, component), PLACE(start + 3, component),  \
        PLACE(start + 4, component), PLACE(start + 5, component), PLACE(start + 6, component),                           \
        PLACE(start + 7, component), PLACE(start + 8, component), PLACE(start + 9, component),                           \
        PLACE(start + 10, component), PLACE(start + 11, component), PLACE(start + 12, component),                        \
        PLACE(start + 13, component), PLACE(start + 14, component), PLACE(start + 15, component))
#define PLACE(i, component) (char)((i) % 3 == (component) ? (i) / 3 : -1)
#define STORE(start)                                                                                                     \
    _mm_storeu_si128(                                                                                                    \
        (__m128i *)(void *)(out + (start)),                                                                              \
        _mm_or_si128(                                                                                                    \
            _mm_or_si128(                                                                                                \
                _mm_shuffle_epi8(red, PLACES(start, 0)), _mm_shuffle_epi8(green, PLACES(start, 1))),                     \
            _mm_shuffle_epi8(blue, PLACES(start, 2))))
    STORE(0);
    STORE(16);
    STORE(32);
}

AVX2 static size_t convert_avx2(
    const uint8_t *luma, const uint8_t *cb, const uint8_t *cr, uint8_t *out, size_t count) {
    const __m256i middle = _mm256_set1_epi16(128), zero = _mm256_setzero_si256();
    enum { half = 1 << 15 };
    size_t x = 0;
    for (; x + 16 <= count; x += 16) {
        __m256i y = words(luma + x), b = _mm256_sub_epi16(words(cb + x), middle), r = _mm256_sub_epi16(words(cr + x), middle);
        // Factors beyond 16 bits: whole parts are added.
        __m256i red = _mm256_add_epi16(_mm256_add_epi16(y, r), scaled(r, zero, 91881 - 65536, 0, half));
        __m256i green = _mm256_add_epi16(_mm256_sub_epi16(y, r), scaled(b, r, -22554, 65536 - 46802, half));
        __m256i blue = _mm256_add_epi16(
            _mm256_add_epi16(y, _mm256_add_epi16(b, b)), scaled(b, zero, 116130 - 2 * 65536, 0, half));
        store_three(bytes(red), bytes(green), bytes(blue), out + 3 * x);
    }
    return x;
}

AVX2 static size_t interleave_avx2(
    const uint8_t *red, const uint8_t *green, const uint8_t *blue, uint8_t *out, size_t count) {
    size_t x = 0;
    for (; x + 16 <= count; x += 16)
        store_three(
            _mm_loadu_si128((const __m128i *)(const void *)(red + x)),
            _mm_loadu_si128((const __m128i *)(const void *)(green + x)),
            _mm_loadu_si128((const __m128i *)(const void *)(blue + x)), out + 3 * x);
    return x;
}
#endif

static void convert(const uint8_t *luma, const uint8_t *cb, const uint8_t *cr, uint8_t *out, size_t count) {
    size_t done = 0;
#if defined(__x86_64__)
    if (WJ_HAS_AVX2) done = convert_avx2(luma, cb, cr, out, count);
#endif
    convert_portable(luma, cb, cr, out, done, count);
}

static void interleave(const uint8_t *red, const uint8_t *green, const uint8_t *blue, uint8_t *out, size_t count) {
    size_t done = 0;
#if defined(__x86_64__)
    if (WJ_HAS_AVX2) done = interleave_avx2(red, green, blue, out, count);
#endif
    interleave_portable(red, green, blue, out, done, count);
}

uint32_t wj_row_width(const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX]) {
    return (uint32_t)(((uint64_t)frame->width * (uint64_t)planes[0].scale + 7) / 8);
}

uint32_t wj_row_count(const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX]) {
    return (uint32_t)(((uint64_t)frame->height * (uint64_t)planes[0].scale + 7) / 8);
}

int wj_has_rows(const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX]) {
    for (int c = 0; c < frame->component_count; c++) {
        int across = ratio_of(frame, planes, c).across, down = ratio_of(frame, planes, c).down;
        int is_whole = planes[0].scale == 8 && planes[c].scale == 8;
        if (!is_whole && !((across == 8 || across == 4) && (down == 8 || down == 4) && across + down > 8)) return 0;
    }
    return 1;
}

size_t wj_row_scratch(const wj_frame *frame) { return 4 * ((size_t)frame->width + 128); }

void wj_read_row(
    const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX], uint32_t y, int is_ycc, uint8_t *scratch, uint8_t *row) {
    size_t room = (size_t)frame->width + 128;
    uint32_t count = wj_row_width(frame, planes);
    if (frame->component_count == 1) {
        const uint8_t *grey = planes[0].samples + (size_t)y * planes[0].stride;
        interleave(grey, grey, grey, row, count);
        return;
    }
    const uint8_t *rows[3];
    for (int c = 0; c < 3; c++) {
        uint8_t *own = c == 1 ? scratch : scratch + room;
        rows[c] = component_row(frame, c, planes, y, own, (uint16_t *)(void *)(scratch + 2 * room));
    }
    (is_ycc ? convert : interleave)(rows[0], rows[1], rows[2], row, count);
}
