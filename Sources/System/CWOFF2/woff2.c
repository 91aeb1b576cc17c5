#include "CWOFF2.h"

#include "CLazyLibrary.h"

#include <pthread.h>
#include <stdio.h>

// woff2::MaxWOFF2CompressedSize(const uint8_t *, size_t)
size_t _ZN5woff222MaxWOFF2CompressedSizeEPKhm(const uint8_t *, size_t);
// woff2::ConvertTTFToWOFF2(const uint8_t *, size_t, uint8_t *, size_t *)
bool _ZN5woff217ConvertTTFToWOFF2EPKhmPhPm(const uint8_t *, size_t, uint8_t *, size_t *);
// woff2::ComputeWOFF2FinalSize(const uint8_t *, size_t)
size_t _ZN5woff221ComputeWOFF2FinalSizeEPKhm(const uint8_t *, size_t);
// woff2::ConvertWOFF2ToTTF(uint8_t *, size_t, const uint8_t *, size_t)
bool _ZN5woff217ConvertWOFF2ToTTFEPhmPKhm(uint8_t *, size_t, const uint8_t *, size_t);

#define ENCODER_FUNCTIONS(F) F(_ZN5woff222MaxWOFF2CompressedSizeEPKhm) F(_ZN5woff217ConvertTTFToWOFF2EPKhmPhPm)
WR_LAZY_LIBRARY(cwoff2_encoder, ENCODER_FUNCTIONS, "libwoff2enc.so.1.0.2")

#define DECODER_FUNCTIONS(F) F(_ZN5woff221ComputeWOFF2FinalSizeEPKhm) F(_ZN5woff217ConvertWOFF2ToTTFEPhmPKhm)
WR_LAZY_LIBRARY(cwoff2_decoder, DECODER_FUNCTIONS, "libwoff2dec.so.1.0.2")

size_t cwoff2_max_size(const uint8_t *font, size_t count) { return _ZN5woff222MaxWOFF2CompressedSizeEPKhm(font, count); }

// Debian's library reports what it does on the standard error stream, which is given another file meanwhile. What this
// program writes there, it writes to the descriptor.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static FILE *begin_silence(void) {
    pthread_mutex_lock(&turn);
    FILE *kept = stderr, *nowhere = fopen("/dev/null", "we");
    if (nowhere) stderr = nowhere;
    return kept;
}

static void end_silence(FILE *kept) {
    if (stderr != kept) fclose(stderr);
    stderr = kept;
    pthread_mutex_unlock(&turn);
}

bool cwoff2_encode(const uint8_t *font, size_t count, uint8_t *result, size_t *result_count) {
    FILE *kept = begin_silence();
    bool is_done = _ZN5woff217ConvertTTFToWOFF2EPKhmPhPm(font, count, result, result_count);
    end_silence(kept);
    return is_done;
}

size_t cwoff2_decoded_size(const uint8_t *file, size_t count) {
    return _ZN5woff221ComputeWOFF2FinalSizeEPKhm(file, count);
}

bool cwoff2_decode(uint8_t *result, size_t result_count, const uint8_t *file, size_t count) {
    FILE *kept = begin_silence();
    bool is_done = _ZN5woff217ConvertWOFF2ToTTFEPhmPKhm(result, result_count, file, count);
    end_silence(kept);
    return is_done;
}
