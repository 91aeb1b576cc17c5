#include "trap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct CPNGReader {
    png_structp png;
    png_infop info;
    const uint8_t *next;
    size_t left;
    wr_png_trap trap;
};

static void take(png_structp png, png_bytep out, size_t count) {
    CPNGReader *reader = png_get_io_ptr(png);
    if (count > reader->left) {
        reader->left = 0;
        png_error(png, "the file ends early");
    }
    memcpy(out, reader->next, count);
    reader->next += count;
    reader->left -= count;
}

static void read_header(CPNGReader *reader, CPNGHeader *header) {
    // Chunks parsed elsewhere or ignored; libpng must not allocate memory for them.
    static const png_byte unused[] =
        "tEXt\0zTXt\0iTXt\0eXIf\0hIST\0pHYs\0sCAL\0sPLT\0tIME\0oFFs\0pCAL\0bKGD\0sBIT";
    png_structp png = reader->png;
    png_infop info = reader->info;
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unused, sizeof unused / 5);
    png_set_crc_action(png, PNG_CRC_DEFAULT, PNG_CRC_WARN_DISCARD);
    png_set_benign_errors(png, 1);
    // Reduces the lost data at the end of a truncated file: a block is only decompressed when it is complete.
    png_set_compression_buffer_size(png, 1024);
    png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
    png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
    png_read_info(png, info);

    header->depth = png_get_bit_depth(png, info);
    header->color_type = png_get_color_type(png, info);
    header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    int intent;
    header->is_srgb = png_get_sRGB(png, info, &intent) != 0;
    png_get_gAMA(png, info, &header->gamma);
    double *c = header->chromaticities;
    png_get_cHRM(png, info, c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7);
    png_charp name;
    int compression;
    png_bytep profile;
    if (png_get_iCCP(png, info, &name, &compression, &profile, &header->profile_count)) header->profile = profile;

    png_set_expand(png);
    png_set_gray_to_rgb(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    png_set_swap(png);
#endif
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    header->channels = png_get_channels(png, info);
    header->bits = png_get_bit_depth(png, info);
}

CPNGReader *cpng_reader_open(
    const uint8_t *bytes, size_t count, size_t chunk_limit, CPNGHeader *header, char message[CPNG_MESSAGE]) {
    memset(header, 0, sizeof *header);
    CPNGReader *reader = calloc(1, sizeof *reader);
    if (reader) reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader->trap, wr_png_trap_fail, wr_png_trap_ignore);
    if (reader && reader->png) reader->info = png_create_info_struct(reader->png);
    if (!reader || !reader->info) {
        snprintf(message, CPNG_MESSAGE, "no memory");
        cpng_reader_close(reader);
        return NULL;
    }
    reader->next = bytes;
    reader->left = count;
    if (setjmp(png_jmpbuf(reader->png))) {
        memcpy(message, reader->trap.message, CPNG_MESSAGE);
        cpng_reader_close(reader);
        return NULL;
    }
    png_set_read_fn(reader->png, reader, take);
    png_set_chunk_malloc_max(reader->png, chunk_limit);
    png_set_chunk_cache_max(reader->png, 64);
    read_header(reader, header);
    return reader;
}

int cpng_reader_row(CPNGReader *reader, uint8_t *row) {
    if (setjmp(png_jmpbuf(reader->png))) return -1;
    png_read_row(reader->png, row, NULL);
    return 0;
}

uint64_t cpng_reader_interlaced(
    CPNGReader *reader, uint8_t *pixels, size_t stride, uint32_t width, uint32_t height) {
    // Read after a longjmp, hence volatile.
    volatile uint64_t delivered = 0;
    if (setjmp(png_jmpbuf(reader->png))) return delivered;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        uint32_t columns = PNG_PASS_COLS(width, pass);
        for (uint32_t y = 0; y < height; y++) {
            png_read_row(reader->png, NULL, pixels + y * stride);
            if (PNG_ROW_IN_INTERLACE_PASS(y, pass)) delivered += columns;
        }
    }
    return delivered;
}

int cpng_reader_finish(CPNGReader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return -1;
    png_read_end(reader->png, NULL);
    return 0;
}

const char *cpng_reader_message(const CPNGReader *reader) { return reader->trap.message; }

void cpng_reader_close(CPNGReader *reader) {
    if (!reader) return;
    if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

uint32_t cpng_checksum(const uint8_t *bytes, size_t count) {
    return (uint32_t)crc32(0, bytes, (uInt)count);
}

int64_t cpng_inflate(const uint8_t *bytes, size_t count, uint8_t *out, size_t capacity) {
    if (count > UINT32_MAX || capacity > UINT32_MAX) return -1;
    z_stream stream = {
        .next_in = (Bytef *)bytes, .avail_in = (uInt)count, .next_out = out, .avail_out = (uInt)capacity};
    if (inflateInit(&stream) != Z_OK) return -1;
    int status = inflate(&stream, Z_FINISH);
    int64_t written = (int64_t)stream.total_out;
    inflateEnd(&stream);
    return status == Z_STREAM_END ? written : -1;
}
