// libjpeg without longjmp: errors are returned as messages and never cross the caller's frames.
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

#define WR_JPEG_MESSAGE_SIZE 200

/// Loads libjpeg once. Returns NULL on success, otherwise the reason. Must be called before the functions below.
const char *jpeg_load(void);

// MARK: Reading

typedef struct wr_jpeg_reader wr_jpeg_reader;

typedef struct {
    uint32_t width, height;
    /// Components of the encoded image: 1 grey, 3 colour, 4 CMYK or YCCK.
    int components;
    /// Components of decoded rows: 3 red, green, blue; 4 cyan, magenta, yellow, black (0 is no ink).
    int row_components;
    int is_progressive, is_ycc, is_ycck;
    /// Sampling factors of the first component relative to the second; 1 and 1 for a single component.
    int horizontal_ratio, vertical_ratio;
    /// Size of the coefficients that are kept until all scans are read; 0 for an image of one scan.
    size_t coefficient_bytes;
} wr_jpeg_info;

typedef struct {
    /// Number of warnings about damaged data, and the text of the first one.
    long count;
    char first[WR_JPEG_MESSAGE_SIZE];
    /// Fraction of the image's area without data, 0 to 1.
    double missing_share;
} wr_jpeg_damage;

/// Reads the header of the JPEG at `bytes`, which must outlive the reader. NULL on failure, with the reason in
/// `message`.
wr_jpeg_reader *wr_jpeg_reader_open(const uint8_t *bytes, size_t count, char message[WR_JPEG_MESSAGE_SIZE]);
wr_jpeg_info wr_jpeg_reader_info(const wr_jpeg_reader *reader);
/// `stop` is called while the scans of a progressive image are read; non-zero aborts.
void wr_jpeg_reader_set_stop(wr_jpeg_reader *reader, int (*stop)(void *context), void *context);
/// Decodes the next row. 0 on failure.
int wr_jpeg_reader_read(wr_jpeg_reader *reader, uint8_t *row);
/// Skips `count` rows. 0 on failure.
int wr_jpeg_reader_skip(wr_jpeg_reader *reader, uint32_t count);
/// The reason of the last failure.
const char *wr_jpeg_reader_message(const wr_jpeg_reader *reader);
wr_jpeg_damage wr_jpeg_reader_damage(const wr_jpeg_reader *reader);
void wr_jpeg_reader_close(wr_jpeg_reader *reader);

// MARK: Writing

typedef struct wr_jpeg_writer wr_jpeg_writer;

typedef struct {
    uint32_t width, height;
    /// 1 to 100.
    int quality;
    int progressive;
    /// Luma samples per chroma sample, horizontally and vertically: 1 and 1 for 4:4:4, 2 and 1 for 4:2:2, 2 and 2 for
    /// 4:2:0.
    int horizontal_ratio, vertical_ratio;
} wr_jpeg_options;

/// Starts a JFIF file in memory. NULL on failure, with the reason in `message`.
wr_jpeg_writer *wr_jpeg_writer_open(wr_jpeg_options options, char message[WR_JPEG_MESSAGE_SIZE]);
/// Writes an APPn segment before the first row; at most 65533 bytes. 0 on failure.
int wr_jpeg_writer_segment(wr_jpeg_writer *writer, int n, const uint8_t *bytes, uint32_t count);
/// Encodes the next row of red, green, blue. 0 on failure.
int wr_jpeg_writer_write(wr_jpeg_writer *writer, const uint8_t *row);
/// Ends the file. NULL on failure; the bytes belong to the writer.
const uint8_t *wr_jpeg_writer_finish(wr_jpeg_writer *writer, size_t *count);
const char *wr_jpeg_writer_message(const wr_jpeg_writer *writer);
void wr_jpeg_writer_close(wr_jpeg_writer *writer);

#endif
