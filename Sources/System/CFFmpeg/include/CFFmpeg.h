#ifndef CFFMPEG_H
#define CFFMPEG_H

#include <libavcodec/avcodec.h>
#include <libavutil/error.h>

/// Loads libavcodec and libswscale, once. NULL on success, else the reason. No function of theirs may be called before.
const char *ffmpeg_codecs_load(void);

#endif
