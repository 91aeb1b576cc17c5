// The inner loops. Each is plain C over rows of floats or bytes, compiled once for each generation of x86-64 and chosen
// when the program starts; all versions give the same bits (no fused multiply-add, fixed order of sums).
#ifndef WAYREEL_KERNELS_H
#define WAYREEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// MARK: Packing rows for encoders (pack.c)

/// Planar floats 0…1 → interleaved bytes, rounded to nearest and clamped.
void wr_pack_rgb8(const float *red, const float *green, const float *blue, uint8_t *row, size_t count);
/// The same with alpha: colour comes premultiplied and leaves straight.
void wr_pack_rgba8(
    const float *red, const float *green, const float *blue, const float *alpha, uint8_t *row, size_t count);
/// The same in 16 bits, in the machine's byte order.
void wr_pack_rgb16(const float *red, const float *green, const float *blue, uint16_t *row, size_t count);
void wr_pack_rgba16(
    const float *red, const float *green, const float *blue, const float *alpha, uint16_t *row, size_t count);

// MARK: Resampling bytes (resample_bytes.c)
//
// Separable, in integers: weights have 14 fractional bits, the rows between the two passes 6. Rows come in pairs, and in
// them pixels in pairs, so that one multiply-add takes two taps.

/// The number of fractional bits of a weight: 1.0 is 1 << 14.
#define WR_WEIGHT_BITS 14

/// For tests: the newest instructions to use from here on: 0 none beyond the baseline, 1 SSSE3, 2 AVX2, 3 AVX-512.
void wr_limit_instructions(int newest);

/// Interleaves two rows: upper[0], lower[0], upper[1], lower[1], … `count` bytes each; up to 63 more may be read and
/// twice that written.
void wr_pair_rows(const uint8_t *upper, const uint8_t *lower, uint8_t *pair, size_t count);

/// Weighs `pair_count` paired rows into one: out[x] = Σ weight · row[x], with 6 fractional bits. `weights` holds two for
/// each pair. Works on `count` values rounded up to a multiple of 64.
void wr_resample_columns(
    const uint8_t *const *pairs, const int16_t *weights, size_t pair_count, int16_t *out, size_t count);

/// Rearranges a row of `pixels` with 3 or 4 `components` into pairs of pixels of four: R0 R1 G0 G1 B0 B1 X0 X1 …
/// Reads up to 8 values past the end of `in`; writes an even number of pixels.
void wr_pair_pixels(const int16_t *in, int16_t *out, size_t pixels, size_t components);

/// Weighs paired pixels of four rows at once, so that a weight is fetched once for all: for each of `outputs`, the `taps`
/// pixels (a multiple of 8) from `first` (even) on. `weights` holds 4 × `taps` for each output, laid out as the pixels
/// are. The sums have 20 fractional bits, four to an output.
void wr_resample_rows(
    const int16_t *const rows[4], const int32_t *first, const int16_t *weights, size_t taps, size_t outputs,
    int32_t *const sums[4]);

/// Sums of four components → planar floats, 0…255 → 0…1. `fourth` may be NULL.
void wr_sums_to_planes(const int32_t *sums, size_t count, float *red, float *green, float *blue, float *fourth);

// MARK: Resampling floats (resample_floats.c)

/// out[x] = in[x] · scale.
void wr_bytes_to_floats(const uint8_t *in, float *out, size_t count, float scale);
void wr_words_to_floats(const uint16_t *in, float *out, size_t count, float scale);
/// out[x] = table[in[x]] in groups of `components`, of which only the first three; the fourth is multiplied by `scale`.
void wr_look_up_bytes(
    const uint8_t *in, float *out, size_t pixels, size_t components, const float *table, float scale);
void wr_look_up_words(
    const uint16_t *in, float *out, size_t pixels, size_t components, const float *table, float scale);
/// Multiplies red, green and blue of interleaved pixels by their alpha.
void wr_premultiply_pixels(float *row, size_t pixels);
/// out[x] = Σ weights[k] · rows[k][x].
void wr_resample_columns_f(const float *const *rows, const float *weights, size_t taps, float *out, size_t count);
/// Splits interleaved pixels into planes; `fourth` may be NULL where there are three components.
void wr_split_planes(
    const float *in, size_t pixels, size_t components, float *red, float *green, float *blue, float *fourth);
/// out[i] = Σ weights[i][k] · row[first[i] + k], k below `taps`, a multiple of 8.
void wr_resample_row_f(
    const float *row, const int32_t *first, const float *weights, size_t taps, size_t outputs, float *out);

// MARK: Turning (turn.c)

/// out[y][x] = in[x · step_x + y · step_y], for a plane of `width` × `height` with `stride` values from row to row.
void wr_turn(
    const float *in, ptrdiff_t step_x, ptrdiff_t step_y, float *out, size_t stride, size_t width, size_t height);

// MARK: Compositing (composite.c)

/// Blend modes of W3C Compositing and Blending Level 1, section 5.
enum wr_blend {
    WR_BLEND_NORMAL,
    WR_BLEND_MULTIPLY,
    WR_BLEND_SCREEN,
    WR_BLEND_OVERLAY,
    WR_BLEND_SOFT_LIGHT,
};

/// Draws `count` pixels over others: red, green, blue and alpha planes, premultiplied, 0…1. The source is made fainter by
/// `opacity`, 0…1. `destination[3]` is NULL for an opaque picture. Planes may not overlap; no alignment is needed.
void wr_composite(
    enum wr_blend mode, const float *const source[4], float *const destination[4], size_t count, float opacity);
/// 32-bit pixels, alpha in the top byte and blue in the lowest (cairo's ARGB32) → planar floats 0…1.
void wr_unpack_bgra8(const uint32_t *row, float *const planes[4], size_t count);
// MARK: Colour (color.c)
//
// Planes of floats, changed in place. Straight alpha.

/// (red, green, blue, 1) times a 3 × 4 matrix by rows.
void wr_matrix(float *red, float *green, float *blue, size_t count, const float *matrix);
/// IEC 61966-2-1, odd-symmetric below 0; relative error about 1e-6.
void wr_decode_srgb(float *plane, size_t count);
void wr_encode_srgb(float *plane, size_t count);
/// sign(v)·|v|^exponent; the exponent is positive.
void wr_power(float *plane, size_t count, float exponent);
/// Multiplies all three by `factor` times the luminance to the power of `exponent`, which is positive. Luminance is the sum of the
/// channels by `weights`; one below 0 counts as 0.
void wr_scale_by_luminance(
    float *red, float *green, float *blue, size_t count, const float weights[3], float exponent, float factor);
/// NaN becomes `low`.
void wr_clamp(float *plane, size_t count, float low, float high);
/// c0 + c1·v + c2·v² + c3·v³.
void wr_polynomial(float *plane, size_t count, float c0, float c1, float c2, float c3);
/// round(v·steps)/steps, of v clamped to 0…1.
void wr_posterize(float *plane, size_t count, float steps);
/// Brings the luma, clamped to 0…1, near to multiples of 1/steps; the three change alike.
void wr_soft_steps(float *red, float *green, float *blue, size_t count, float steps);
/// White where the luma reaches `threshold`, black elsewhere.
void wr_threshold(float *red, float *green, float *blue, size_t count, float threshold);
/// Saturation times 1 + amount·(1 − (max − min)).
void wr_vibrance(float *red, float *green, float *blue, size_t count, float amount);
/// Times (1 + shadows·(1 − m)²)·(1 − highlights·m²), m being `mask` clamped to 0…1.
void wr_highlight_shadow(
    float *red, float *green, float *blue, const float *mask, size_t count, float highlights, float shadows);
/// The BT.709 weighted sum.
void wr_luma_plane(const float *red, const float *green, const float *blue, float *luma, size_t count);
/// Premultiplied → straight (0 where alpha is 0), and back.
void wr_straighten_alpha(float *red, float *green, float *blue, const float *alpha, size_t count);
void wr_premultiply(float *red, float *green, float *blue, const float *alpha, size_t count);

// MARK: Look-up tables (lut.c)

/// Samples spread evenly over 0…1, linear between them, clamped outside. At least two.
void wr_curve(float *plane, size_t count, const float *samples, int32_t sample_count);
/// `size`³ entries of (r, g, b), red fastest; tetrahedral interpolation of (v − low)·scale, clamped to 0…size − 1.
/// `size` is 2 to 256.
void wr_cube(
    float *red, float *green, float *blue, size_t count, const float *table, int32_t size, const float *low,
    const float *scale);

// MARK: Colour by place (place.c)
//
// `x` and `y` are the place of the first pixel (its centre, in floats; its column and row, in integers).

/// A circle or ellipse outside which a picture is shaded.
typedef struct {
    /// The centre, in pixels, and what a pixel's distance from it is multiplied by.
    float x, y, scale_x, scale_y;
    /// The scaled distance where the shade begins, and one over the way from there to full shade.
    float start, slope;
    /// 1 is black, negative brightens.
    float strength;
} wr_shade_shape;
/// Times 1 − strength·smoothstep((distance − start)·slope).
void wr_shade(float *red, float *green, float *blue, size_t count, float x, float y, const wr_shade_shape *shape);

/// Coloured light that grows along a direction.
typedef struct {
    /// Where it is 0, in pixels, and its growth for a pixel along each axis.
    float x, y, step_x, step_y;
    float red, green, blue;
} wr_leak_shape;
/// Screens the colour times smoothstep(t)² over the picture.
void wr_leak(float *red, float *green, float *blue, size_t count, float x, float y, const wr_leak_shape *shape);

/// Adds intensity·(n − ½), n being interleaved gradient noise (Jimenez, SIGGRAPH 2014).
void wr_dither(
    float *red, float *green, float *blue, size_t count, uint32_t x, uint32_t y, float intensity);
/// Adds triangular noise, strongest in the middle tones, of a lattice with `scale` points a pixel.
void wr_grain(
    float *red, float *green, float *blue, size_t count, uint32_t x, uint32_t y, float intensity, float scale,
    uint32_t seed);

/// A printer's screen.
typedef struct {
    float x, y;
    /// Of its angle, times lines a pixel.
    float cos, sin;
    /// The slope of the edge between ink and paper.
    float contrast;
} wr_screen_shape;
void wr_dot_screen(float *red, float *green, float *blue, size_t count, float x, float y, const wr_screen_shape *shape);
void wr_line_screen(
    float *red, float *green, float *blue, size_t count, float x, float y, const wr_screen_shape *shape);
void wr_circular_screen(
    float *red, float *green, float *blue, size_t count, float x, float y, const wr_screen_shape *shape);
void wr_hatched_screen(
    float *red, float *green, float *blue, size_t count, float x, float y, const wr_screen_shape *shape);
/// `black_share` of what the three inks have in common is printed black.
void wr_cmyk_halftone(
    float *red, float *green, float *blue, size_t count, float x, float y, const wr_screen_shape *shape,
    float black_share);

// MARK: Blurs of lines (blur.c)
//
// A strip is sixteen lines side by side: value i of line l is at 16·i + l. Strips start on 64-byte boundaries.

/// The first `rows` (up to 16) rows of a plane, `count` wide, as a strip, and back.
void wr_strip_from_rows(const float *plane, size_t stride, size_t rows, size_t count, float *strip);
void wr_strip_to_rows(const float *strip, float *plane, size_t stride, size_t rows, size_t count);
/// Sixteen columns of a plane, `count` high, as a strip, and back.
void wr_strip_from_columns(const float *plane, size_t stride, size_t count, float *strip);
void wr_strip_to_columns(const float *strip, float *plane, size_t stride, size_t count);
/// Deriche's recursive filter, causal and anticausal part in parallel, with clamped ends. `coefficients` are four
/// numerators of the causal part, four of the anticausal part, and the four common denominators.
void wr_strip_gaussian(const float *in, float *out, size_t count, const double *coefficients);
/// A symmetric kernel: `weights` are those of −radius…0. `in` begins `radius` steps before the line and ends as many
/// after it.
void wr_strip_convolve(const float *in, float *out, size_t count, const float *weights, size_t radius);
/// The mean over radius + fraction to either side. `in` begins `radius` + 1 steps before the line and ends as many
/// after it.
void wr_strip_box(const float *in, float *out, size_t count, size_t radius, double fraction);

// MARK: Neighbourhoods (neighbours.c)

/// out += weight·in.
void wr_add_scaled(float *out, const float *in, size_t count, float weight);
/// sums[i] = the sum of the first i values; `count` + 1 of them.
void wr_running_sum(const float *in, double *sums, size_t count);
/// out[i] += the values within `reach` of i, and `fraction` of the next on either side. `sums` are running sums of
/// `in`.
void wr_add_span(float *out, const double *sums, const float *in, size_t count, ptrdiff_t reach, float fraction);
void wr_scale(float *plane, size_t count, float factor);
/// plane += amount·(plane − soft).
void wr_sharpen(float *plane, const float *soft, size_t count, float amount);
/// The same for the luma, added to all three alike.
void wr_sharpen_luma(float *red, float *green, float *blue, const float *soft, size_t count, float amount);
/// glow = plane·luma, both clamped to 0…1.
void wr_glow_source(const float *plane, const float *luma, float *glow, size_t count);
/// Screens intensity·glow over the plane.
void wr_screen_with(float *plane, const float *glow, size_t count, float intensity);
/// The median of 3 × 3. Rows can be read from −1 to `count`.
void wr_median(const float *above, const float *row, const float *below, float *out, size_t count);
/// `scale` times the length of Sobel's gradient. Rows can be read from −1 to `count`.
void wr_sobel(const float *above, const float *row, const float *below, float *out, size_t count, float scale);
void wr_square(const float *in, float *out, size_t count);
/// Mean and mean square of a window → offset and slope of the guided filter (He, Sun, Tang 2010), in their places.
void wr_guided_line(float *mean, float *mean_square, size_t count, float noise);
/// plane = slope·plane + offset.
void wr_guided_apply(float *plane, const float *offset, const float *slope, size_t count);
/// fine = the extended difference of Gaussians (Winnemöller 2011), white paper 1, ink 0.
void wr_ink(float *fine, const float *coarse, size_t count, float gain, float threshold, float softness);
/// out = above + share·(below − above).
void wr_lerp_rows(const float *above, const float *below, float *out, size_t count, float share);
/// out += the row at index + share, linear between values.
void wr_add_sampled(float *out, const float *row, const int32_t *index, const float *share, size_t count);
/// The plane along a line from (x, y) in steps, by cubic convolution (Keys, a = −1/2), edges clamped.
void wr_sample_cubic(
    const float *plane, int32_t stride, int32_t width, int32_t height, float *out, size_t count, float x, float y,
    float step_x, float step_y);

/// Seeds in the cells of a grid, by rows; the grid reaches a cell or more beyond every pixel that is asked for.
typedef struct {
    const float *x, *y;
    int32_t columns;
    /// Corner of the first cell and size of a cell, in pixels.
    float origin_x, origin_y, pitch_x, pitch_y;
} wr_seed_grid;
/// For each pixel of the row whose centre is at `y`: the nearest seed in the 3 × 3 cells around it, the next nearest,
/// the distance to the nearest, and that to the border of the two.
void wr_nearest_seeds(
    const wr_seed_grid *grid, float y, int32_t *first, int32_t *second, float *distance, float *border, size_t count);

// MARK: Levels of runs of samples (levels.c)
//
// Samples are read as pairs: those of two interleaved channels, `count` being that of both together; or those of a
// single channel, whose levels are then those of the two halves joined. What is read adds to what `levels` holds.

/// Of integers, exactly.
typedef struct {
    /// Of the samples with even places and of those with odd ones; minimum > maximum as long as there are none.
    int32_t minimum[2], maximum[2];
    /// The sums of the squares, in 128 bits.
    struct {
        uint64_t low, high;
    } energy[2];
} wr_integer_levels;

#define WR_ENERGY_LANES 16

/// Of floats. The sums do not depend on the parts in which the samples come.
typedef struct {
    float minimum[2], maximum[2];
    /// The sums of the squares of the samples whose places are `lane` modulo WR_ENERGY_LANES.
    double energy[WR_ENERGY_LANES];
    /// That of the next sample, modulo WR_ENERGY_LANES.
    size_t place;
} wr_float_levels;

void wr_begin_integer_levels(wr_integer_levels *levels);
void wr_begin_float_levels(wr_float_levels *levels);
void wr_levels_s16(const int16_t *samples, size_t count, wr_integer_levels *levels);
void wr_levels_s32(const int32_t *samples, size_t count, wr_integer_levels *levels);
/// The samples are finite.
void wr_levels_f32(const float *samples, size_t count, wr_float_levels *levels);

enum wr_halves { WR_EVEN_HALF = 1, WR_ODD_HALF = 2, WR_BOTH_HALVES = 3 };

/// In units of full scale; minimum > maximum where there were no samples.
typedef struct {
    float minimum, maximum;
    /// The sum of the squares.
    double energy;
} wr_levels;
wr_levels wr_integer_reading(const wr_integer_levels *levels, enum wr_halves halves, double full_scale);
wr_levels wr_float_reading(const wr_float_levels *levels, enum wr_halves halves);

// MARK: Moving pictures (yuv.c)
//
// Planar 8-bit Y′CbCr 4:2:0 of BT.709 in limited range, chroma sited left; red, green and blue are its R′G′B′, 0…1.

/// A row of `count` pixels. `cb` and `cr` are the row of chroma that lies nearest to it and the one on its other side, of
/// (count + 1) / 2 samples each; at the picture's edge both are the same. Values outside the code range stay outside 0…1.
void wr_rgb_from_yuv420(
    const uint8_t *luma, const uint8_t *const cb[2], const uint8_t *const cr[2], float *red, float *green, float *blue,
    size_t count);
/// A row back, clamped to 0…1: its luma, and its chroma at full resolution, in codes from the middle.
void wr_yuv_from_rgb(
    const float *red, const float *green, const float *blue, uint8_t *luma, float *cb, float *cr, size_t count);
/// Chroma of two rows of `count` pixels, as above, → a row of (count + 1) / 2 samples.
void wr_chroma420(const float *upper, const float *lower, uint8_t *out, size_t count);

// MARK: Y′CbCr images (ycbcr.c)
//
// Rows of any depth, subsampling and matrix; samples are floats in code units.

/// out[x] = first[x] + share · (second[x] − first[x]): chroma between two rows.
void wr_blend_bytes(const uint8_t *first, const uint8_t *second, float share, float *out, size_t count);
void wr_blend_words(const uint16_t *first, const uint16_t *second, float share, float *out, size_t count);
/// Doubles the columns of a row, by linear interpolation: (count + 1) / 2 samples → `count`. A cosited sample lies on the
/// first of its two columns, a centered one midway between them.
void wr_upsample_cosited(const float *in, float *out, size_t count);
void wr_upsample_centered(const float *in, float *out, size_t count);
/// `count` pixels, interleaved, rounded and clamped to 0…255 or 0…65 535. `matrix`: by rows, three rows of four, applied to
/// (luma, cb, cr, 1). `in` rows may be the same row.
void wr_ycbcr_to_bytes_rgb(
    const float *luma, const float *cb, const float *cr, const float *matrix, uint8_t *out, size_t count);
void wr_ycbcr_to_words_rgb(
    const float *luma, const float *cb, const float *cr, const float *matrix, uint16_t *out, size_t count);
/// The same with alpha · `alpha_scale` as the fourth component.
void wr_ycbcr_to_bytes_rgba(
    const float *luma, const float *cb, const float *cr, const float *alpha, float alpha_scale, const float *matrix,
    uint8_t *out, size_t count);
void wr_ycbcr_to_words_rgba(
    const float *luma, const float *cb, const float *cr, const float *alpha, float alpha_scale, const float *matrix,
    uint16_t *out, size_t count);

// MARK: Structural similarity (similarity.c)

/// Of a block of 4 × 4 pixels of two pictures.
typedef struct {
    /// The sums of either, of the squares of both, and of the products.
    int32_t first, second, squares, product;
} wr_similarity_sums;
/// `count` blocks of four rows.
void wr_similarity_blocks(
    const uint8_t *first, ptrdiff_t first_stride, const uint8_t *second, ptrdiff_t second_stride, size_t count,
    wr_similarity_sums *sums);
/// The sum of the similarities of `count` windows, of two blocks by two each: `count` + 1 blocks of two rows of them.
double wr_similarity_windows(const wr_similarity_sums *upper, const wr_similarity_sums *lower, size_t count);

// MARK: Samples (samples.c)
//
// Of one channel, `stride` values apart.

void wr_pick_s16(const int16_t *in, size_t stride, int16_t *out, size_t count);
void wr_pick_s32(const int32_t *in, size_t stride, int32_t *out, size_t count);
void wr_pick_f32(const float *in, size_t stride, float *out, size_t count);
/// Full scale becomes 1.
void wr_floats_from_s16(const int16_t *in, size_t stride, float *out, size_t count);
void wr_floats_from_s32(const int32_t *in, size_t stride, float *out, size_t count);
/// The upper 16 bits.
void wr_words_from_s32(const int32_t *in, size_t stride, int16_t *out, size_t count);
/// in · scale, towards zero, clamped.
void wr_words_from_f32(const float *in, size_t stride, int16_t *out, size_t count, float scale);
/// in · 32 768, downwards, clamped.
void wr_words_below_f32(const float *in, size_t stride, int16_t *out, size_t count);
/// sums += in.
void wr_add_words(const int16_t *in, int32_t *sums, size_t count);
/// sums / channels, towards zero, for up to 64 channels.
void wr_words_from_sums(const int32_t *sums, size_t channels, int16_t *out, size_t count);
/// The means of two channels that stand in turn in `in`, towards zero.
void wr_means_of_pairs(const int16_t *in, int16_t *out, size_t count);

// MARK: Needles of meters (ballistics.c)

/// What a needle of a silent channel does not fall below.
#define WR_NEEDLE_FLOOR 1e-15

/// How needles move, from one sample to the next.
typedef struct {
    /// Of the magnitude that is followed.
    double gain;
    /// The share that is made up of what the needle is behind by.
    double attack[2];
    /// The factor by which it falls.
    double decay;
    /// For wr_follow_mean, by rows: the matrix that moves place and speed.
    double swing[4];
    /// Samples that a peak is held for, and the factor by which it falls then.
    double hold_samples, hold_decay;
} wr_ballistics;

/// The needles of two channels. All zero at first.
typedef struct {
    double state[2][2];
    double held[2], age[2];
    /// The highest places since the two were last set to zero.
    double highest[2], highest_held[2];
} wr_needles;

/// Instant rise; falls by `decay`.
void wr_follow_peak(
    const wr_ballistics *ballistics, const float *first, const float *second, size_t count, wr_needles *needles);
/// Half the sum of two detectors, which rise by `attack` while the magnitude is above them and fall by `decay` else.
void wr_follow_quasi_peak(
    const wr_ballistics *ballistics, const float *first, const float *second, size_t count, wr_needles *needles);
/// Twice the mean square, which runs with `attack[0]`; instant rise, falls by `decay`; not above the square of the held
/// peak, which is that of the magnitude. `highest` holds squares.
void wr_follow_power(
    const wr_ballistics *ballistics, const float *first, const float *second, size_t count, wr_needles *needles);
/// A needle with mass, spring and damping, pushed by the magnitude.
void wr_follow_mean(
    const wr_ballistics *ballistics, const float *first, const float *second, size_t count, wr_needles *needles);

// MARK: Samples (pcm.c)
//
// `count` values → the machine's order. Values narrower than what they become stand in its upper bits, so that full scale
// stays full scale.

/// → int16.
void wr_pcm_s8(const void *in, void *out, size_t count);
void wr_pcm_u8(const void *in, void *out, size_t count);
void wr_pcm_s16_swapped(const void *in, void *out, size_t count);
void wr_pcm_mulaw(const void *in, void *out, size_t count);
void wr_pcm_alaw(const void *in, void *out, size_t count);
/// → int32. Of 64 bits the lower half is dropped.
void wr_pcm_s24le(const void *in, void *out, size_t count);
void wr_pcm_s24be(const void *in, void *out, size_t count);
void wr_pcm_s32_swapped(const void *in, void *out, size_t count);
void wr_pcm_s64(const void *in, void *out, size_t count);
/// → float32 (the bits of 32-bit floats are swapped by wr_pcm_s32_swapped).
void wr_pcm_f64(const void *in, void *out, size_t count);
void wr_pcm_f64_swapped(const void *in, void *out, size_t count);

/// How many are infinite or no numbers.
size_t wr_count_not_finite(const float *values, size_t count);
/// Makes 0 of those.
void wr_silence_not_finite(float *values, size_t count);

// MARK: Levels as samples (quantize.c)

/// Puts the 16-bit samples that linear levels stand for (nearest, clamped) to every `stride`-th place of `samples`, multiplied
/// by `factor`, at least 0, cut towards zero and clamped. The levels are numbers.
void wr_levels_to_int16(const float *levels, size_t count, double factor, int16_t *samples, size_t stride);

#endif
