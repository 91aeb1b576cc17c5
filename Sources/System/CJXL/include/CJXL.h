// Reads JPEG XL through libjxl, loaded on first use.
#ifndef CJXL_H
#define CJXL_H

#include <stddef.h>
#include <stdint.h>

/// Loads libjxl once, from any thread. Returns NULL on success, otherwise the reason. Must be called before any other
/// function.
const char *jxl_load(void);

typedef struct {
    /// Stored size.
    uint32_t width, height;
    /// EXIF orientation.
    int orientation;
    int bits, is_float, has_alpha, is_grey, is_animated;
    /// H.273 code points of the colour space; 0 if only a profile describes it.
    int primaries, transfer;
} cjxl_header;

enum cjxl_status {
    CJXL_DONE,
    /// The data are truncated.
    CJXL_TRUNCATED,
    /// The data are invalid.
    CJXL_BROKEN,
    /// Aborted by the caller.
    CJXL_STOPPED,
    CJXL_NO_MEMORY,
};

typedef struct cjxl cjxl;

/// Whether to abort; called between chunks of input.
typedef int (*cjxl_stop)(void *context);

/// Reads the header of a file in memory, which must outlive the reader. NULL unless `status` is CJXL_DONE.
cjxl *cjxl_open(
    const uint8_t *bytes, size_t count, cjxl_stop stop, void *context, cjxl_header *header, enum cjxl_status *status);
void cjxl_close(cjxl *file);

/// The profile of decoded pixels; its size if `out` is NULL, 0 if there is none.
size_t cjxl_profile(cjxl *file, uint8_t *out, size_t size);

/// Skips frames; those that later frames depend on are decoded.
void cjxl_skip(cjxl *file, size_t frames);

/// Decodes the next frame into rows of red, green, blue and, if present, straight alpha, with 8 or 16 `bits` in native
/// order, without padding. After CJXL_TRUNCATED the rows contain the complete blocks only.
enum cjxl_status cjxl_decode(cjxl *file, int bits, void *rows, size_t size);

/// After CJXL_TRUNCATED, writes what is known of the other blocks into the rows: a preview or nothing. Returns 0 if no
/// rows can be written.
int cjxl_flush(cjxl *file);

/// Number of frames of an animation.
size_t cjxl_count_frames(const uint8_t *bytes, size_t count, cjxl_stop stop, void *context, size_t limit);

/// The decompressed content of the first box of `type` (`Exif`, `xml `), to be freed; NULL if there is none of at most
/// `limit` bytes.
uint8_t *cjxl_box(
    const uint8_t *bytes, size_t count, const char type[4], size_t limit, cjxl_stop stop, void *context, size_t *size);

#endif
