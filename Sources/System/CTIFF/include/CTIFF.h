// Reads TIFF files in memory through libtiff, loaded on first use.
#ifndef CTIFF_H
#define CTIFF_H

#include <stddef.h>
#include <stdint.h>

/// Loads libtiff once, from any thread. Returns NULL on success, otherwise the reason. Must be called before any other
/// function.
const char *tiff_load(void);

enum { CTIFF_MESSAGE = 256 };

/// A page as described by its directory. Names are those of TIFF 6.0's tags.
typedef struct {
    uint32_t width, height;
    uint16_t bits_per_sample, samples_per_pixel, sample_format;
    uint16_t photometric, planar_configuration, compression, orientation, ink_set;
    /// 0 for a page in strips.
    uint32_t tile_width, tile_height;
    uint32_t rows_per_strip;
    /// Meaning of the first extra samples: 0 unspecified, 1 associated alpha, 2 unassociated alpha.
    uint16_t extra_samples, first_extra_sample;
    /// Decoded size of a strip or tile, of one plane if planes are separate; 0 on overflow.
    uint64_t strip_bytes, tile_bytes, scanline_bytes;
    /// Offset of its directory in the file.
    uint64_t directory_offset;
    /// Three tables of 1 << bits_per_sample entries each, or NULL. Valid until another page is selected.
    const uint16_t *color_map[3];
} ctiff_page;

typedef struct ctiff ctiff;

/// Opens a file in memory, which must outlive it. `max_allocation` is the max size of an allocation by libtiff. NULL on
/// failure, with the reason in `message`.
ctiff *ctiff_open(const void *bytes, size_t count, uint64_t max_allocation, char message[CTIFF_MESSAGE]);
void ctiff_close(ctiff *file);

uint32_t ctiff_page_count(ctiff *file);
/// Selects a page, from 0. JPEG data are decoded to RGB. 0 on success.
int ctiff_choose(ctiff *file, uint32_t index, ctiff_page *page);
/// Whether this build of libtiff decodes `compression`.
int ctiff_can_decode(uint16_t compression);

/// Each returns 0 on success. Rows must be requested in order.
int ctiff_read_scanline(ctiff *file, uint32_t row, void *out);
/// `sample` is the plane, if planes are separate.
int ctiff_read_strip(ctiff *file, uint32_t row, uint16_t sample, void *out, size_t count);
int ctiff_read_tile(ctiff *file, uint32_t column, uint32_t row, uint16_t sample, void *out, size_t count);
/// Decodes the strip or tile with a pixel to 32-bit pixels with red in the low byte, bottom row first.
int ctiff_read_rgba_strip(ctiff *file, uint32_t row, uint32_t *out);
int ctiff_read_rgba_tile(ctiff *file, uint32_t column, uint32_t row, uint32_t *out);

/// The first error since the file was opened; empty if there is none.
const char *ctiff_error(const ctiff *file);

#endif
