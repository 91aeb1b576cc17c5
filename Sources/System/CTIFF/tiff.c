#include "CTIFF.h"

#include "CLazyLibrary.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#define TIFF_FUNCTIONS(F) \
    F(TIFFClientOpenExt) \
    F(TIFFClose) \
    F(TIFFComputeStrip) \
    F(TIFFComputeTile) \
    F(TIFFCurrentDirOffset) \
    F(TIFFGetField) \
    F(TIFFGetFieldDefaulted) \
    F(TIFFIsCODECConfigured) \
    F(TIFFIsTiled) \
    F(TIFFNumberOfDirectories) \
    F(TIFFOpenOptionsAlloc) \
    F(TIFFOpenOptionsFree) \
    F(TIFFOpenOptionsSetErrorHandlerExtR) \
    F(TIFFOpenOptionsSetMaxSingleMemAlloc) \
    F(TIFFOpenOptionsSetWarningHandlerExtR) \
    F(TIFFReadEncodedStrip) \
    F(TIFFReadEncodedTile) \
    F(TIFFReadRGBAStripExt) \
    F(TIFFReadRGBATileExt) \
    F(TIFFReadScanline) \
    F(TIFFScanlineSize64) \
    F(TIFFSetDirectory) \
    F(TIFFSetField) \
    F(TIFFStripSize64) \
    F(TIFFTileSize64)

WR_LAZY_LIBRARY(tiff, TIFF_FUNCTIONS, "libtiff.so.6")

struct ctiff {
    TIFF *tiff;
    const uint8_t *bytes;
    size_t count, offset;
    char error[CTIFF_MESSAGE];
};

// MARK: The file

static tmsize_t read_bytes(thandle_t handle, void *out, tmsize_t count) {
    ctiff *file = handle;
    size_t left = file->offset < file->count ? file->count - file->offset : 0;
    size_t taken = (size_t)count < left ? (size_t)count : left;
    memcpy(out, file->bytes + file->offset, taken);
    file->offset += taken;
    return (tmsize_t)taken;
}

static tmsize_t write_bytes(thandle_t handle, void *in, tmsize_t count) {
    (void)handle, (void)in, (void)count;
    return 0;
}

static toff_t seek_bytes(thandle_t handle, toff_t offset, int whence) {
    ctiff *file = handle;
    uint64_t base = whence == SEEK_CUR ? file->offset : whence == SEEK_END ? file->count : 0;
    uint64_t target = base + offset;
    file->offset = target > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)target;
    return file->offset;
}

static int close_bytes(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size_bytes(thandle_t handle) { return ((ctiff *)handle)->count; }

static int map_bytes(thandle_t handle, void **base, toff_t *size) {
    ctiff *file = handle;
    *base = (void *)file->bytes;
    *size = file->count;
    return 1;
}

static void unmap_bytes(thandle_t handle, void *base, toff_t size) { (void)handle, (void)base, (void)size; }

// MARK: Messages

static void keep(char *message, const char *format, va_list arguments) {
    if (message[0]) return;
    vsnprintf(message, CTIFF_MESSAGE, format, arguments);
    size_t length = strlen(message);
    while (length && (message[length - 1] == '.' || message[length - 1] == ' ')) message[--length] = 0;
}

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)module;
    keep(((ctiff *)user)->error, format, arguments);
    return 1;
}

// Warnings are not printed.
static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

const char *ctiff_error(const ctiff *file) { return file->error; }

// MARK: Opening

ctiff *ctiff_open(const void *bytes, size_t count, uint64_t max_allocation, char message[CTIFF_MESSAGE]) {
    ctiff *file = calloc(1, sizeof *file);
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (file && options) {
        file->bytes = bytes;
        file->count = count;
        TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, file);
        TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, file);
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)max_allocation);
        file->tiff = TIFFClientOpenExt(
            "TIFF", "r", file, read_bytes, write_bytes, seek_bytes, close_bytes, size_bytes, map_bytes, unmap_bytes,
            options);
    }
    if (options) TIFFOpenOptionsFree(options);
    if (file && file->tiff) return file;
    snprintf(message, CTIFF_MESSAGE, "%s", file && file->error[0] ? file->error : "it cannot be opened");
    free(file);
    return NULL;
}

void ctiff_close(ctiff *file) {
    TIFFClose(file->tiff);
    free(file);
}

uint32_t ctiff_page_count(ctiff *file) { return TIFFNumberOfDirectories(file->tiff); }

int ctiff_can_decode(uint16_t compression) { return TIFFIsCODECConfigured(compression); }

int ctiff_choose(ctiff *file, uint32_t index, ctiff_page *page) {
    TIFF *tiff = file->tiff;
    memset(page, 0, sizeof *page);
    if (!TIFFSetDirectory(tiff, index)) return -1;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page->width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page->height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &page->bits_per_sample);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &page->samples_per_pixel);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &page->sample_format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &page->planar_configuration);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &page->compression);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &page->orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_INKSET, &page->ink_set);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &page->rows_per_strip);
    // Default without the tag: that of libtiff's own conversion to RGBA.
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &page->photometric)) {
        int is_fax = page->compression >= COMPRESSION_CCITTRLE && page->compression <= COMPRESSION_CCITTFAX4;
        page->photometric = page->samples_per_pixel >= 3 ? PHOTOMETRIC_RGB
                            : is_fax || page->compression == COMPRESSION_CCITTRLEW ? PHOTOMETRIC_MINISWHITE
                                                                                  : PHOTOMETRIC_MINISBLACK;
    }
    uint16_t extra_count = 0, *extra = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extra_count, &extra);
    page->extra_samples = extra_count;
    page->first_extra_sample = extra_count && extra ? extra[0] : 0;
    uint16_t *map[3] = {0};
    if (page->photometric == PHOTOMETRIC_PALETTE &&
        TIFFGetField(tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]))
        for (int i = 0; i < 3; i++) page->color_map[i] = map[i];
    if (page->compression == COMPRESSION_JPEG && page->photometric == PHOTOMETRIC_YCBCR)
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    if (TIFFIsTiled(tiff)) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &page->tile_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &page->tile_height);
        page->tile_bytes = TIFFTileSize64(tiff);
    } else {
        page->strip_bytes = TIFFStripSize64(tiff);
        page->scanline_bytes = TIFFScanlineSize64(tiff);
    }
    page->directory_offset = TIFFCurrentDirOffset(tiff);
    return 0;
}

// MARK: Reading

int ctiff_read_scanline(ctiff *file, uint32_t row, void *out) {
    return TIFFReadScanline(file->tiff, out, row, 0) == 1 ? 0 : -1;
}

int ctiff_read_strip(ctiff *file, uint32_t row, uint16_t sample, void *out, size_t count) {
    uint32_t strip = TIFFComputeStrip(file->tiff, row, sample);
    return TIFFReadEncodedStrip(file->tiff, strip, out, (tmsize_t)count) >= 0 ? 0 : -1;
}

int ctiff_read_tile(ctiff *file, uint32_t column, uint32_t row, uint16_t sample, void *out, size_t count) {
    uint32_t tile = TIFFComputeTile(file->tiff, column, row, 0, sample);
    return TIFFReadEncodedTile(file->tiff, tile, out, (tmsize_t)count) >= 0 ? 0 : -1;
}

int ctiff_read_rgba_strip(ctiff *file, uint32_t row, uint32_t *out) {
    return TIFFReadRGBAStripExt(file->tiff, row, out, 1) == 1 ? 0 : -1;
}

int ctiff_read_rgba_tile(ctiff *file, uint32_t column, uint32_t row, uint32_t *out) {
    return TIFFReadRGBATileExt(file->tiff, column, row, out, 1) == 1 ? 0 : -1;
}
