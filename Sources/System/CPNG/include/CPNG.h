// libpng without longjmp: every function catches libpng's errors.
#ifndef CPNG_H
#define CPNG_H

#include <stddef.h>
#include <stdint.h>

/// Size of an error message.
#define CPNG_MESSAGE 128

/// Loads libpng and zlib once. Returns NULL on success, otherwise the reason. Must be called before the functions
/// below.
const char *png_load(void);

// MARK: Reading

typedef struct CPNGReader CPNGReader;

/// The header of a PNG.
typedef struct {
    /// Stored bits per component (1, 2, 4, 8, 16) and PNG colour type (0 grey, 2 RGB, 3 palette, 4 grey + alpha, 6
    /// RGBA).
    int depth, color_type;
    int is_interlaced;
    /// Decoded rows: 3 or 4 components of 8 or 16 bits.
    int channels, bits;
    int is_srgb;
    /// The exponent of gAMA (0.45455 for a gamma of 2.2), 0 if absent.
    double gamma;
    /// x and y of white, red, green and blue of cHRM, all 0 if absent.
    double chromaticities[8];
    /// The profile of iCCP, owned by the reader; NULL if absent or unusable.
    const uint8_t *profile;
    uint32_t profile_count;
} CPNGHeader;

/// Reads up to the first pixels. `chunk_limit` is the max size of a decompressed chunk. `bytes` must outlive the
/// reader. NULL on failure, with the reason in `message`.
CPNGReader *cpng_reader_open(
    const uint8_t *bytes, size_t count, size_t chunk_limit, CPNGHeader *header, char message[CPNG_MESSAGE]);

/// Decodes the next row of a non-interlaced image, or skips it if `row` is NULL. Returns 0, or -1 if the rest of the
/// data is invalid.
int cpng_reader_row(CPNGReader *reader, uint8_t *row);

/// Decodes an interlaced image. Returns the number of decoded pixels; missing ones are filled from earlier passes.
uint64_t cpng_reader_interlaced(CPNGReader *reader, uint8_t *pixels, size_t stride, uint32_t width, uint32_t height);

/// Reads the data after the last row. Returns 0, or -1 for a wrong checksum or a missing end.
int cpng_reader_finish(CPNGReader *reader);

/// The reason of the last failure.
const char *cpng_reader_message(const CPNGReader *reader);

void cpng_reader_close(CPNGReader *reader);

/// Decompresses a zlib stream into at most `capacity` bytes. Returns the size, or -1 if it is invalid or larger.
int64_t cpng_inflate(const uint8_t *bytes, size_t count, uint8_t *out, size_t capacity);

/// The CRC of a chunk with type and data `bytes`.
uint32_t cpng_checksum(const uint8_t *bytes, size_t count);

// MARK: Writing

typedef struct CPNGWriter CPNGWriter;

typedef struct {
    uint32_t width, height;
    /// 8 or 16; 16-bit rows are in native order.
    int bits;
    int has_alpha;
    /// 1 to 9.
    int level;
    /// zlib's strategy for filtered rows: Z_DEFAULT_STRATEGY, Z_FILTERED or Z_RLE.
    int strategy;
    /// A set of libpng's PNG_FILTER_… bits.
    int filters;
} CPNGLayout;

/// NULL on failure. Writes the signature and the header, and tags the image as sRGB (sRGB, gAMA and cHRM chunks).
CPNGWriter *cpng_writer_open(const CPNGLayout *layout, char message[CPNG_MESSAGE]);

/// Writes one chunk of four-letter type `type` before the pixels. 0, or -1.
int cpng_writer_chunk(CPNGWriter *writer, const char *type, const uint8_t *bytes, size_t count);
int cpng_writer_row(CPNGWriter *writer, const uint8_t *row);
/// Ends the file, which the writer owns.
int cpng_writer_finish(CPNGWriter *writer, const uint8_t **bytes, size_t *count);
const char *cpng_writer_message(const CPNGWriter *writer);
void cpng_writer_close(CPNGWriter *writer);

#endif
