#include "CEBUR128.h"

#include "CLazyLibrary.h"

#define EBUR128_FUNCTIONS(F) \
    F(ebur128_add_frames_float) \
    F(ebur128_add_frames_int) \
    F(ebur128_add_frames_short) \
    F(ebur128_destroy) \
    F(ebur128_init) \
    F(ebur128_loudness_window) \
    F(ebur128_sample_peak) \
    F(ebur128_set_channel) \
    F(ebur128_true_peak)

WR_LAZY_LIBRARY(ebur128, EBUR128_FUNCTIONS, "libebur128.so.1")
