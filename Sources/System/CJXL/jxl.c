#include "CJXL.h"

#include "CLazyLibrary.h"

#include <jxl/decode.h>
#include <stdlib.h>
#include <string.h>

#define JXL_FUNCTIONS(F) \
    F(JxlDecoderCreate) \
    F(JxlDecoderDestroy) \
    F(JxlDecoderFlushImage) \
    F(JxlDecoderGetBasicInfo) \
    F(JxlDecoderGetBoxType) \
    F(JxlDecoderGetColorAsEncodedProfile) \
    F(JxlDecoderGetColorAsICCProfile) \
    F(JxlDecoderGetICCProfileSize) \
    F(JxlDecoderImageOutBufferSize) \
    F(JxlDecoderProcessInput) \
    F(JxlDecoderReleaseBoxBuffer) \
    F(JxlDecoderReleaseInput) \
    F(JxlDecoderSetBoxBuffer) \
    F(JxlDecoderSetDecompressBoxes) \
    F(JxlDecoderSetImageOutBuffer) \
    F(JxlDecoderSetInput) \
    F(JxlDecoderSetKeepOrientation) \
    F(JxlDecoderSetPreferredColorProfile) \
    F(JxlDecoderSetUnpremultiplyAlpha) \
    F(JxlDecoderSkipFrames) \
    F(JxlDecoderSubscribeEvents)

// Later versions have other parameters.
WR_LAZY_LIBRARY(jxl, JXL_FUNCTIONS, "libjxl.so.0.7")

/// Data fed to a decoder in chunks.
typedef struct {
    JxlDecoder *decoder;
    const uint8_t *bytes;
    size_t count, offset, fed;
    cjxl_stop stop;
    void *context;
} feed;

enum { piece = 1 << 16 };

/// The next event. Never signals the end of input, so that partial data can be flushed.
static JxlDecoderStatus next_event(feed *feed, enum cjxl_status *status) {
    for (;;) {
        JxlDecoderStatus event = JxlDecoderProcessInput(feed->decoder);
        if (event != JXL_DEC_NEED_MORE_INPUT) {
            if (event == JXL_DEC_ERROR) *status = CJXL_BROKEN;
            return event;
        }
        feed->offset = feed->fed - JxlDecoderReleaseInput(feed->decoder);
        if (feed->fed == feed->count) {
            *status = CJXL_TRUNCATED;
            return event;
        }
        if (feed->stop(feed->context)) {
            *status = CJXL_STOPPED;
            return event;
        }
        size_t left = feed->count - feed->fed;
        feed->fed += left < piece ? left : piece;
        JxlDecoderSetInput(feed->decoder, feed->bytes + feed->offset, feed->fed - feed->offset);
    }
}

static feed begin(const uint8_t *bytes, size_t count, int events, cjxl_stop stop, void *context) {
    feed feed = {JxlDecoderCreate(NULL), bytes, count, 0, 0, stop, context};
    if (feed.decoder) JxlDecoderSubscribeEvents(feed.decoder, events);
    return feed;
}

struct cjxl {
    feed feed;
    cjxl_header header;
};

// MARK: The header

static const JxlPixelFormat any_format = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};

/// Requests the image's original colour space if code points describe it, and stores them.
static void choose_color(cjxl *file) {
    JxlColorEncoding color;
    cjxl_header *header = &file->header;
    if (JxlDecoderGetColorAsEncodedProfile(
            file->feed.decoder, &any_format, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &color) != JXL_DEC_SUCCESS)
        return;
    if (JxlDecoderSetPreferredColorProfile(file->feed.decoder, &color) != JXL_DEC_SUCCESS) return;
    int is_known = color.transfer_function != JXL_TRANSFER_FUNCTION_GAMMA &&
                   color.transfer_function != JXL_TRANSFER_FUNCTION_UNKNOWN;
    if (color.color_space == JXL_COLOR_SPACE_GRAY) {
        if (is_known) header->primaries = 1, header->transfer = (int)color.transfer_function;
    } else if (is_known && color.primaries != JXL_PRIMARIES_CUSTOM) {
        // libjxl uses one number for P3 with the white point of cinema or display.
        int is_screen = color.white_point == JXL_WHITE_POINT_D65;
        if (color.white_point != JXL_WHITE_POINT_CUSTOM && color.white_point != JXL_WHITE_POINT_E) {
            header->primaries = color.primaries == JXL_PRIMARIES_P3 && is_screen ? 12 : (int)color.primaries;
            header->transfer = (int)color.transfer_function;
        }
    }
}

cjxl *cjxl_open(
    const uint8_t *bytes, size_t count, cjxl_stop stop, void *context, cjxl_header *header,
    enum cjxl_status *status) {
    cjxl *file = calloc(1, sizeof *file);
    *status = CJXL_NO_MEMORY;
    if (!file) return NULL;
    file->feed =
        begin(bytes, count, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE, stop, context);
    if (file->feed.decoder) {
        JxlDecoderSetKeepOrientation(file->feed.decoder, JXL_TRUE);
        JxlDecoderSetUnpremultiplyAlpha(file->feed.decoder, JXL_TRUE);
        for (;;) {
            JxlDecoderStatus event = next_event(&file->feed, status);
            if (event == JXL_DEC_BASIC_INFO) {
                JxlBasicInfo info;
                if (JxlDecoderGetBasicInfo(file->feed.decoder, &info) != JXL_DEC_SUCCESS) break;
                file->header = (cjxl_header){
                    .width = info.xsize,
                    .height = info.ysize,
                    .orientation = (int)info.orientation,
                    .bits = (int)info.bits_per_sample,
                    .is_float = info.exponent_bits_per_sample > 0,
                    .has_alpha = info.alpha_bits > 0,
                    .is_grey = info.num_color_channels == 1,
                    .is_animated = info.have_animation,
                };
            } else if (event == JXL_DEC_COLOR_ENCODING) {
                choose_color(file);
                *header = file->header;
                *status = CJXL_DONE;
                return file;
            } else {
                if (event == JXL_DEC_SUCCESS) *status = CJXL_BROKEN;
                break;
            }
        }
    }
    cjxl_close(file);
    return NULL;
}

void cjxl_close(cjxl *file) {
    if (file->feed.decoder) JxlDecoderDestroy(file->feed.decoder);
    free(file);
}

size_t cjxl_profile(cjxl *file, uint8_t *out, size_t size) {
    JxlDecoder *decoder = file->feed.decoder;
    size_t needed = 0;
    if (JxlDecoderGetICCProfileSize(decoder, &any_format, JXL_COLOR_PROFILE_TARGET_DATA, &needed) != JXL_DEC_SUCCESS)
        return 0;
    if (!out) return needed;
    if (size < needed) return 0;
    JxlDecoderStatus status =
        JxlDecoderGetColorAsICCProfile(decoder, &any_format, JXL_COLOR_PROFILE_TARGET_DATA, out, needed);
    return status == JXL_DEC_SUCCESS ? needed : 0;
}

// MARK: Pixels

void cjxl_skip(cjxl *file, size_t frames) {
    if (frames) JxlDecoderSkipFrames(file->feed.decoder, frames);
}

enum cjxl_status cjxl_decode(cjxl *file, int bits, void *rows, size_t size) {
    JxlPixelFormat format = {
        file->header.has_alpha ? 4 : 3, bits == 16 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    enum cjxl_status status = CJXL_BROKEN;
    for (;;) {
        switch (next_event(&file->feed, &status)) {
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER: {
            size_t needed;
            if (JxlDecoderImageOutBufferSize(file->feed.decoder, &format, &needed) != JXL_DEC_SUCCESS ||
                needed > size ||
                JxlDecoderSetImageOutBuffer(file->feed.decoder, &format, rows, size) != JXL_DEC_SUCCESS)
                return CJXL_BROKEN;
            break;
        }
        case JXL_DEC_FULL_IMAGE: return CJXL_DONE;
        case JXL_DEC_NEED_MORE_INPUT: return status;
        case JXL_DEC_SUCCESS: return CJXL_BROKEN;
        case JXL_DEC_ERROR: return CJXL_BROKEN;
        default: break;
        }
    }
}

int cjxl_flush(cjxl *file) { return JxlDecoderFlushImage(file->feed.decoder) == JXL_DEC_SUCCESS; }

// MARK: Frames and boxes

size_t cjxl_count_frames(const uint8_t *bytes, size_t count, cjxl_stop stop, void *context, size_t limit) {
    feed feed = begin(bytes, count, JXL_DEC_FRAME, stop, context);
    size_t frames = 0;
    enum cjxl_status status;
    if (!feed.decoder) return 1;
    while (frames < limit && next_event(&feed, &status) == JXL_DEC_FRAME) frames++;
    JxlDecoderDestroy(feed.decoder);
    return frames ? frames : 1;
}

uint8_t *cjxl_box(
    const uint8_t *bytes, size_t count, const char type[4], size_t limit, cjxl_stop stop, void *context, size_t *size) {
    feed feed = begin(bytes, count, JXL_DEC_BOX, stop, context);
    uint8_t *out = NULL;
    size_t room = 0;
    int is_inside = 0, is_whole = 0;
    enum cjxl_status status;
    if (!feed.decoder) return NULL;
    JxlDecoderSetDecompressBoxes(feed.decoder, JXL_TRUE);
    while (!is_whole) {
        JxlDecoderStatus event = next_event(&feed, &status);
        if (event == JXL_DEC_BOX_NEED_MORE_OUTPUT && room < limit) {
            size_t filled = room - JxlDecoderReleaseBoxBuffer(feed.decoder);
            uint8_t *larger = realloc(out, room * 2);
            if (!larger) break;
            out = larger;
            room *= 2;
            JxlDecoderSetBoxBuffer(feed.decoder, out + filled, room - filled);
        } else if (is_inside && (event == JXL_DEC_BOX || event == JXL_DEC_SUCCESS)) {
            *size = room - JxlDecoderReleaseBoxBuffer(feed.decoder);
            is_whole = 1;
        } else if (event == JXL_DEC_BOX) {
            JxlBoxType found;
            if (JxlDecoderGetBoxType(feed.decoder, found, JXL_TRUE) != JXL_DEC_SUCCESS) break;
            if (memcmp(found, type, 4)) continue;
            room = 1 << 14;
            if (!(out = malloc(room))) break;
            JxlDecoderSetBoxBuffer(feed.decoder, out, room);
            is_inside = 1;
        } else {
            // At the end of the input, the last box is complete without an event.
            if (is_inside && event == JXL_DEC_NEED_MORE_INPUT && status == CJXL_TRUNCATED) {
                *size = room - JxlDecoderReleaseBoxBuffer(feed.decoder);
                is_whole = 1;
            }
            break;
        }
    }
    JxlDecoderDestroy(feed.decoder);
    if (is_whole) return out;
    free(out);
    return NULL;
}
