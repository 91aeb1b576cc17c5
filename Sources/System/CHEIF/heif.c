#include "CHEIF.h"
#include "CLazyLibrary.h"

#define HEIF_FUNCTIONS(F) \
    F(heif_context_add_XMP_metadata) \
    F(heif_context_add_exif_metadata) \
    F(heif_context_alloc) \
    F(heif_context_encode_image) \
    F(heif_context_free) \
    F(heif_context_get_encoder_for_format) \
    F(heif_context_get_image_handle) \
    F(heif_context_get_number_of_top_level_images) \
    F(heif_context_get_primary_image_handle) \
    F(heif_context_read_from_memory_without_copy) \
    F(heif_context_set_max_decoding_threads) \
    F(heif_context_set_maximum_image_size_limit) \
    F(heif_context_write) \
    F(heif_decode_image) \
    F(heif_decoding_options_alloc) \
    F(heif_decoding_options_free) \
    F(heif_encoder_release) \
    F(heif_encoder_set_lossless) \
    F(heif_encoder_set_lossy_quality) \
    F(heif_encoder_set_parameter_integer) \
    F(heif_encoder_set_parameter_string) \
    F(heif_encoding_options_alloc) \
    F(heif_encoding_options_free) \
    F(heif_have_encoder_for_format) \
    F(heif_image_add_plane) \
    F(heif_image_create) \
    F(heif_image_get_bits_per_pixel_range) \
    F(heif_image_get_decoding_warnings) \
    F(heif_image_get_height) \
    F(heif_image_get_plane) \
    F(heif_image_get_plane_readonly) \
    F(heif_image_get_width) \
    F(heif_image_handle_get_color_profile_type) \
    F(heif_image_handle_get_ispe_height) \
    F(heif_image_handle_get_ispe_width) \
    F(heif_image_handle_get_height) \
    F(heif_image_handle_get_luma_bits_per_pixel) \
    F(heif_image_handle_get_nclx_color_profile) \
    F(heif_image_handle_get_raw_color_profile) \
    F(heif_image_handle_get_raw_color_profile_size) \
    F(heif_image_handle_get_width) \
    F(heif_image_handle_has_alpha_channel) \
    F(heif_image_handle_is_premultiplied_alpha) \
    F(heif_image_handle_release) \
    F(heif_image_release) \
    F(heif_image_set_nclx_color_profile) \
    F(heif_nclx_color_profile_alloc) \
    F(heif_nclx_color_profile_free)

WR_LAZY_LIBRARY(heif, HEIF_FUNCTIONS, "libheif.so.1")
