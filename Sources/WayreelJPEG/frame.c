// The header: which images are decoded here.

#include <string.h>

#include "machine.h"

static const char *const texts[] = {
    [WJ_ACCEPTED] = "accepted",
    [WJ_NO_SOI] = "no SOI marker",
    [WJ_MARKER] = "unexpected marker in the header",
    [WJ_SEGMENT_LENGTH] = "length of a segment",
    [WJ_QUANTIZATION_TABLE] = "quantization table",
    [WJ_HUFFMAN_TABLE] = "Huffman table",
    [WJ_PROCESS] = "not a sequential Huffman-coded process",
    [WJ_PRECISION] = "not 8 bits a sample",
    [WJ_SIZE] = "size",
    [WJ_COMPONENTS] = "components",
    [WJ_SAMPLING] = "sampling factors",
    [WJ_SCAN_HEADER] = "not one scan of all components",
    [WJ_APPLICATION_SEGMENT] = "JFIF or Adobe segment",
    [WJ_NO_EOI] = "no EOI marker",
    [WJ_SCAN_MARKER] = "unexpected marker in the scan",
    [WJ_INTERVAL_COUNT] = "number of restart intervals",
    [WJ_TOO_SHORT] = "too few bytes for the size",
    [WJ_CODE] = "a code that no table has, or a block of more than 64 coefficients",
    [WJ_DC_RANGE] = "range of a DC coefficient",
    [WJ_INTERVAL_LENGTH] = "bytes left over or missing at the end of an interval",
    [WJ_MEMORY] = "no memory",
    [WJ_STOPPED] = "stopped",
};

const char *wj_verdict_text(wj_verdict verdict) { return texts[verdict]; }

const uint8_t wj_natural_order[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

// The markers of T.81, table B.1.
enum {
    SOF0 = 0xC0, SOF1 = 0xC1, DHT = 0xC4, SOI = 0xD8, EOI = 0xD9, SOS = 0xDA, DQT = 0xDB, DRI = 0xDD, APP0 = 0xE0,
    APP14 = 0xEE, APP15 = 0xEF, COM = 0xFE,
};

static unsigned word(const uint8_t *bytes) { return (unsigned)bytes[0] << 8 | bytes[1]; }

static wj_verdict read_quantization(const uint8_t *bytes, size_t count, wj_frame *frame) {
    while (count) {
        int is_16_bit = bytes[0] >> 4, table = bytes[0] & 15;
        size_t size = is_16_bit ? 129 : 65;
        if (is_16_bit > 1 || table > 3 || count < size) return WJ_QUANTIZATION_TABLE;
        for (int k = 0; k < 64; k++) {
            unsigned step = is_16_bit ? word(bytes + 1 + 2 * k) : bytes[1 + k];
            if (!step) return WJ_QUANTIZATION_TABLE;
            frame->quantization[table][wj_natural_order[k]] = (uint16_t)step;
        }
        frame->quantization_is_defined[table] = 1;
        bytes += size;
        count -= size;
    }
    return WJ_ACCEPTED;
}

static wj_verdict read_huffman(const uint8_t *bytes, size_t count, wj_frame *frame) {
    while (count) {
        if (count < 17) return WJ_HUFFMAN_TABLE;
        int class = bytes[0] >> 4, table = bytes[0] & 15;
        if (class > 1 || table > 3) return WJ_HUFFMAN_TABLE;
        wj_huffman *huffman = class ? &frame->ac[table] : &frame->dc[table];
        memset(huffman, 0, sizeof *huffman);
        size_t total = 0;
        for (int length = 1; length <= 16; length++) total += huffman->counts[length] = bytes[length];
        if (total > 256 || count < 17 + total) return WJ_HUFFMAN_TABLE;
        memcpy(huffman->symbols, bytes + 17, total);
        huffman->is_defined = 1;
        bytes += 17 + total;
        count -= 17 + total;
    }
    return WJ_ACCEPTED;
}

/// Whether the table's codes fit their lengths, none is all ones, its symbols are those of 8-bit samples, and its long codes have
/// a table.
static int is_valid(const wj_huffman *huffman, int is_dc) {
    if (wj_long_prefix(huffman, is_dc ? WJ_DC_BITS : WJ_AC_BITS) < 0) return 0;
    unsigned code = 0, symbol = 0;
    for (int length = 1; length <= 16; length++, code <<= 1) {
        for (int i = 0; i < huffman->counts[length]; i++, code++, symbol++) {
            unsigned run = huffman->symbols[symbol] >> 4, size = huffman->symbols[symbol] & 15;
            if (is_dc ? run || size > 11 : size > 10 || (!size && run && run < 15)) return 0;
        }
        if (huffman->counts[length] && code >= 1u << length) return 0;
    }
    return 1;
}

static wj_verdict read_frame_header(const uint8_t *bytes, size_t count, wj_frame *frame) {
    if (frame->component_count) return WJ_PROCESS;
    if (count < 6) return WJ_SEGMENT_LENGTH;
    if (bytes[0] != 8) return WJ_PRECISION;
    frame->height = word(bytes + 1);
    frame->width = word(bytes + 3);
    if (!frame->height || !frame->width || frame->height > 65500 || frame->width > 65500) return WJ_SIZE;
    int components = bytes[5];
    if ((components != 1 && components != 3) || count != 6 + 3 * (size_t)components) return WJ_COMPONENTS;
    frame->component_count = components;
    frame->h_max = frame->v_max = 1;
    int blocks = 0;
    for (int c = 0; c < components; c++) {
        const uint8_t *b = bytes + 6 + 3 * c;
        wj_component *component = &frame->components[c];
        *component = (wj_component){.id = b[0], .h = b[1] >> 4, .v = b[1] & 15, .quantization = b[2]};
        for (int other = 0; other < c; other++)
            if (frame->components[other].id == component->id) return WJ_COMPONENTS;
        if (component->quantization > 3) return WJ_QUANTIZATION_TABLE;
        if (component->h < 1 || component->h > 4 || component->v < 1 || component->v > 4) return WJ_SAMPLING;
        // A scan of one component has MCUs of one block (A.2.2).
        if (components == 1) component->h = component->v = 1;
        if (component->h > frame->h_max) frame->h_max = component->h;
        if (component->v > frame->v_max) frame->v_max = component->v;
        blocks += component->h * component->v;
    }
    if (blocks > WJ_MCU_BLOCKS_MAX) return WJ_SAMPLING;
    frame->mcus_wide = (frame->width + 8 * frame->h_max - 1) / (8 * frame->h_max);
    frame->mcus_high = (frame->height + 8 * frame->v_max - 1) / (8 * frame->v_max);
    for (int c = 0; c < components; c++) {
        wj_component *component = &frame->components[c];
        // Luma has the most samples, and the others are whole parts of them.
        if (frame->h_max % component->h || frame->v_max % component->v) return WJ_SAMPLING;
        if (!c && (component->h != frame->h_max || component->v != frame->v_max)) return WJ_SAMPLING;
        component->blocks_wide = frame->mcus_wide * component->h;
        component->blocks_high = frame->mcus_high * component->v;
    }
    return WJ_ACCEPTED;
}

static wj_verdict read_scan_header(const uint8_t *bytes, size_t count, wj_frame *frame) {
    int components = frame->component_count;
    if (!components || count != 4 + 2 * (size_t)components || bytes[0] != components) return WJ_SCAN_HEADER;
    for (int c = 0; c < components; c++) {
        wj_component *component = &frame->components[c];
        if (bytes[1 + 2 * c] != component->id) return WJ_SCAN_HEADER;
        component->dc = bytes[2 + 2 * c] >> 4;
        component->ac = bytes[2 + 2 * c] & 15;
        if (component->dc > 3 || component->ac > 3) return WJ_SCAN_HEADER;
        const wj_huffman *dc = &frame->dc[component->dc], *ac = &frame->ac[component->ac];
        if (!dc->is_defined || !ac->is_defined || !is_valid(dc, 1) || !is_valid(ac, 0)) return WJ_HUFFMAN_TABLE;
        if (!frame->quantization_is_defined[component->quantization]) return WJ_QUANTIZATION_TABLE;
    }
    // All coefficients (Ss, Se), at full precision (Ah, Al).
    const uint8_t *spectrum = bytes + 1 + 2 * components;
    return spectrum[0] == 0 && spectrum[1] == 63 && spectrum[2] == 0 ? WJ_ACCEPTED : WJ_SCAN_HEADER;
}

static wj_verdict read_header(const uint8_t *bytes, size_t count, wj_frame *frame) {
    if (count < 4 || bytes[0] != 0xFF || bytes[1] != SOI) return WJ_NO_SOI;
    for (size_t at = 2;;) {
        if (count - at < 4 || bytes[at] != 0xFF) return WJ_MARKER;
        int marker = bytes[at + 1];
        if (marker == 0xFF) {
            at++;
            continue;
        }
        if (marker < SOF0 || (marker >= 0xD0 && marker <= EOI)) return WJ_MARKER;
        size_t length = word(bytes + at + 2);
        if (length < 2 || length + 2 > count - at) return WJ_SEGMENT_LENGTH;
        const uint8_t *segment = bytes + at + 4;
        length -= 2;
        wj_verdict verdict = WJ_ACCEPTED;
        if (marker == DQT) verdict = read_quantization(segment, length, frame);
        else if (marker == DHT) verdict = read_huffman(segment, length, frame);
        else if (marker == SOF0 || marker == SOF1) verdict = read_frame_header(segment, length, frame);
        else if (marker == DRI) {
            if (length != 2) return WJ_SEGMENT_LENGTH;
            frame->restart_interval = word(segment);
        } else if (marker == SOS) {
            frame->scan = segment + length;
            frame->scan_size = count - (size_t)(frame->scan - bytes);
            return read_scan_header(segment, length, frame);
        } else if (marker == APP0 && length >= 14 && !memcmp(segment, "JFIF", 5)) {
            // libjpeg warns of other major versions.
            if (segment[5] != 1) return WJ_APPLICATION_SEGMENT;
        } else if (marker == APP14 && length >= 12 && !memcmp(segment, "Adobe", 5)) {
            if (segment[11] > 1) return WJ_APPLICATION_SEGMENT;
        } else if (marker < APP0 || (marker > APP15 && marker != COM)) return WJ_PROCESS;
        if (verdict) return verdict;
        at += 4 + length;
    }
}

wj_verdict wj_read_frame(const uint8_t *bytes, size_t count, wj_frame *frame) {
    memset(frame, 0, sizeof *frame);
    return read_header(bytes, count, frame);
}

wj_verdict wj_read_video_frame(const uint8_t *bytes, size_t count, wj_frame *frame) {
    memset(frame, 0, sizeof *frame);
    wj_define_usual_tables(frame);
    return read_header(bytes, count, frame);
}
