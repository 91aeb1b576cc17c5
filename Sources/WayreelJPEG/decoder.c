// Decodes a scan: chooses which places of it are decoded in turn.

#include "parts.h"

static void free_decoder(wj_decoder *d) {
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
    wj_scan_free(&d->scan);
    free(d->machine);
    wj_zeros_unmap(d->blocks);
    free(d);
}

static wj_verdict prepare(wj_decoder *d) {
    wj_verdict verdict = wj_scan_read(&d->frame, &d->scan);
    if (verdict) return verdict;
    if (!(d->machine = malloc(sizeof *d->machine))) return WJ_MEMORY;
    for (int c = 0; c < d->frame.component_count; c++)
        d->formats[c] = wj_block_format_make(
            d->frame.quantization[d->frame.components[c].quantization], d->planes[c].scale);
    wj_machine_build(d->machine, &d->frame, d->formats);
    d->mcu_count = (uint64_t)d->frame.mcus_wide * d->frame.mcus_high;
    d->interval_mcus = d->frame.restart_interval ? d->frame.restart_interval : d->mcu_count;
    d->room_mcus = (size_t)(WJ_ROOM_BLOCKS / d->machine->block_count);
    size_t blocks = (size_t)d->mcu_count * (size_t)d->machine->block_count;
    size_t chunk = (size_t)(d->scan.limit - d->scan.bytes) * WJ_CHUNK_BLOCKS / blocks;
    d->chunk_bytes = chunk < WJ_CHUNK_LEAST ? WJ_CHUNK_LEAST : chunk > WJ_CHUNK_MOST ? WJ_CHUNK_MOST : chunk;
    size_t interval = (size_t)(d->scan.limit - d->scan.bytes) / d->scan.interval_count;
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

void wj_decoder_work(wj_decoder *d, int (*stop)(void *), void *context) {
    if (d->has_chunks) wj_work_on_chunks(d, stop, context);
    else wj_work_on_intervals(d, stop, context);
}

wj_verdict wj_decoder_close(wj_decoder *d) {
    wj_verdict verdict = d->verdict;
    free_decoder(d);
    return verdict;
}
