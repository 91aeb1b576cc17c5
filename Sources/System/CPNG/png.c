#include "CPNG.h"

#include "CLazyLibrary.h"

#define PNG_FUNCTIONS(F) \
    F(png_create_info_struct) \
    F(png_create_read_struct) \
    F(png_create_write_struct) \
    F(png_destroy_read_struct) \
    F(png_destroy_write_struct) \
    F(png_error) \
    F(png_get_bit_depth) \
    F(png_get_cHRM) \
    F(png_get_channels) \
    F(png_get_color_type) \
    F(png_get_error_ptr) \
    F(png_get_gAMA) \
    F(png_get_iCCP) \
    F(png_get_interlace_type) \
    F(png_get_io_ptr) \
    F(png_get_sRGB) \
    F(png_longjmp) \
    F(png_read_end) \
    F(png_read_info) \
    F(png_read_row) \
    F(png_read_update_info) \
    F(png_set_IHDR) \
    F(png_set_benign_errors) \
    F(png_set_chunk_cache_max) \
    F(png_set_chunk_malloc_max) \
    F(png_set_compression_buffer_size) \
    F(png_set_compression_level) \
    F(png_set_compression_strategy) \
    F(png_set_crc_action) \
    F(png_set_expand) \
    F(png_set_filter) \
    F(png_set_gray_to_rgb) \
    F(png_set_interlace_handling) \
    F(png_set_keep_unknown_chunks) \
    F(png_set_longjmp_fn) \
    F(png_set_option) \
    F(png_set_read_fn) \
    F(png_set_sRGB_gAMA_and_cHRM) \
    F(png_set_swap) \
    F(png_set_user_limits) \
    F(png_set_write_fn) \
    F(png_write_chunk) \
    F(png_write_end) \
    F(png_write_info) \
    F(png_write_row)

#define ZLIB_FUNCTIONS(F) \
    F(crc32) \
    F(inflate) \
    F(inflateEnd) \
    F(inflateInit_)

WR_LAZY_LIBRARY(png_codec, PNG_FUNCTIONS, "libpng16.so.16")
WR_LAZY_LIBRARY(png_zlib, ZLIB_FUNCTIONS, "libz.so.1")

const char *png_load(void) {
    const char *failure = png_codec_load();
    return failure ? failure : png_zlib_load();
}
