// Damages JPEG scans and decodes them: what WayreelJPEG accepts must have libjpeg's coefficients and samples without a warning of
// libjpeg, and the verdict must be the same at every size.
//
//     mutations COUNT SEED FOLDER
//
// Images of random sizes, contents and encodings are made as they are needed. A file for which that does not hold is saved in
// FOLDER, and the exit status is 1. The last line has the counts.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "JPEGReference.h"
#include "WayreelJPEG.h"

enum { MUTATIONS_OF_AN_IMAGE = 250 };

static uint64_t state;

/// xorshift64*.
static uint64_t draw(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du;
}

static size_t below(size_t limit) { return (size_t)((draw() >> 33) % limit); }

// MARK: Images

static uint8_t *image(size_t *count) {
    static const uint32_t sides[] = {1, 2, 7, 8, 9, 16, 17, 33, 64, 100, 160, 255};
    static const int qualities[] = {5, 30, 75, 90, 95, 100}, intervals[] = {0, 0, 0, 1, 2, 7, 64};
    static const int factors[][2][2] = {
        {{1, 1}, {1, 1}}, {{2, 1}, {1, 1}}, {{2, 2}, {1, 1}}, {{2, 2}, {1, 1}}, {{1, 2}, {1, 1}},
        {{4, 1}, {1, 1}}, {{2, 2}, {1, 2}}, {{2, 2}, {2, 1}}, {{4, 2}, {1, 1}},
    };
    static uint8_t samples[255 * 255 * 3];
    jpeg_encoding encoding = {
        .width = sides[below(12)], .height = sides[below(12)], .components = below(6) ? 3 : 1,
        .quality = qualities[below(6)], .restart_interval = (unsigned)intervals[below(7)], .is_optimized = (int)below(2),
        .is_rgb = !below(12),
    };
    size_t factor = below(sizeof factors / sizeof *factors), kind = below(4);
    for (int c = 0; c < 3; c++) {
        encoding.h[c] = factors[factor][c > 0][0];
        encoding.v[c] = factors[factor][c > 0][1];
    }
    if (encoding.components == 1) encoding.is_rgb = 0;
    size_t size = (size_t)encoding.width * encoding.height * (size_t)encoding.components;
    for (size_t i = 0; i < size; i++) {
        size_t pixel = i / (size_t)encoding.components, x = pixel % encoding.width, y = pixel / encoding.width;
        samples[i] = (uint8_t)(kind == 0 ? (x * (i % 3 + 1) + y * 2) / 2
                               : kind == 1 ? draw() >> 56
                               : kind == 2 ? ((x / 9 + y / 5) % 3 ? 20 : 230)
                                           : (y == encoding.height / 2 ? 255 : 60));
    }
    return jpeg_encode(samples, encoding, count);
}

// MARK: Damage

/// Changes one to three places, three of four times in the scan. Returns the number of bytes that are left.
static size_t damage(uint8_t *file, size_t count, size_t scan) {
    for (size_t changes = 1 + below(3); changes > 0 && count > scan + 16; changes--) {
        size_t at = below(4) ? scan + below(count - scan - 2) : below(count - 2), from;
        switch (below(7)) {
        case 0:
        case 1: file[at] ^= (uint8_t)(1 << below(8)); break;
        case 2: file[at] = (uint8_t)draw(); break;
        case 3: memmove(file + at, file + at + 1, --count - at); break;
        case 4:
            file[at] = 0xFF;
            file[at + 1] = below(2) ? (uint8_t)(0xD0 + below(8)) : (uint8_t)draw();
            break;
        case 5:
            from = scan + below(count - scan - 8);
            if (at + 8 < count) memmove(file + at, file + from, 1 + below(8));
            break;
        default:
            // Broken off, as it is or with an end.
            count = scan + 8 + below(count - scan - 8);
            if (below(2)) {
                file[count - 2] = 0xFF;
                file[count - 1] = 0xD9;
            }
        }
    }
    return count;
}

static size_t start_of_scan(const uint8_t *file, size_t count) {
    size_t at = 2;
    while (at + 4 < count && file[at + 1] != 0xDA) at += 2 + ((size_t)file[at + 2] << 8 | file[at + 3]);
    return at;
}

// MARK: Decoding

static void *work(void *decoder) {
    wj_decoder_work(decoder, NULL, NULL);
    return NULL;
}

/// Decodes at three scales, or without them to coefficients. Frees nothing: `planes` belong to the caller.
static wj_verdict decode(const wj_frame *frame, wj_plane planes[WJ_COMPONENTS_MAX], const int *scales, int threads) {
    for (int c = 0; c < frame->component_count; c++) {
        const wj_component *component = &frame->components[c];
        size_t blocks = (size_t)component->blocks_wide * component->blocks_high;
        planes[c] = (wj_plane){.scale = scales ? scales[c] : 8};
        if (scales) {
            planes[c].stride = (size_t)component->blocks_wide * (size_t)scales[c];
            planes[c].samples = malloc(blocks * (size_t)(scales[c] * scales[c]));
        } else planes[c].coefficients = malloc(blocks * 128);
    }
    wj_decoder *decoder;
    wj_verdict verdict = wj_decoder_open(frame, planes, &decoder);
    if (verdict) return verdict;
    pthread_t other;
    if (threads > 1) pthread_create(&other, NULL, work, decoder);
    work(decoder);
    if (threads > 1) pthread_join(other, NULL);
    return wj_decoder_close(decoder);
}

static void release(const wj_frame *frame, wj_plane planes[WJ_COMPONENTS_MAX]) {
    for (int c = 0; c < frame->component_count; c++) {
        free(planes[c].samples);
        free(planes[c].coefficients);
    }
}

typedef enum { REFUSED, EQUAL, WRONG } result;

static result check(const uint8_t *file, size_t count) {
    static const int sizes[] = {1, 2, 3, 4, 6, 8};
    wj_frame frame;
    if (wj_read_frame(file, count, &frame) || (uint64_t)frame.width * frame.height > 1000000) return REFUSED;
    wj_plane planes[WJ_COMPONENTS_MAX] = {0};
    int scales[] = {sizes[below(6)], sizes[below(6)], sizes[below(6)]}, threads = below(8) ? 1 : 2;
    wj_verdict reduced = decode(&frame, planes, scales, threads);
    release(&frame, planes);
    wj_verdict verdict = decode(&frame, planes, NULL, threads);
    result result = verdict ? REFUSED : EQUAL;
    if (!verdict != !reduced) result = WRONG;
    if (!verdict) {
        const int16_t *coefficients[3] = {planes[0].coefficients, planes[1].coefficients, planes[2].coefficients};
        uint32_t wide[] = {frame.components[0].blocks_wide, frame.components[1].blocks_wide, frame.components[2].blocks_wide};
        jpeg_comparison comparison = jpeg_compare_coefficients(file, count, coefficients, wide);
        if (comparison.failed || comparison.warnings || comparison.different) result = WRONG;
    }
    release(&frame, planes);
    if (result != EQUAL) return result;
    static const int whole[] = {8, 8, 8};
    decode(&frame, planes, whole, threads);
    const uint8_t *samples[3] = {planes[0].samples, planes[1].samples, planes[2].samples};
    size_t strides[] = {planes[0].stride, planes[1].stride, planes[2].stride};
    jpeg_comparison comparison = jpeg_compare_samples(file, count, samples, strides);
    if (comparison.failed || comparison.different) result = WRONG;
    release(&frame, planes);
    return result;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 4) {
        fprintf(stderr, "usage: mutations COUNT SEED FOLDER\n");
        return 64;
    }
    long wanted = atol(arguments[1]), counts[3] = {0};
    state = strtoull(arguments[2], NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    uint8_t *file = NULL, *scratch = NULL;
    size_t count = 0, scan = 0;
    for (long made = 0; made < wanted; made++) {
        if (made % MUTATIONS_OF_AN_IMAGE == 0) {
            free(file);
            free(scratch);
            file = image(&count);
            scan = start_of_scan(file, count);
            scratch = malloc(count);
            if (check(file, count) != EQUAL) {
                fprintf(stderr, "an image without damage is not accepted\n");
                counts[WRONG]++;
            }
        }
        memcpy(scratch, file, count);
        size_t left = damage(scratch, count, scan);
        // An own copy, so that AddressSanitizer knows its end.
        uint8_t *copy = malloc(left);
        memcpy(copy, scratch, left);
        result result = check(copy, left);
        if (result == WRONG) {
            char path[4096];
            snprintf(path, sizeof path, "%s/wrong-%s-%ld.jpg", arguments[3], arguments[2], made);
            FILE *out = fopen(path, "wb");
            if (out) {
                fwrite(copy, 1, left, out);
                fclose(out);
            }
            fprintf(stderr, "wrong: %s\n", path);
        }
        counts[result]++;
        free(copy);
    }
    printf("seed %s: %ld mutations, %ld refused, %ld accepted and equal to libjpeg, %ld wrong\n", arguments[2], wanted,
        counts[REFUSED], counts[EQUAL], counts[WRONG]);
    free(file);
    free(scratch);
    return counts[WRONG] != 0;
}
