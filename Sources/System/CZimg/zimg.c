#include "CZimg.h"

#include "CLazyLibrary.h"

#define ZIMG_FUNCTIONS(F) \
    F(zimg_filter_graph_build) \
    F(zimg_filter_graph_free) \
    F(zimg_filter_graph_get_tmp_size) \
    F(zimg_filter_graph_process) \
    F(zimg_get_last_error) \
    F(zimg_graph_builder_params_default) \
    F(zimg_image_format_default)

WR_LAZY_LIBRARY(zimg, ZIMG_FUNCTIONS, "libzimg.so.2")

static zimg_image_format format(unsigned width, unsigned height, zimg_chroma_location_e chroma) {
    zimg_image_format format;
    zimg_image_format_default(&format, ZIMG_API_VERSION);
    format.width = width;
    format.height = height;
    format.pixel_type = ZIMG_PIXEL_BYTE;
    format.subsample_w = format.subsample_h = 1;
    format.color_family = ZIMG_COLOR_YUV;
    format.pixel_range = ZIMG_RANGE_LIMITED;
    format.chroma_location = chroma;
    return format;
}

zimg_filter_graph *zimg_resize_make(const struct zimg_resize *resize) {
    zimg_image_format from = format(resize->from_width, resize->from_height, resize->chroma);
    zimg_image_format to = format(resize->to_width, resize->to_height, resize->chroma);
    zimg_graph_builder_params params;
    zimg_graph_builder_params_default(&params, ZIMG_API_VERSION);
    params.resample_filter = params.resample_filter_uv = ZIMG_RESIZE_BICUBIC;
    params.filter_param_a = params.filter_param_a_uv = resize->b;
    params.filter_param_b = params.filter_param_b_uv = resize->c;
    params.cpu_type = resize->is_wide ? ZIMG_CPU_AUTO_64B : ZIMG_CPU_AUTO;
    return zimg_filter_graph_build(&from, &to, &params);
}

zimg_error_code_e zimg_resize_run(
    const zimg_filter_graph *graph, const unsigned char *const *from, const int *from_strides,
    unsigned char *const *to, const int *to_strides, void *scratch) {
    zimg_image_buffer_const source = {ZIMG_API_VERSION};
    zimg_image_buffer target = {ZIMG_API_VERSION};
    for (int plane = 0; plane < 3; plane++) {
        source.plane[plane].data = from[plane];
        source.plane[plane].stride = from_strides[plane];
        source.plane[plane].mask = ZIMG_BUFFER_MAX;
        target.plane[plane].data = to[plane];
        target.plane[plane].stride = to_strides[plane];
        target.plane[plane].mask = ZIMG_BUFFER_MAX;
    }
    return zimg_filter_graph_process(graph, &source, &target, scratch, 0, 0, 0, 0);
}
