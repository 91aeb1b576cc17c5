// Turns the blocks of MCUs, in the order of the scan, into samples in the planes.

#include "parts.h"

void wj_choose_groups(wj_decoder *d) {
    for (int c = 0; c < d->frame.component_count; c++) {
        const wj_component *component = &d->frame.components[c];
        int scale = d->planes[c].scale;
        for (int v = 0; v < component->v; v++)
            for (int h = 0; h < component->h; h++) {
                int pairs = scale >= 2 && scale <= 4 && h + 1 < component->h;
                d->groups[d->group_count++] = (wj_group){c, 1 + pairs, (size_t)(h * scale), (size_t)(v * scale)};
                h += pairs;
            }
    }
}

static void take_coefficients(const wj_decoder *d, const wj_group *group, uint64_t row, uint64_t column, int16_t *block) {
    const wj_component *component = &d->frame.components[group->component];
    uint64_t x = column * component->h + group->x / 8, y = row * component->v + group->y / 8;
    memcpy(d->planes[group->component].coefficients + 64 * (y * component->blocks_wide + x), block, 128);
    memset(block, 0, 128);
}

/// Reduces blocks that were decoded with all of their coefficients, because some reach beyond the edge of the image.
static void reduce_whole_blocks(
    const wj_decoder *d, const wj_group *group, uint64_t row, uint64_t column, int16_t *block, const int16_t dc[2],
    uint8_t *samples) {
    int c = group->component;
    const wj_component *component = &d->frame.components[c];
    const wj_block_format *reduced = &d->reduced[c];
    size_t stride = d->planes[c].stride, scale = (size_t)reduced->scale;
    for (int b = 0; b < group->count; b++, block += 64, samples += scale) {
        uint64_t left = 8 * (column * component->h + group->x / scale + (size_t)b);
        uint64_t top = 8 * (row * component->v + group->y / scale);
        uint64_t width = d->widths[c] > left ? d->widths[c] - left : 8, height = d->heights[c] > top ? d->heights[c] - top : 8;
        if (width < 8 || height < 8) {
            wj_reduce_edge(
                &d->edges[c], block, dc[b], (int)(width < 8 ? width : 8), (int)(height < 8 ? height : 8), samples, stride);
            continue;
        }
        int16_t kept[64] = {0}, value[2] = {dc[b], 0};
        for (size_t y = 0; y < scale; y++) memcpy(kept + y * (size_t)reduced->pitch, block + 8 * y, 2 * scale);
        memset(block, 0, 128);
        reduced->transform(reduced, kept, value, 1, samples, stride);
    }
}

wj_verdict wj_deliver(const wj_decoder *d, uint8_t *blocks, uint64_t mcu, size_t count, int32_t dc[WJ_COMPONENTS_MAX]) {
    uint8_t *out[WJ_MCU_BLOCKS_MAX] = {0};
    const wj_group *groups = d->groups;
    int16_t *block = (int16_t *)(void *)blocks;
    while (count) {
        uint64_t row = mcu / d->frame.mcus_wide, column = mcu % d->frame.mcus_wide;
        size_t run = d->frame.mcus_wide - column < count ? d->frame.mcus_wide - column : count;
        for (int g = 0; g < d->group_count; g++) {
            const wj_component *component = &d->frame.components[groups[g].component];
            const wj_plane *plane = &d->planes[groups[g].component];
            size_t y = row * component->v * (size_t)plane->scale + groups[g].y;
            size_t x = column * component->h * (size_t)plane->scale + groups[g].x;
            if (plane->samples) out[g] = plane->samples + y * plane->stride + x;
        }
        for (size_t i = 0; i < run; i++) {
            for (int g = 0; g < d->group_count; g++) {
                int c = groups[g].component, size = d->formats[c].size;
                const wj_plane *plane = &d->planes[c];
                int16_t values[2] = {0};
                for (int b = 0; b < groups[g].count; b++) {
                    dc[c] += block[b * size];
                    values[b] = (int16_t)dc[c];
                    if (WJ_UNLIKELY(dc[c] != values[b])) return WJ_DC_RANGE;
                }
                if (plane->coefficients) {
                    block[0] = values[0];
                    take_coefficients(d, &groups[g], row, column + i, block);
                } else {
                    if (d->formats[c].scale != plane->scale)
                        reduce_whole_blocks(d, &groups[g], row, column + i, block, values, out[g]);
                    else d->formats[c].transform(&d->formats[c], block, values, groups[g].count, out[g], plane->stride);
                    out[g] += (size_t)d->frame.components[c].h * (size_t)plane->scale;
                }
                block += groups[g].count * size;
            }
        }
        mcu += run;
        count -= run;
    }
    return WJ_ACCEPTED;
}

void wj_add_dc(const wj_decoder *d, const uint8_t *blocks, size_t count, int32_t dc[WJ_COMPONENTS_MAX]) {
    const int16_t *block = (const int16_t *)(const void *)blocks;
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < d->frame.component_count; c++)
            for (int b = d->frame.components[c].h * d->frame.components[c].v; b > 0; b--, block += d->formats[c].size)
                dc[c] += *block;
}
