#ifndef CFFMPEG_H
#define CFFMPEG_H

#include <libavcodec/avcodec.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

/// Loads libavcodec, libavutil and libswscale, once. NULL on success, else the reason. No function of theirs may be
/// called before.
const char *ffmpeg_codecs_load(void);

/// Forgets what FFmpeg has logged on this thread.
void ffmpeg_log_reset(void);

/// The first error that FFmpeg has logged on this thread since, which is the cause of those that follow; empty where
/// there was none. Nothing reaches standard error.
const char *ffmpeg_log_first(void);

// A macro that Swift does not see.
static const int ffmpeg_again = AVERROR(EAGAIN);

#endif
