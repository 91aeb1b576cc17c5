// Reads JPEG XL through libjxl, which is loaded when it is first needed.
#ifndef CJXL_H
#define CJXL_H

#include <stddef.h>
#include <stdint.h>

/// Loads libjxl, once, from any thread; NULL on success, else the reason. No other function may be called before.
const char *cjxl_load(void);

typedef struct {
    /// As stored.
    uint32_t width, height;
    /// EXIF's number.
    int orientation;
    int bits, is_float, has_alpha, is_grey, is_animated;
    /// Code points of H.273, where the colours are described by them; 0 where only a profile describes them.
    int primaries, transfer;
} cjxl_header;

enum cjxl_status {
    CJXL_DONE,
    /// The data end early.
    CJXL_TRUNCATED,
    /// The data are broken.
    CJXL_BROKEN,
    /// The caller has stopped it.
    CJXL_STOPPED,
    CJXL_NO_MEMORY,
};

typedef struct cjxl cjxl;

/// Whether decoding is to stop; asked between pieces of the data.
typedef int (*cjxl_stop)(void *context);

/// Reads the header of a file in memory, which must stay there. NULL unless `status` is CJXL_DONE.
cjxl *cjxl_open(
    const uint8_t *bytes, size_t count, cjxl_stop stop, void *context, cjxl_header *header, enum cjxl_status *status);
void cjxl_close(cjxl *file);

/// The profile of the pixels that are decoded; its size where `out` is NULL, 0 where there is none.
size_t cjxl_profile(cjxl *file, uint8_t *out, size_t size);

/// Passes over so many frames; those that the next one builds on are decoded all the same.
void cjxl_skip(cjxl *file, size_t frames);

/// Decodes the next frame into rows of red, green, blue and, where the file has it, alpha (straight), of 8 or 16 `bits` in the
/// machine's order, without padding. After CJXL_TRUNCATED what was there is in the rows, unless `has_pixels` is 0.
enum cjxl_status cjxl_decode(cjxl *file, int bits, void *rows, size_t size, int *has_pixels);

/// The frames of an animation.
size_t cjxl_count_frames(const uint8_t *bytes, size_t count, cjxl_stop stop, void *context, size_t most);

/// The contents of the first box of `type` (`Exif`, `xml `), unpacked, to be freed; NULL where there is none of at most `most` bytes.
uint8_t *cjxl_box(
    const uint8_t *bytes, size_t count, const char type[4], size_t most, cjxl_stop stop, void *context, size_t *size);

#endif
