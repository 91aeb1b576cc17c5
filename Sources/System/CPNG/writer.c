#include "trap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CPNGWriter {
    png_structp png;
    png_infop info;
    uint8_t *bytes;
    size_t count, capacity;
    wr_png_trap trap;
};

static void append(png_structp png, png_bytep bytes, size_t count) {
    CPNGWriter *writer = png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) {
        size_t capacity = writer->capacity * 2 > writer->count + count ? writer->capacity * 2 : writer->count + count;
        uint8_t *larger = realloc(writer->bytes, capacity);
        if (!larger) png_error(png, "no memory for the encoded image");
        writer->bytes = larger;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

static void flush(png_structp png) { (void)png; }

CPNGWriter *cpng_writer_open(const CPNGLayout *layout, char message[CPNG_MESSAGE]) {
    CPNGWriter *writer = calloc(1, sizeof *writer);
    if (writer) writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer->trap, wr_png_trap_fail, wr_png_trap_ignore);
    if (writer && writer->png) writer->info = png_create_info_struct(writer->png);
    if (!writer || !writer->info) {
        snprintf(message, CPNG_MESSAGE, "no memory");
        cpng_writer_close(writer);
        return NULL;
    }
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png))) {
        memcpy(message, writer->trap.message, CPNG_MESSAGE);
        cpng_writer_close(writer);
        return NULL;
    }
    png_set_write_fn(png, writer, append, flush);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(
        png, writer->info, layout->width, layout->height, layout->bits,
        layout->has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB_gAMA_and_cHRM(png, writer->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, layout->level);
    png_set_compression_strategy(png, layout->strategy);
    png_set_compression_buffer_size(png, 1 << 16);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, layout->filters);
    png_write_info(png, writer->info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (layout->bits == 16) png_set_swap(png);
#endif
    return writer;
}

int cpng_writer_chunk(CPNGWriter *writer, const char *type, const uint8_t *bytes, size_t count) {
    if (setjmp(png_jmpbuf(writer->png))) return -1;
    png_write_chunk(writer->png, (png_const_bytep)type, bytes, count);
    return 0;
}

int cpng_writer_row(CPNGWriter *writer, const uint8_t *row) {
    if (setjmp(png_jmpbuf(writer->png))) return -1;
    png_write_row(writer->png, row);
    return 0;
}

int cpng_writer_finish(CPNGWriter *writer, const uint8_t **bytes, size_t *count) {
    if (setjmp(png_jmpbuf(writer->png))) return -1;
    png_write_end(writer->png, NULL);
    *bytes = writer->bytes;
    *count = writer->count;
    return 0;
}

const char *cpng_writer_message(const CPNGWriter *writer) { return writer->trap.message; }

void cpng_writer_close(CPNGWriter *writer) {
    if (!writer) return;
    if (writer->png) png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->bytes);
    free(writer);
}
