// Decodes a scan.
//
//     scan.c        removes stuffed bytes and markers
//     machine.c     decodes codes into blocks: up to four places of the scan in turn, by each thread
//     intervals.c   chooses the places: restart intervals, where there are enough of them and they are short
//     chunks.c      or chunks, of which it finds out where they meet
//     delivery.c    sums the differences of DC and hands blocks on
//     idct.c        turns them into samples, edges.c those that reach beyond the image

#include "parts.h"

static void free_decoder(wj_decoder *d) {
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
    wj_scan_free(&d->scan);
    free(d->machine);
    wj_zeros_unmap(d->blocks);
    free(d);
}

static void choose_formats(wj_decoder *d, int c) {
    const wj_component *component = &d->frame.components[c];
    const uint16_t *quantization = d->frame.quantization[component->quantization];
    int scale = d->planes[c].scale;
    d->widths[c] = (d->frame.width * component->h + (uint32_t)d->frame.h_max - 1) / (uint32_t)d->frame.h_max;
    d->heights[c] = (d->frame.height * component->v + (uint32_t)d->frame.v_max - 1) / (uint32_t)d->frame.v_max;
    d->reduced[c] = d->formats[c] = wj_block_format_make(quantization, scale);
    if (scale == 8 || (d->widths[c] % 8 == 0 && d->heights[c] % 8 == 0)) return;
    // Blocks at an edge need all coefficients.
    d->formats[c] = wj_block_format_make(quantization, 8);
    d->edges[c] = wj_edge_format_make(quantization, scale);
}

static wj_verdict prepare(wj_decoder *d) {
    wj_verdict verdict = wj_scan_read(&d->frame, &d->scan);
    if (verdict) return verdict;
    if (!(d->machine = malloc(sizeof *d->machine))) return WJ_MEMORY;
    for (int c = 0; c < d->frame.component_count; c++) choose_formats(d, c);
    wj_choose_groups(d);
    wj_machine_build(d->machine, &d->frame, d->formats);
    d->mcu_count = (uint64_t)d->frame.mcus_wide * d->frame.mcus_high;
    d->interval_mcus = d->frame.restart_interval ? d->frame.restart_interval : d->mcu_count;
    d->room_mcus = (size_t)(WJ_ROOM_BLOCKS / d->machine->block_count);
    size_t blocks = (size_t)d->mcu_count * (size_t)d->machine->block_count;
    size_t chunk = (size_t)(d->scan.limit - d->scan.bytes) * WJ_CHUNK_BLOCKS / blocks;
    d->chunk_bytes = chunk < WJ_CHUNK_LEAST ? WJ_CHUNK_LEAST : chunk > WJ_CHUNK_MOST ? WJ_CHUNK_MOST : chunk;
    size_t interval = (size_t)(d->scan.limit - d->scan.bytes) / d->scan.interval_count;
    // Few intervals leave streams without work, and long ones end far apart.
    d->has_chunks = d->scan.interval_count < 2 * WJ_STREAMS || interval > 2 * d->chunk_bytes;
    if (!d->has_chunks) {
        if (d->interval_mcus < d->room_mcus) d->room_mcus = (size_t)d->interval_mcus;
        return WJ_ACCEPTED;
    }
    size_t bytes = wj_whole_lines((d->room_mcus + WJ_MEETING_MCUS + 1) * d->machine->mcu_bytes + WJ_OVERRUN);
    d->blocks = wj_zeros_map(WJ_WINDOW * bytes);
    if (!d->blocks.base) return WJ_MEMORY;
    for (int i = 0; i < WJ_WINDOW; i++) d->spare[d->spare_count++] = d->blocks.base + (size_t)i * bytes;
    return WJ_ACCEPTED;
}

wj_verdict wj_decoder_open(const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX], wj_decoder **decoder) {
    *decoder = NULL;
    wj_decoder *d = calloc(1, sizeof *d);
    if (!d) return WJ_MEMORY;
    d->frame = *frame;
    memcpy(d->planes, planes, sizeof d->planes);
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->changed, NULL);
    wj_verdict verdict = prepare(d);
    if (verdict) free_decoder(d);
    else *decoder = d;
    return verdict;
}

size_t wj_decoder_scan_size(const wj_decoder *d) { return (size_t)(d->scan.limit - d->scan.bytes); }

void wj_decoder_work(wj_decoder *d, int (*stop)(void *), void *context) {
    if (d->has_chunks) wj_work_on_chunks(d, stop, context);
    else wj_work_on_intervals(d, stop, context);
}

wj_verdict wj_decoder_close(wj_decoder *d) {
    wj_verdict verdict = d->verdict;
    free_decoder(d);
    return verdict;
}
