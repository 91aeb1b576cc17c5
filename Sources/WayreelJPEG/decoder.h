// What the files of the decoder share.
#ifndef WJ_DECODER_H
#define WJ_DECODER_H

#include "WayreelJPEG.h"

#define WJ_LIKELY(x) __builtin_expect(!!(x), 1)
#define WJ_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define WJ_INLINE static inline __attribute__((always_inline))

/// The place in a block, by rows, of each coefficient in zigzag order (T.81, figure A.6).
extern const uint8_t wj_natural_order[64];

/// The newest generation of processors whose instructions are used.
extern int wj_generation;
#define WJ_HAS_AVX2 (wj_generation >= 2 && __builtin_cpu_supports("avx2"))

// MARK: The scan's bytes (scan.c)

typedef struct {
    const uint8_t *start;
    uint32_t size;
} wj_interval;

/// The scan without stuffed bytes and markers.
typedef struct {
    /// Pages of their own: a heap that takes as many bytes for each image has gaps soon.
    uint8_t *bytes;
    size_t byte_count;
    /// 8 bytes can be read from here, but not beyond.
    const uint8_t *limit;
    wj_interval *intervals;
    uint32_t interval_count;
} wj_scan;

wj_verdict wj_scan_read(const wj_frame *frame, wj_scan *scan);
void wj_scan_free(wj_scan *scan);

// MARK: Tables (tables.c)

/// Defines the Huffman tables that need not be defined in Motion JPEG.
void wj_define_usual_tables(wj_frame *frame);

// MARK: Samples (idct.c)

typedef struct wj_block_format wj_block_format;

/// Dequantizes `count` blocks side by side, 1 or 2, transforms them, and clears them. `dc` replaces their first values.
typedef void (*wj_transform)(
    const wj_block_format *format, int16_t *block, const int16_t dc[2], int count, uint8_t *samples, size_t stride);

/// How the blocks of a component become samples.
struct wj_block_format {
    /// Samples, and coefficients that are kept, in each direction.
    int scale;
    /// Values from one row of coefficients to the next, and of a block.
    int pitch, size;
    wj_transform transform;
    int16_t quantization[64];
};

wj_block_format wj_block_format_make(const uint16_t quantization[64], int scale);

// MARK: Edges (edges.c)

/// How the blocks of a component that reach beyond the image are reduced.
typedef struct {
    wj_block_format whole;
    int scale;
    /// Of the eight samples of a line for each reduced one.
    int16_t weights[8][8];
} wj_edge_format;

wj_edge_format wj_edge_format_make(const uint16_t quantization[64], int scale);
/// Reduces a block with all of its coefficients, of which `width` columns and `height` rows belong to the image, and clears it.
void wj_reduce_edge(
    const wj_edge_format *format, int16_t *block, int16_t dc, int width, int height, uint8_t *samples, size_t stride);

#endif
