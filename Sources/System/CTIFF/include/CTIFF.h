// Reads TIFF files in memory through libtiff, which is loaded when it is first needed.
#ifndef CTIFF_H
#define CTIFF_H

#include <stddef.h>
#include <stdint.h>

/// Loads libtiff, once, from any thread; NULL on success, else the reason. No other function may be called before.
const char *ctiff_load(void);

enum { CTIFF_MESSAGE = 256 };

/// A page, as its directory describes it. Names are those of TIFF 6.0's tags.
typedef struct {
    uint32_t width, height;
    uint16_t bits_per_sample, samples_per_pixel, sample_format;
    uint16_t photometric, planar_configuration, compression, orientation, ink_set;
    /// 0 where the page is in strips.
    uint32_t tile_width, tile_height;
    uint32_t rows_per_strip;
    uint32_t subfile_type;
    /// What the first samples beyond those of the colour are: 0 unspecified, 1 associated alpha, 2 unassociated alpha.
    uint16_t extra_samples, first_extra_sample;
    /// Of a strip or tile of all samples, or of one where planes are separate, decoded; 0 where that overflows.
    uint64_t strip_bytes, tile_bytes, scanline_bytes;
    /// Where its directory is in the file.
    uint64_t directory_offset;
    /// Three tables of 1 << bits_per_sample entries each; NULL where there are none. Valid until another page is chosen.
    const uint16_t *color_map[3];
    int has_subdirectories;
} ctiff_page;

typedef struct ctiff ctiff;

/// Opens a file in memory, which must stay there. No block of more than `max_allocation` bytes is taken by libtiff. NULL on
/// failure, for the reason that is written to `message`.
ctiff *ctiff_open(const void *bytes, size_t count, uint64_t max_allocation, char message[CTIFF_MESSAGE]);
void ctiff_close(ctiff *file);

uint32_t ctiff_page_count(ctiff *file);
/// Chooses a page, counted from 0. JPEG data will be decoded to red, green and blue. 0 on success.
int ctiff_choose(ctiff *file, uint32_t index, ctiff_page *page);
/// Whether this build of libtiff decodes `compression`.
int ctiff_can_decode(uint16_t compression);

/// Each returns 0 on success. Rows must be asked for in order.
int ctiff_read_scanline(ctiff *file, uint32_t row, void *out);
/// `sample`: the plane, where they are separate.
int ctiff_read_strip(ctiff *file, uint32_t row, uint16_t sample, void *out, size_t count);
int ctiff_read_tile(ctiff *file, uint32_t column, uint32_t row, uint16_t sample, void *out, size_t count);
/// The strip or tile that holds a pixel, as 32-bit pixels with red in the low byte, from the bottom row to the top.
int ctiff_read_rgba_strip(ctiff *file, uint32_t row, uint32_t *out);
int ctiff_read_rgba_tile(ctiff *file, uint32_t column, uint32_t row, uint32_t *out);

/// The first error since the file was opened, else the first warning that is not about an unknown tag; empty where there is none.
const char *ctiff_error(const ctiff *file);
const char *ctiff_warning(const ctiff *file);

#endif
