#ifndef CZIMG_H
#define CZIMG_H

#include <zimg.h>

/// Loads libzimg once. Returns NULL on success, otherwise the reason. Must be called before any of its functions.
const char *zimg_load(void);

/// A resizer for 8-bit 4:2:0 frames in limited range.
struct zimg_resize {
    unsigned from_width, from_height, to_width, to_height;
    zimg_chroma_location_e chroma;
    /// Mitchell and Netravali's cubic filter.
    double b, c;
    /// Whether rows are aligned to 64 bytes, as AVX-512 requires, instead of 32.
    _Bool is_wide;
};

/// NULL on failure; see zimg_get_last_error.
zimg_filter_graph *zimg_resize_make(const struct zimg_resize *resize);

/// Resizes one frame. `scratch`, aligned like the rows, has the size given by zimg_filter_graph_get_tmp_size.
zimg_error_code_e zimg_resize_run(
    const zimg_filter_graph *graph, const unsigned char *const *from, const int *from_strides,
    unsigned char *const *to, const int *to_strides, void *scratch);

#endif
