// libpng without its longjmp: every function here catches libpng's errors before it returns.
#ifndef CPNG_H
#define CPNG_H

#include <stddef.h>
#include <stdint.h>

/// Room for an error message.
#define CPNG_MESSAGE 128

/// Loads libpng and zlib, once. NULL on success, else the reason. No other function here may be called before.
const char *cpng_load(void);

// MARK: Reading

typedef struct CPNGReader CPNGReader;

/// What a PNG says of itself before its pixels.
typedef struct {
    /// As stored: bits of a component (1, 2, 4, 8, 16) and PNG's colour type (0 grey, 2 RGB, 3 palette, 4 grey + alpha,
    /// 6 RGBA).
    int depth, color_type;
    int is_interlaced;
    /// Of the rows handed out: 3 or 4 components of 8 or 16 bits.
    int channels, bits;
    int is_srgb;
    /// The exponent of gAMA (0.45455 for a gamma of 2.2), 0 where there is none.
    double gamma;
    /// x and y of white, red, green and blue of cHRM, all 0 where there is none.
    double chromaticities[8];
    /// The profile of iCCP, owned by the reader; NULL where there is none or it is unusable.
    const uint8_t *profile;
    uint32_t profile_count;
} CPNGHeader;

/// Reads up to the first pixels. No chunk may unpack to more than `chunk_limit` bytes. `bytes` must outlive the reader.
/// NULL on failure, with the reason in `message`.
CPNGReader *cpng_reader_open(
    const uint8_t *bytes, size_t count, size_t chunk_limit, CPNGHeader *header, char message[CPNG_MESSAGE]);

/// Decodes the next row of a picture that is not interlaced, or passes over it where `row` is NULL. 0, or -1 where the
/// data is broken from here on.
int cpng_reader_row(CPNGReader *reader, uint8_t *row);

/// Decodes an interlaced picture. Returns how many of its pixels were there; those missing have been filled from their
/// neighbours of the earlier passes.
uint64_t cpng_reader_interlaced(CPNGReader *reader, uint8_t *pixels, size_t stride, uint32_t width, uint32_t height);

/// Reads what follows the last row: 0, or -1 where a checksum is wrong or the end is missing.
int cpng_reader_finish(CPNGReader *reader);

/// Why the last call failed.
const char *cpng_reader_message(const CPNGReader *reader);

void cpng_reader_close(CPNGReader *reader);

/// Unpacks a zlib stream into at most `capacity` bytes. Returns how many, or -1 where it is broken or holds more.
int64_t cpng_inflate(const uint8_t *bytes, size_t count, uint8_t *out, size_t capacity);

/// The CRC of a chunk, whose type and data are `bytes`.
uint32_t cpng_checksum(const uint8_t *bytes, size_t count);

// MARK: Writing

typedef struct CPNGWriter CPNGWriter;

typedef struct {
    uint32_t width, height;
    /// 8 or 16; 16-bit rows are in the machine's byte order.
    int bits;
    int has_alpha;
    /// 1 to 9.
    int level;
    /// zlib's strategy for filtered rows: Z_DEFAULT_STRATEGY, Z_FILTERED or Z_RLE.
    int strategy;
    /// A set of libpng's PNG_FILTER_… bits.
    int filters;
} CPNGLayout;

/// NULL on failure. Writes the signature, the header, and tags the picture as sRGB (sRGB, gAMA and cHRM chunks).
CPNGWriter *cpng_writer_open(const CPNGLayout *layout, char message[CPNG_MESSAGE]);

/// Writes one chunk of four-letter type `type` before the pixels. 0, or -1.
int cpng_writer_chunk(CPNGWriter *writer, const char *type, const uint8_t *bytes, size_t count);
int cpng_writer_row(CPNGWriter *writer, const uint8_t *row);
/// Ends the file, which the writer keeps until it is closed.
int cpng_writer_finish(CPNGWriter *writer, const uint8_t **bytes, size_t *count);
const char *cpng_writer_message(const CPNGWriter *writer);
void cpng_writer_close(CPNGWriter *writer);

#endif
