#include "CFLAC.h"

#include "CLazyLibrary.h"

#define FLAC_FUNCTIONS(F) \
    F(FLAC__stream_decoder_delete) \
    F(FLAC__stream_decoder_get_state) \
    F(FLAC__stream_decoder_init_ogg_stream) \
    F(FLAC__stream_decoder_init_stream) \
    F(FLAC__stream_decoder_new) \
    F(FLAC__stream_decoder_process_single)

WR_LAZY_LIBRARY(flac, FLAC_FUNCTIONS, "libFLAC.so.12", "libFLAC.so.14")
