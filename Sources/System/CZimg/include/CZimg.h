#ifndef CZIMG_H
#define CZIMG_H

#include <zimg.h>

/// Loads libzimg, once. NULL on success, else the reason. No function of libzimg may be called before.
const char *zimg_library_load(void);

/// A change of size of pictures in 4:2:0 of 8 bits and limited range.
struct zimg_resize {
    unsigned from_width, from_height, to_width, to_height;
    zimg_chroma_location_e chroma;
    /// The cubic of Mitchell and Netravali.
    double b, c;
    /// Whether rows begin at multiples of 64 bytes, which AVX-512 needs, and not of 32.
    _Bool is_wide;
};

/// NULL where libzimg refuses, which zimg_get_last_error tells of.
zimg_filter_graph *zimg_resize_make(const struct zimg_resize *resize);

/// Resizes one picture. `scratch`, which lies as the rows do, has what zimg_filter_graph_get_tmp_size asks for.
zimg_error_code_e zimg_resize_run(
    const zimg_filter_graph *graph, const unsigned char *const *from, const int *from_strides,
    unsigned char *const *to, const int *to_strides, void *scratch);

#endif
