#include "CFFmpeg.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "CLazyLibrary.h"

// libavutil's functions are found through libavcodec, which depends on it.
#define CODEC_FUNCTIONS(F) \
    F(av_channel_layout_channel_from_index) \
    F(av_channel_layout_copy) \
    F(av_channel_layout_default) \
    F(av_channel_layout_uninit) \
    F(av_dict_free) \
    F(av_dict_set) \
    F(av_frame_alloc) \
    F(av_frame_free) \
    F(av_frame_get_side_data) \
    F(av_freep) \
    F(av_get_bits_per_sample) \
    F(av_get_media_type_string) \
    F(av_get_packed_sample_fmt) \
    F(av_get_pix_fmt_name) \
    F(av_log_set_callback) \
    F(av_log_set_level) \
    F(av_malloc) \
    F(av_new_packet) \
    F(av_packet_alloc) \
    F(av_packet_free) \
    F(av_packet_get_side_data) \
    F(av_pix_fmt_desc_get) \
    F(av_sample_fmt_is_planar) \
    F(av_strerror) \
    F(avcodec_alloc_context3) \
    F(avcodec_descriptor_get) \
    F(avcodec_find_decoder) \
    F(avcodec_find_decoder_by_name) \
    F(avcodec_flush_buffers) \
    F(avcodec_free_context) \
    F(avcodec_get_name) \
    F(avcodec_open2) \
    F(avcodec_parameters_alloc) \
    F(avcodec_parameters_copy) \
    F(avcodec_parameters_free) \
    F(avcodec_parameters_to_context) \
    F(avcodec_receive_frame) \
    F(avcodec_send_packet)

#define FORMAT_FUNCTIONS(F) \
    F(av_find_input_format) \
    F(av_read_frame) \
    F(avformat_alloc_context) \
    F(avformat_close_input) \
    F(avformat_find_stream_info) \
    F(avformat_open_input) \
    F(avio_alloc_context) \
    F(avio_context_free) \
    F(avio_flush) \
    F(avio_seek)

#define RESAMPLER_FUNCTIONS(F) \
    F(swr_alloc_set_opts2) \
    F(swr_convert) \
    F(swr_free) \
    F(swr_get_out_samples) \
    F(swr_init)

#define SCALER_FUNCTIONS(F) \
    F(sws_freeContext) \
    F(sws_getCoefficients) \
    F(sws_getContext) \
    F(sws_scale) \
    F(sws_setColorspaceDetails)

#define SONAME(library, major) "lib" library ".so." AV_STRINGIFY(major)

WR_LAZY_LIBRARY(codecs, CODEC_FUNCTIONS, SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR))
WR_LAZY_LIBRARY(ffmpeg_formats, FORMAT_FUNCTIONS, SONAME("avformat", LIBAVFORMAT_VERSION_MAJOR))
WR_LAZY_LIBRARY(ffmpeg_resampler, RESAMPLER_FUNCTIONS, SONAME("swresample", LIBSWRESAMPLE_VERSION_MAJOR))
WR_LAZY_LIBRARY(ffmpeg_scaler, SCALER_FUNCTIONS, SONAME("swscale", LIBSWSCALE_VERSION_MAJOR))

static _Thread_local char first_error[256];

static void keep_first_error(void *source, int level, const char *format, va_list arguments) {
    (void)source;
    if (level > AV_LOG_ERROR || first_error[0]) return;
    vsnprintf(first_error, sizeof first_error, format, arguments);
    first_error[strcspn(first_error, "\r\n")] = 0;
}

static const char *failure;

static void load(void) {
    failure = codecs_load();
    if (failure) return;
    av_log_set_level(AV_LOG_ERROR);
    av_log_set_callback(keep_first_error);
}

const char *ffmpeg_codecs_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return failure;
}

void ffmpeg_log_reset(void) { first_error[0] = 0; }

const char *ffmpeg_log_first(void) { return first_error; }

static int refuse(
    AVFormatContext *context, AVIOContext **io, const char *address, int flags, AVDictionary **options) {
    (void)context, (void)io, (void)address, (void)flags, (void)options;
    return AVERROR(EPERM);
}

void ffmpeg_forbid_opening(AVFormatContext *context) { context->io_open = refuse; }
