#ifndef CFFMPEG_H
#define CFFMPEG_H

#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/aes.h>
#include <libavutil/buffer.h>
#include <libavutil/cpu.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Each library is loaded once. Returns NULL on success, otherwise the reason. Must be called before any of its
// functions.

/// libavcodec and libavutil.
const char *ffmpeg_codecs_load(void);
/// libswscale; load the codecs first.
const char *ffmpeg_scaler_load(void);
/// libavformat; load the codecs first.
const char *ffmpeg_formats_load(void);
/// libswresample; load the codecs first.
const char *ffmpeg_resampler_load(void);

/// libavfilter; load the codecs first.
const char *ffmpeg_filters_load(void);

/// Clears FFmpeg's log of this thread.
void ffmpeg_log_reset(void);

/// The first error that FFmpeg has logged on this thread since, usually the cause of later ones; empty if there is
/// none. Nothing is written to standard error.
const char *ffmpeg_log_first(void);

/// Makes demuxers fail to open other files or the network: playlists must not be followed.
void ffmpeg_forbid_opening(AVFormatContext *context);

/// Makes `context` write to the file of `descriptor`, which must be readable too, from its start. Returns 0 or an
/// error.
int ffmpeg_write_to(AVFormatContext *context, int descriptor);

/// Adds a chapter with times in milliseconds to a muxer context before its header. Returns 0 or an error.
int ffmpeg_add_chapter(AVFormatContext *context, int64_t start, int64_t end, const char *title);

/// Frees a muxer context; the descriptor stays open.
void ffmpeg_free_output(AVFormatContext *context);

// Macros that Swift cannot import.
static const int ffmpeg_again = AVERROR(EAGAIN);
static const int ffmpeg_end = AVERROR_EOF;
static const int ffmpeg_exit = AVERROR_EXIT;
static const int ffmpeg_no_memory = AVERROR(ENOMEM);
static const int ffmpeg_io_error = AVERROR(EIO);
static const int ffmpeg_no_such_call = AVERROR(ENOSYS);
static const int ffmpeg_bad_argument = AVERROR(EINVAL);
static const int64_t ffmpeg_no_pts = AV_NOPTS_VALUE;
static const int ffmpeg_skip_manually = AV_CODEC_FLAG2_SKIP_MANUAL;

#endif
