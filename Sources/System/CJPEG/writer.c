#include "CJPEG.h"
#include "trap.h"

#include <jerror.h>
#include <stdlib.h>

struct wr_jpeg_writer {
    wr_jpeg_trap trap;  // first, so that the error manager leads back to the writer
    struct jpeg_compress_struct info;
    struct jpeg_destination_mgr destination;
    unsigned char *bytes;
    size_t count, capacity;
};

// libjpeg's own memory destination leaves its caller with a dangling pointer after an error; this one does not.

static wr_jpeg_writer *writer_of(j_compress_ptr info) { return (wr_jpeg_writer *)info->err; }

static boolean grow(j_compress_ptr info) {
    wr_jpeg_writer *writer = writer_of(info);
    size_t capacity = writer->capacity ? writer->capacity * 2 : 1 << 16;
    unsigned char *larger = realloc(writer->bytes, capacity);
    if (!larger) ERREXIT1(info, JERR_OUT_OF_MEMORY, 10);
    writer->destination.next_output_byte = larger + writer->capacity;
    writer->destination.free_in_buffer = capacity - writer->capacity;
    writer->bytes = larger;
    writer->capacity = capacity;
    return TRUE;
}

static void begin(j_compress_ptr info) { grow(info); }

static void end(j_compress_ptr info) {
    wr_jpeg_writer *writer = writer_of(info);
    writer->count = writer->capacity - writer->destination.free_in_buffer;
}

wr_jpeg_writer *wr_jpeg_writer_open(wr_jpeg_options options, char message[WR_JPEG_MESSAGE_SIZE]) {
    wr_jpeg_writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        snprintf(message, WR_JPEG_MESSAGE_SIZE, "no memory");
        return NULL;
    }
    struct jpeg_compress_struct *info = &writer->info;
    info->err = wr_jpeg_trap_set(&writer->trap);
    if (setjmp(writer->trap.back)) {
        snprintf(message, WR_JPEG_MESSAGE_SIZE, "%s", writer->trap.message);
        wr_jpeg_writer_close(writer);
        return NULL;
    }
    jpeg_create_compress(info);
    writer->destination = (struct jpeg_destination_mgr){
        .init_destination = begin, .empty_output_buffer = grow, .term_destination = end};
    info->dest = &writer->destination;
    info->image_width = options.width;
    info->image_height = options.height;
    info->input_components = 3;
    info->in_color_space = JCS_EXT_RGB;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, options.quality, TRUE);
    info->comp_info[0].h_samp_factor = options.horizontal_ratio;
    info->comp_info[0].v_samp_factor = options.vertical_ratio;
    info->optimize_coding = options.progressive;
    if (options.progressive) jpeg_simple_progression(info);
    jpeg_start_compress(info, TRUE);
    return writer;
}

int wr_jpeg_writer_segment(wr_jpeg_writer *writer, int n, const uint8_t *bytes, uint32_t count) {
    if (setjmp(writer->trap.back)) return 0;
    jpeg_write_marker(&writer->info, JPEG_APP0 + n, bytes, count);
    return 1;
}

int wr_jpeg_writer_write(wr_jpeg_writer *writer, const uint8_t *row) {
    if (setjmp(writer->trap.back)) return 0;
    JSAMPROW rows[1] = {(JSAMPROW)row};
    jpeg_write_scanlines(&writer->info, rows, 1);
    return 1;
}

const uint8_t *wr_jpeg_writer_finish(wr_jpeg_writer *writer, size_t *count) {
    if (setjmp(writer->trap.back)) return NULL;
    jpeg_finish_compress(&writer->info);
    *count = writer->count;
    return writer->bytes;
}

const char *wr_jpeg_writer_message(const wr_jpeg_writer *writer) { return writer->trap.message; }

void wr_jpeg_writer_close(wr_jpeg_writer *writer) {
    jpeg_destroy_compress(&writer->info);
    free(writer->bytes);
    free(writer);
}
