#include "CJPEG.h"

#include <stdio.h>

#include <jpeglib.h>

#include "CLazyLibrary.h"

#define JPEG_FUNCTIONS(F) \
    F(jpeg_CreateCompress) \
    F(jpeg_CreateDecompress) \
    F(jpeg_destroy_compress) \
    F(jpeg_destroy_decompress) \
    F(jpeg_finish_compress) \
    F(jpeg_mem_src) \
    F(jpeg_has_multiple_scans) \
    F(jpeg_read_header) \
    F(jpeg_read_scanlines) \
    F(jpeg_save_markers) \
    F(jpeg_set_defaults) \
    F(jpeg_set_quality) \
    F(jpeg_simple_progression) \
    F(jpeg_skip_scanlines) \
    F(jpeg_start_compress) \
    F(jpeg_start_decompress) \
    F(jpeg_std_error) \
    F(jpeg_write_marker) \
    F(jpeg_write_scanlines)

// The two APIs of libjpeg-turbo, as packaged by the distribution.
#if JPEG_LIB_VERSION >= 80
WR_LAZY_LIBRARY(jpeg, JPEG_FUNCTIONS, "libjpeg.so.8")
#else
WR_LAZY_LIBRARY(jpeg, JPEG_FUNCTIONS, "libjpeg.so.62")
#endif
