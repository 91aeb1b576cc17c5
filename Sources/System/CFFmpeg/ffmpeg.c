#include "CFFmpeg.h"
#include "CLazyLibrary.h"

#define CODEC_FUNCTIONS(F) \
    F(avcodec_find_decoder)

WR_LAZY_LIBRARY(ffmpeg_codecs, CODEC_FUNCTIONS, "libavcodec.so.59")
