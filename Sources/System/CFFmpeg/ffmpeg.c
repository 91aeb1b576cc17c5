#define _GNU_SOURCE  // sync_file_range
#include "CFFmpeg.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CLazyLibrary.h"

// libavutil's functions are found through libavcodec, which depends on it.
#define CODEC_FUNCTIONS(F) \
    F(av_aes_alloc) \
    F(av_aes_crypt) \
    F(av_aes_init) \
    F(av_buffer_pool_get) \
    F(av_buffer_pool_init) \
    F(av_buffer_pool_uninit) \
    F(av_channel_layout_channel_from_index) \
    F(av_channel_layout_copy) \
    F(av_channel_layout_default) \
    F(av_channel_layout_from_mask) \
    F(av_channel_layout_uninit) \
    F(av_color_primaries_name) \
    F(av_color_space_name) \
    F(av_color_transfer_name) \
    F(av_dict_free) \
    F(av_dict_get) \
    F(av_dict_set) \
    F(av_frame_alloc) \
    F(av_frame_apply_cropping) \
    F(av_frame_copy_props) \
    F(av_frame_free) \
    F(av_frame_get_buffer) \
    F(av_frame_get_side_data) \
    F(av_frame_make_writable) \
    F(av_frame_ref) \
    F(av_free) \
    F(av_freep) \
    F(av_get_bits_per_sample) \
    F(av_get_media_type_string) \
    F(av_get_packed_sample_fmt) \
    F(av_get_cpu_flags) \
    F(av_get_pix_fmt) \
    F(av_get_pix_fmt_name) \
    F(av_image_fill_arrays) \
    F(av_image_get_buffer_size) \
    F(av_log_set_callback) \
    F(av_log_set_level) \
    F(av_malloc) \
    F(av_new_packet) \
    F(av_opt_set) \
    F(av_packet_alloc) \
    F(av_packet_free) \
    F(av_packet_get_side_data) \
    F(av_packet_ref) \
    F(av_packet_rescale_ts) \
    F(av_packet_unref) \
    F(av_parser_close) \
    F(av_parser_init) \
    F(av_parser_parse2) \
    F(av_pix_fmt_desc_get) \
    F(av_reduce) \
    F(av_rescale_q) \
    F(av_sample_fmt_is_planar) \
    F(av_strdup) \
    F(av_strerror) \
    F(avcodec_alloc_context3) \
    F(avcodec_default_get_buffer2) \
    F(avcodec_descriptor_get) \
    F(avcodec_find_decoder) \
    F(avcodec_find_decoder_by_name) \
    F(avcodec_find_encoder_by_name) \
    F(avcodec_flush_buffers) \
    F(avcodec_free_context) \
    F(avcodec_get_name) \
    F(avcodec_open2) \
    F(avcodec_parameters_alloc) \
    F(avcodec_parameters_copy) \
    F(avcodec_parameters_free) \
    F(avcodec_parameters_from_context) \
    F(avcodec_parameters_to_context) \
    F(avcodec_profile_name) \
    F(avcodec_receive_frame) \
    F(avcodec_receive_packet) \
    F(avcodec_send_frame) \
    F(avcodec_send_packet)

#define FORMAT_FUNCTIONS(F) \
    F(av_find_input_format) \
    F(av_guess_frame_rate) \
    F(av_guess_sample_aspect_ratio) \
    F(av_interleaved_write_frame) \
    F(av_read_frame) \
    F(av_stream_get_parser) \
    F(av_stream_get_side_data) \
    F(av_write_frame) \
    F(av_write_trailer) \
    F(avformat_alloc_context) \
    F(avformat_alloc_output_context2) \
    F(avformat_close_input) \
    F(avformat_find_stream_info) \
    F(avformat_free_context) \
    F(avformat_index_get_entries_count) \
    F(avformat_index_get_entry) \
    F(avformat_new_stream) \
    F(avformat_open_input) \
    F(avformat_seek_file) \
    F(avformat_write_header) \
    F(avio_alloc_context) \
    F(avio_close_dyn_buf) \
    F(avio_context_free) \
    F(avio_flush) \
    F(avio_open_dyn_buf) \
    F(avio_seek)

#define RESAMPLER_FUNCTIONS(F) \
    F(swr_alloc_set_opts2) \
    F(swr_convert) \
    F(swr_free) \
    F(swr_get_out_samples) \
    F(swr_init)

#define FILTER_FUNCTIONS(F) \
    F(av_buffersink_get_frame) \
    F(av_buffersink_get_time_base) \
    F(av_buffersrc_add_frame_flags) \
    F(avfilter_get_by_name) \
    F(avfilter_graph_alloc) \
    F(avfilter_graph_config) \
    F(avfilter_graph_create_filter) \
    F(avfilter_graph_free) \
    F(avfilter_graph_parse_ptr) \
    F(avfilter_inout_alloc) \
    F(avfilter_inout_free)

#define SCALER_FUNCTIONS(F) \
    F(sws_freeContext) \
    F(sws_getCoefficients) \
    F(sws_getContext) \
    F(sws_scale) \
    F(sws_setColorspaceDetails)

#define SONAME(library, major) "lib" library ".so." AV_STRINGIFY(major)

WR_LAZY_LIBRARY(codecs, CODEC_FUNCTIONS, SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR))
WR_LAZY_LIBRARY(ffmpeg_filters, FILTER_FUNCTIONS, SONAME("avfilter", LIBAVFILTER_VERSION_MAJOR))
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

// MARK: Muxing into a file by its descriptor

struct output {
    int descriptor;
    int64_t position;
    /// Whether written data are final.
    int is_final;
};

static int read_output(void *opaque, uint8_t *bytes, int count) {
    struct output *output = opaque;
    ssize_t got;
    do got = pread(output->descriptor, bytes, (size_t)count, output->position);
    while (got < 0 && errno == EINTR);
    if (got < 0) return AVERROR(errno);
    output->position += got;
    return got ? (int)got : AVERROR_EOF;
}

static int write_output(void *opaque, uint8_t *bytes, int count) {
    struct output *output = opaque;
    for (int done = 0; done < count;) {
        ssize_t put = pwrite(output->descriptor, bytes + done, (size_t)(count - done), output->position);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return put < 0 ? AVERROR(errno) : AVERROR(EIO);
        // Starts writing to the disk now, so that flushing the file takes less time.
        if (output->is_final) sync_file_range(output->descriptor, output->position, put, SYNC_FILE_RANGE_WRITE);
        output->position += put;
        done += (int)put;
    }
    return count;
}

static int64_t seek_output(void *opaque, int64_t offset, int whence) {
    struct output *output = opaque;
    struct stat status;
    switch (whence & ~AVSEEK_FORCE) {
    case SEEK_SET: break;
    case SEEK_CUR: offset += output->position; break;
    case SEEK_END:
    case AVSEEK_SIZE:
        if (fstat(output->descriptor, &status)) return AVERROR(errno);
        if (whence & AVSEEK_SIZE) return status.st_size;
        offset += status.st_size;
        break;
    default: return AVERROR(EINVAL);
    }
    return offset < 0 ? AVERROR(EINVAL) : (output->position = offset);
}

static AVIOContext *open_descriptor(int descriptor, int writes) {
    enum { size = 1 << 18 };
    struct output *output = calloc(1, sizeof *output);
    uint8_t *buffer = av_malloc(size);
    AVIOContext *io =
        output && buffer
            ? avio_alloc_context(buffer, size, writes, output, read_output, writes ? write_output : NULL, seek_output)
            : NULL;
    if (!io) {
        free(output);
        av_free(buffer);
        return NULL;
    }
    output->descriptor = descriptor;
    return io;
}

static void close_descriptor(AVIOContext *io) {
    if (!io) return;
    free(io->opaque);
    av_freep(&io->buffer);
    avio_context_free(&io);
}

// The MP4 muxer reads back what it has written when it moves the index to the front.
static int open_again(
    AVFormatContext *context, AVIOContext **io, const char *address, int flags, AVDictionary **options) {
    (void)address, (void)options;
    struct output *output = context->pb->opaque;
    if (flags & AVIO_FLAG_WRITE) return AVERROR(EPERM);
    output->is_final = 1;
    *io = open_descriptor(output->descriptor, 0);
    return *io ? 0 : AVERROR(ENOMEM);
}

static int close_again(AVFormatContext *context, AVIOContext *io) {
    (void)context;
    close_descriptor(io);
    return 0;
}

int ffmpeg_write_to(AVFormatContext *context, int descriptor) {
    context->pb = open_descriptor(descriptor, 1);
    if (!context->pb) return AVERROR(ENOMEM);
    context->flags |= AVFMT_FLAG_CUSTOM_IO;
    // Disables flushing after every packet.
    context->flush_packets = 0;
    context->io_open = open_again;
    context->io_close2 = close_again;
    return 0;
}

int ffmpeg_add_chapter(AVFormatContext *context, int64_t start, int64_t end, const char *title) {
    unsigned count = context->nb_chapters;
    AVChapter *chapter = av_malloc(sizeof *chapter);
    AVChapter **chapters = av_malloc((count + 1) * sizeof *chapters);
    if (!chapter || !chapters) {
        av_free(chapter);
        av_free(chapters);
        return AVERROR(ENOMEM);
    }
    memset(chapter, 0, sizeof *chapter);
    chapter->id = count + 1;
    chapter->time_base = (AVRational){1, 1000};
    chapter->start = start;
    chapter->end = end;
    if (count) memcpy(chapters, context->chapters, count * sizeof *chapters);
    chapters[count] = chapter;
    av_free(context->chapters);
    context->chapters = chapters;
    context->nb_chapters = count + 1;
    return av_dict_set(&chapter->metadata, "title", title, 0);
}

void ffmpeg_free_output(AVFormatContext *context) {
    close_descriptor(context->pb);
    context->pb = NULL;
    avformat_free_context(context);
}
