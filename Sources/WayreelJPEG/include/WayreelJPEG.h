// Decodes sequential Huffman-coded JPEG (ITU-T T.81) at a reduced size.
//
// Only images without any anomaly: everything else is refused, and left to libjpeg.
#ifndef WAYREEL_JPEG_H
#define WAYREEL_JPEG_H

#include <stddef.h>
#include <stdint.h>

// MARK: What is decoded

/// Why an image is not decoded here. The rules are in frame.c (the header), scan.c (the scan's markers), and in
/// intervals.c and chunks.c (its codes).
typedef enum {
    WJ_ACCEPTED,
    // The header
    WJ_NO_SOI,
    WJ_MARKER,
    WJ_SEGMENT_LENGTH,
    WJ_QUANTIZATION_TABLE,
    WJ_HUFFMAN_TABLE,
    WJ_PROCESS,
    WJ_PRECISION,
    WJ_SIZE,
    WJ_COMPONENTS,
    WJ_SAMPLING,
    WJ_SCAN_HEADER,
    WJ_APPLICATION_SEGMENT,
    // The scan
    WJ_NO_EOI,
    WJ_SCAN_MARKER,
    WJ_INTERVAL_COUNT,
    WJ_TOO_SHORT,
    WJ_CODE,
    WJ_DC_RANGE,
    WJ_INTERVAL_LENGTH,
    // The machine
    WJ_MEMORY,
    WJ_STOPPED,
} wj_verdict;

const char *wj_verdict_text(wj_verdict verdict);

/// A Huffman table as a DHT segment has it: the number of codes of each length, and their symbols.
typedef struct {
    uint8_t counts[17], symbols[256];
    uint8_t is_defined;
} wj_huffman;

typedef struct {
    uint8_t id, h, v, quantization, dc, ac;
    /// Blocks including those that only complete an MCU.
    uint32_t blocks_wide, blocks_high;
} wj_component;

enum { WJ_COMPONENTS_MAX = 3, WJ_MCU_BLOCKS_MAX = 10 };

/// An accepted header. Points into the file.
typedef struct {
    uint32_t width, height;
    int component_count;
    wj_component components[WJ_COMPONENTS_MAX];
    int h_max, v_max;
    uint32_t mcus_wide, mcus_high;
    /// MCUs between two restart markers; 0 without.
    uint32_t restart_interval;
    /// In the order of rows.
    uint16_t quantization[4][64];
    uint8_t quantization_is_defined[4];
    wj_huffman dc[4], ac[4];
    const uint8_t *scan;
    size_t scan_size;
} wj_frame;

/// Reads the header of the `count` bytes of a file.
wj_verdict wj_read_frame(const uint8_t *bytes, size_t count, wj_frame *frame);
/// Reads the header of a frame of Motion JPEG, which need not define the usual Huffman tables (T.81, K.3.3).
wj_verdict wj_read_video_frame(const uint8_t *bytes, size_t count, wj_frame *frame);

// MARK: Decoding

/// One component at `scale` eighths of its size: 8, 6, 4, 3, 2 or 1 samples for 8. Rows are `stride` apart; there are
/// blocks_wide · scale samples in each of blocks_high · scale rows. With `coefficients`, which needs a scale of 8, there
/// are no samples, but 64 quantized coefficients by rows for each block, block by block.
typedef struct {
    int scale;
    uint8_t *samples;
    size_t stride;
    int16_t *coefficients;
} wj_plane;

typedef struct wj_decoder wj_decoder;

/// The memory that a decoder takes for blocks at most, in bytes, beside a copy of the scan.
enum { WJ_BLOCK_MEMORY = 14 << 20 };

/// Prepares to decode a frame into planes, one for each component. The file and the planes must outlive the decoder.
wj_verdict wj_decoder_open(const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX], wj_decoder **decoder);
/// The bytes of the scan, without what follows it in the file.
size_t wj_decoder_scan_size(const wj_decoder *decoder);
/// Works until the image is decoded or refused. Any number of threads may call it at the same time.
void wj_decoder_work(wj_decoder *decoder, int (*stop)(void *context), void *context);
/// The result, after all threads have returned.
wj_verdict wj_decoder_close(wj_decoder *decoder);

// MARK: Rows

/// Whether rows of R′G′B′ can be made of planes of these scales: all at full size, or with as many samples of chroma as of
/// luma, or twice as many in one direction, which are averaged.
int wj_has_rows(const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX]);
/// The pixels of a row, and the rows: those of luma's plane.
uint32_t wj_row_width(const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX]);
uint32_t wj_row_count(const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX]);
/// Bytes of scratch memory, which starts at an even address, for wj_read_row.
size_t wj_row_scratch(const wj_frame *frame);
/// Converts row `y` of the planes to interleaved R′G′B′, grey to three equal components. At full size these are the bytes of
/// libjpeg's jpeg_read_scanlines.
void wj_read_row(
    const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX], uint32_t y, int is_ycc, uint8_t *scratch, uint8_t *row);

/// Limits the kernels to those of older processors: 0 portable, 2 AVX2. For tests.
void wj_limit_instructions(int newest);

#endif
