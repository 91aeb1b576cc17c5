// Measures the decoder of JPEG scans and variants of it beside libjpeg, in turns, in one process:
//
//     bench ROUNDS FOLDER FILE
//
// FOLDER has a shared library of each variant; Benchmarks/inside builds them. A line of the output has a name, the least
// CPU time in milliseconds, the least wall time, and whether the image was decoded (1) or refused (0).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>

#include "WayreelJPEG.h"

typedef struct {
    wj_verdict (*read_frame)(const uint8_t *, size_t, wj_frame *);
    wj_verdict (*open)(const wj_frame *, const wj_plane *, wj_decoder **);
    void (*work)(wj_decoder *, int (*)(void *), void *);
    wj_verdict (*close)(wj_decoder *);
    void (*read_row)(const wj_frame *, const wj_plane *, uint32_t, int, uint8_t *, uint8_t *);
    uint32_t (*row_count)(const wj_frame *, const wj_plane *);
} library;

typedef struct {
    const char *name, *library;
    /// Eighths; 0 for libjpeg's coefficients.
    int scale, threads, makes_rows;
} variant;

static const variant variants[] = {
    {"libjpeg-turbo: coefficients", NULL, 0, 1, 0},
    {"sequential", "sequential", 8, 1, 0},
    {"1 place, in chunks", "streams1", 8, 1, 0},
    {"2 places in turn", "streams2", 8, 1, 0},
    {"3 places in turn", "streams3", 8, 1, 0},
    {"4 places in turn", "streams4", 8, 1, 0},
    {"5 places in turn", "streams5", 8, 1, 0},
    {"4, kept for 4/8", "streams4", 4, 1, 0},
    {"4, kept for 3/8", "streams4", 3, 1, 0},
    {"4, kept for 2/8", "streams4", 2, 1, 0},
    {"4, kept for 1/8", "streams4", 1, 1, 0},
    {"libjpeg-turbo: rows", NULL, 8, 1, 1},
    {"libjpeg-turbo: rows at 4/8", NULL, 4, 1, 1},
    {"rows", "whole", 8, 1, 1},
    {"rows at 4/8", "whole", 4, 1, 1},
    {"rows at 3/8", "whole", 3, 1, 1},
    {"rows at 2/8", "whole", 2, 1, 1},
    {"rows at 1/8", "whole", 1, 1, 1},
    {"planes", "whole", 8, 1, 0},
    {"planes, 2 threads", "whole", 8, 2, 0},
    {"planes at 4/8", "whole", 4, 1, 0},
    {"planes at 4/8, 2 threads", "whole", 4, 2, 0},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

// MARK: libjpeg

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf back;
} trap;

static void jump_back(j_common_ptr common) { longjmp(((trap *)common->err)->back, 1); }
static void ignore(j_common_ptr common, int level) { (void)common, (void)level; }

static int decode_libjpeg(const uint8_t *file, size_t size, int scale, uint8_t *row) {
    struct jpeg_decompress_struct info;
    trap trap;
    info.err = jpeg_std_error(&trap.base);
    trap.base.error_exit = jump_back;
    trap.base.emit_message = ignore;
    if (setjmp(trap.back)) {
        jpeg_destroy_decompress(&info);
        return 0;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, file, size);
    jpeg_read_header(&info, TRUE);
    if (!scale) jpeg_read_coefficients(&info);
    else {
        info.scale_num = (unsigned)scale;
        info.scale_denom = 8;
        jpeg_start_decompress(&info);
        while (info.output_scanline < info.output_height) jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_destroy_decompress(&info);
    return 1;
}

// MARK: The decoder

typedef struct {
    const library *library;
    wj_decoder *decoder;
} work;

static void *run(void *context) {
    work *own = context;
    own->library->work(own->decoder, NULL, NULL);
    return NULL;
}

static int decode(const library *own, const variant *variant, const uint8_t *file, size_t size, uint8_t *memory, uint8_t *row) {
    wj_frame frame;
    if (own->read_frame(file, size, &frame)) return 0;
    wj_plane planes[WJ_COMPONENTS_MAX] = {0};
    for (int c = 0; c < frame.component_count; c++) {
        const wj_component *component = &frame.components[c];
        int across = frame.h_max / component->h, down = frame.v_max / component->v, ratio = across > down ? across : down;
        int scale = variant->scale * ratio > 8 ? 8 : variant->scale * ratio;
        size_t stride = ((size_t)component->blocks_wide * (size_t)scale + 63) / 64 * 64;
        planes[c] = (wj_plane){.scale = scale, .stride = stride, .samples = memory};
        memory += stride * component->blocks_high * (size_t)scale;
    }
    work work = {.library = own};
    if (own->open(&frame, planes, &work.decoder)) return 0;
    pthread_t thread;
    if (variant->threads > 1) pthread_create(&thread, NULL, run, &work);
    run(&work);
    if (variant->threads > 1) pthread_join(thread, NULL);
    if (own->close(work.decoder)) return 0;
    if (variant->makes_rows)
        for (uint32_t y = 0; y < own->row_count(&frame, planes); y++) own->read_row(&frame, planes, y, 1, memory + 64, row);
    return 1;
}

static library load(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    library loaded;
    *(void **)&loaded.read_frame = dlsym(handle, "wj_read_frame");
    *(void **)&loaded.open = dlsym(handle, "wj_decoder_open");
    *(void **)&loaded.work = dlsym(handle, "wj_decoder_work");
    *(void **)&loaded.close = dlsym(handle, "wj_decoder_close");
    *(void **)&loaded.read_row = dlsym(handle, "wj_read_row");
    *(void **)&loaded.row_count = dlsym(handle, "wj_row_count");
    return loaded;
}

// MARK: Measuring

int main(int count, char **arguments) {
    if (count != 4) return 64;
    FILE *input = fopen(arguments[3], "rb");
    if (!input) {
        perror(arguments[3]);
        return 66;
    }
    fseek(input, 0, SEEK_END);
    size_t size = (size_t)ftell(input);
    rewind(input);
    uint8_t *file = malloc(size + 1);
    if (!file || fread(file, 1, size, input) != size) return 66;
    fclose(input);
    // 30 megapixels without subsampling.
    uint8_t *memory = malloc(90 << 20), *row = malloc(3 * 70000);
    if (!memory || !row) return 70;
    library libraries[VARIANTS];
    double cpu[VARIANTS], wall[VARIANTS];
    int is_decoded[VARIANTS];
    for (int v = 0; v < VARIANTS; v++) {
        if (variants[v].library) libraries[v] = load(arguments[2], variants[v].library);
        cpu[v] = wall[v] = 1e9;
    }
    for (int round = 0; round < atoi(arguments[1]); round++)
        for (int v = 0; v < VARIANTS; v++) {
            double cpu_start = now(CLOCK_PROCESS_CPUTIME_ID), wall_start = now(CLOCK_MONOTONIC);
            is_decoded[v] = variants[v].library
                                ? decode(&libraries[v], &variants[v], file, size, memory, row)
                                : decode_libjpeg(file, size, variants[v].scale, row);
            double cpu_time = now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start, wall_time = now(CLOCK_MONOTONIC) - wall_start;
            if (cpu_time < cpu[v]) cpu[v] = cpu_time;
            if (wall_time < wall[v]) wall[v] = wall_time;
        }
    for (int v = 0; v < VARIANTS; v++) printf("%s\t%.3f\t%.3f\t%d\n", variants[v].name, cpu[v], wall[v], is_decoded[v]);
    return 0;
}
