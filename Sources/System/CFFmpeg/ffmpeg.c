#include "CFFmpeg.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "CLazyLibrary.h"

// libavutil's functions are found through libavcodec, which depends on it.
#define CODEC_FUNCTIONS(F) \
    F(av_dict_free) \
    F(av_dict_set) \
    F(av_frame_alloc) \
    F(av_frame_free) \
    F(av_frame_get_side_data) \
    F(av_get_pix_fmt_name) \
    F(av_log_set_callback) \
    F(av_log_set_level) \
    F(av_new_packet) \
    F(av_packet_alloc) \
    F(av_packet_free) \
    F(av_pix_fmt_desc_get) \
    F(av_strerror) \
    F(avcodec_alloc_context3) \
    F(avcodec_find_decoder_by_name) \
    F(avcodec_free_context) \
    F(avcodec_open2) \
    F(avcodec_receive_frame) \
    F(avcodec_send_packet)

#define SCALER_FUNCTIONS(F) \
    F(sws_freeContext) \
    F(sws_getCoefficients) \
    F(sws_getContext) \
    F(sws_scale) \
    F(sws_setColorspaceDetails)

#define SONAME(library, major) "lib" library ".so." AV_STRINGIFY(major)

WR_LAZY_LIBRARY(codecs, CODEC_FUNCTIONS, SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR))
WR_LAZY_LIBRARY(scaler, SCALER_FUNCTIONS, SONAME("swscale", LIBSWSCALE_VERSION_MAJOR))

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
    if (!failure) failure = scaler_load();
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
