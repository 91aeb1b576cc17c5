#include "CJPEG.h"
#include "trap.h"

#include <jerror.h>
#include <stdlib.h>
#include <string.h>

struct wr_jpeg_reader {
    wr_jpeg_trap trap;  // first, so that the error manager leads back to the reader
    struct jpeg_decompress_struct info;
    struct jpeg_progress_mgr progress;
    int (*stop)(void *);
    void *stop_context;
    wr_jpeg_damage damage;
    int started, failed, inverted;
};

// More scans than any encoder writes are an attack: each is a pass over the whole image.
enum { most_scans = 500 };

/// The fraction of the image with data if the current scan ends here.
static double fraction_read(j_decompress_ptr info) {
    if (!info->total_iMCU_rows) return 0;
    if (jpeg_has_multiple_scans(info)) {
        int begun = 1;
        for (int c = 0; info->coef_bits && c < info->num_components; c++) begun &= info->coef_bits[c][0] >= 0;
        // After the coarse scans, missing data reduce detail, not area.
        if (begun && info->input_scan_number > 1) return 1;
    }
    return (double)info->input_iMCU_row / info->total_iMCU_rows;
}

static void note(j_common_ptr common, int level) {
    if (level >= 0 || !common->is_decompressor) return;
    wr_jpeg_reader *reader = (wr_jpeg_reader *)common->err;
    j_decompress_ptr info = &reader->info;
    wr_jpeg_damage *damage = &reader->damage;
    int code = common->err->msg_code;
    if (code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR) return;
    if (!damage->count++) {
        char text[JMSG_LENGTH_MAX];
        common->err->format_message(common, text);
        snprintf(damage->first, sizeof damage->first, "%s", text);
    }
    if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) {
        double missing = 1 - fraction_read(info);
        if (code == JWRN_HIT_MARKER && info->restart_interval) {
            // Decoding resumes at the next restart marker: one interval is lost.
            double all = (double)info->MCUs_per_row * info->total_iMCU_rows;
            double lost = all > 0 ? info->restart_interval / all : 0;
            missing = damage->missing_share + lost < 1 ? damage->missing_share + lost : 1;
        }
        if (missing > damage->missing_share) damage->missing_share = missing;
    }
}

static void check_progress(j_common_ptr common) {
    wr_jpeg_reader *reader = (wr_jpeg_reader *)common->err;
    if (reader->info.input_scan_number > most_scans) {
        snprintf(reader->trap.message, sizeof reader->trap.message, "more than %d scans", most_scans);
        longjmp(reader->trap.back, 1);
    }
    if (reader->stop && reader->stop(reader->stop_context)) {
        snprintf(reader->trap.message, sizeof reader->trap.message, "stopped");
        longjmp(reader->trap.back, 1);
    }
}

wr_jpeg_reader *wr_jpeg_reader_open(const uint8_t *bytes, size_t count, char message[WR_JPEG_MESSAGE_SIZE]) {
    wr_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        snprintf(message, WR_JPEG_MESSAGE_SIZE, "no memory");
        return NULL;
    }
    reader->info.err = wr_jpeg_trap_set(&reader->trap);
    reader->trap.base.emit_message = note;
    if (setjmp(reader->trap.back)) {
        snprintf(message, WR_JPEG_MESSAGE_SIZE, "%s", reader->trap.message);
        wr_jpeg_reader_close(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->info);
    reader->progress.progress_monitor = check_progress;
    reader->info.progress = &reader->progress;
    jpeg_mem_src(&reader->info, bytes, count);
    jpeg_save_markers(&reader->info, JPEG_APP0 + 14, 64);
    jpeg_read_header(&reader->info, TRUE);
    J_COLOR_SPACE space = reader->info.jpeg_color_space;
    if (space == JCS_CMYK || space == JCS_YCCK) {
        reader->info.out_color_space = JCS_CMYK;
        reader->inverted = reader->info.saw_Adobe_marker;
    } else if (space == JCS_GRAYSCALE || space == JCS_YCbCr || space == JCS_RGB) {
        reader->info.out_color_space = JCS_EXT_RGB;
    } else {
        snprintf(message, WR_JPEG_MESSAGE_SIZE, "%d colour components of an unknown kind", reader->info.num_components);
        wr_jpeg_reader_close(reader);
        return NULL;
    }
    return reader;
}

wr_jpeg_info wr_jpeg_reader_info(const wr_jpeg_reader *reader) {
    const struct jpeg_decompress_struct *info = &reader->info;
    wr_jpeg_info out = {
        .width = info->image_width,
        .height = info->image_height,
        .components = info->num_components,
        .row_components = info->out_color_space == JCS_CMYK ? 4 : 3,
        .is_progressive = info->progressive_mode,
        .is_ycc = info->jpeg_color_space == JCS_YCbCr,
        .is_ycck = info->jpeg_color_space == JCS_YCCK,
        .horizontal_ratio = 1,
        .vertical_ratio = 1,
    };
    if (jpeg_has_multiple_scans((j_decompress_ptr)info)) {
        for (int i = 0; i < info->num_components; i++) {
            const jpeg_component_info *component = &info->comp_info[i];
            out.coefficient_bytes +=
                (size_t)component->width_in_blocks * component->height_in_blocks * sizeof(JBLOCK);
        }
    }
    if (info->num_components >= 3) {
        out.horizontal_ratio = info->comp_info[0].h_samp_factor / info->comp_info[1].h_samp_factor;
        out.vertical_ratio = info->comp_info[0].v_samp_factor / info->comp_info[1].v_samp_factor;
    }
    return out;
}

void wr_jpeg_reader_set_stop(wr_jpeg_reader *reader, int (*stop)(void *), void *context) {
    reader->stop = stop;
    reader->stop_context = context;
}

/// Starts decoding if necessary. Called under the caller's `setjmp`.
static void start(wr_jpeg_reader *reader) {
    if (reader->started) return;
    reader->started = 1;
    jpeg_start_decompress(&reader->info);
}

int wr_jpeg_reader_read(wr_jpeg_reader *reader, uint8_t *row) {
    if (reader->failed) return 0;
    if (setjmp(reader->trap.back)) {
        reader->failed = 1;
        return 0;
    }
    start(reader);
    if (reader->info.output_scanline >= reader->info.output_height) return 1;
    JSAMPROW rows[1] = {row};
    jpeg_read_scanlines(&reader->info, rows, 1);
    if (reader->inverted)
        for (size_t x = 0, count = (size_t)reader->info.output_width * 4; x < count; x++) row[x] = 255 - row[x];
    return 1;
}

int wr_jpeg_reader_skip(wr_jpeg_reader *reader, uint32_t count) {
    if (reader->failed) return 0;
    if (setjmp(reader->trap.back)) {
        reader->failed = 1;
        return 0;
    }
    start(reader);
    if (count) jpeg_skip_scanlines(&reader->info, count);
    return 1;
}

const char *wr_jpeg_reader_message(const wr_jpeg_reader *reader) { return reader->trap.message; }

wr_jpeg_damage wr_jpeg_reader_damage(const wr_jpeg_reader *reader) { return reader->damage; }

void wr_jpeg_reader_close(wr_jpeg_reader *reader) {
    // Aborting frees libjpeg's memory and raises no error.
    jpeg_destroy_decompress(&reader->info);
    free(reader);
}
