#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "JPEGReference.h"

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf back;
} trap;

static void jump_back(j_common_ptr common) { longjmp(((trap *)common->err)->back, 1); }

static void count_warning(j_common_ptr common, int level) {
    if (level < 0) common->err->num_warnings++;
}

/// In a program with CJPEG, libjpeg's functions are those of CJPEG, which loads the library when it is told to. Fuzzers link
/// libjpeg instead.
__attribute__((weak)) const char *jpeg_load(void);

static void set(trap *trap) {
    if (jpeg_load) jpeg_load();
    jpeg_std_error(&trap->base);
    trap->base.error_exit = jump_back;
    trap->base.emit_message = count_warning;
}

static void open_file(j_decompress_ptr info, const uint8_t *bytes, size_t count) {
    jpeg_create_decompress(info);
    jpeg_mem_src(info, bytes, (unsigned long)count);
    jpeg_read_header(info, TRUE);
}

jpeg_comparison jpeg_compare_coefficients(
    const uint8_t *bytes, size_t count, const int16_t *const coefficients[3], const uint32_t blocks_wide[3]) {
    struct jpeg_decompress_struct info;
    trap trap;
    jpeg_comparison result = {0};
    set(&trap);
    info.err = &trap.base;
    if (setjmp(trap.back)) {
        result.failed = 1;
        jpeg_destroy_decompress(&info);
        return result;
    }
    open_file(&info, bytes, count);
    jvirt_barray_ptr *arrays = jpeg_read_coefficients(&info);
    for (int c = 0; c < info.num_components; c++) {
        const jpeg_component_info *component = &info.comp_info[c];
        for (JDIMENSION y = 0; y < component->height_in_blocks; y++) {
            JBLOCKARRAY row = info.mem->access_virt_barray((j_common_ptr)&info, arrays[c], y, 1, FALSE);
            for (JDIMENSION x = 0; x < component->width_in_blocks; x++)
                result.different +=
                    memcmp(row[0][x], coefficients[c] + 64 * ((size_t)y * blocks_wide[c] + x), sizeof(JBLOCK)) != 0;
        }
    }
    result.warnings = info.err->num_warnings;
    jpeg_destroy_decompress(&info);
    return result;
}

jpeg_comparison jpeg_compare_samples(
    const uint8_t *bytes, size_t count, const uint8_t *const samples[3], const size_t strides[3]) {
    struct jpeg_decompress_struct info;
    trap trap;
    jpeg_comparison result = {0};
    uint8_t *volatile memory = NULL;
    set(&trap);
    info.err = &trap.base;
    if (setjmp(trap.back)) {
        result.failed = 1;
        free(memory);
        jpeg_destroy_decompress(&info);
        return result;
    }
    open_file(&info, bytes, count);
    info.raw_data_out = TRUE;
    info.out_color_space = info.jpeg_color_space;
    jpeg_start_decompress(&info);
    enum { most_rows = 32 };
    size_t stride = ((size_t)info.image_width + 64) / 32 * 32 + 64;
    memory = malloc(stride * most_rows * 3);
    if (!memory) longjmp(trap.back, 1);
    JSAMPROW rows[3][most_rows];
    JSAMPARRAY planes[3] = {rows[0], rows[1], rows[2]};
    for (int c = 0; c < 3; c++)
        for (int y = 0; y < most_rows; y++) rows[c][y] = memory + ((size_t)c * most_rows + (size_t)y) * stride;
    for (JDIMENSION group = 0; info.output_scanline < info.output_height; group++) {
        jpeg_read_raw_data(&info, planes, (JDIMENSION)(info.max_v_samp_factor * DCTSIZE));
        for (int c = 0; c < info.num_components; c++) {
            const jpeg_component_info *component = &info.comp_info[c];
            JDIMENSION height = (JDIMENSION)(component->v_samp_factor * DCTSIZE);
            for (JDIMENSION i = 0; i < height; i++) {
                JDIMENSION y = group * height + i;
                if (y < component->downsampled_height)
                    result.different +=
                        memcmp(rows[c][i], samples[c] + y * strides[c], component->downsampled_width) != 0;
            }
        }
    }
    result.warnings = info.err->num_warnings;
    free(memory);
    jpeg_destroy_decompress(&info);
    return result;
}

uint8_t *jpeg_encode(const uint8_t *samples, jpeg_encoding encoding, size_t *count) {
    struct jpeg_compress_struct info;
    trap trap;
    uint8_t *out = NULL;
    unsigned long size = 0;
    set(&trap);
    info.err = &trap.base;
    if (setjmp(trap.back)) {
        jpeg_destroy_compress(&info);
        return NULL;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &out, &size);
    info.image_width = encoding.width;
    info.image_height = encoding.height;
    info.input_components = encoding.components;
    info.in_color_space = encoding.components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    if (encoding.is_rgb) jpeg_set_colorspace(&info, JCS_RGB);
    for (int c = 0; c < encoding.components; c++) {
        info.comp_info[c].h_samp_factor = encoding.h[c];
        info.comp_info[c].v_samp_factor = encoding.v[c];
    }
    jpeg_set_quality(&info, encoding.quality, TRUE);
    info.restart_interval = encoding.restart_interval;
    info.optimize_coding = encoding.is_optimized;
    info.arith_code = encoding.is_arithmetic;
    if (encoding.is_progressive) jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)samples + (size_t)info.next_scanline * encoding.width * (size_t)encoding.components;
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    *count = size;
    return out;
}
