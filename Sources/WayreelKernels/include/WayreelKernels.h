// Inner loops in plain C over rows of floats or bytes, compiled for each generation of x86-64 and selected at program
// start. All versions give identical results (no fused multiply-add, fixed order of sums).
#ifndef WAYREEL_KERNELS_H
#define WAYREEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// MARK: Packing rows for encoders (pack.c)

/// Planar floats 0…1 → interleaved bytes, rounded to nearest and clamped.
void wr_pack_rgb8(const float *red, const float *green, const float *blue, uint8_t *row, size_t count);
/// The same with alpha: colour is premultiplied on input and straight on output.
void wr_pack_rgba8(
    const float *red, const float *green, const float *blue, const float *alpha, uint8_t *row, size_t count);
/// The same in 16 bits, in native byte order.
void wr_pack_rgb16(const float *red, const float *green, const float *blue, uint16_t *row, size_t count);
void wr_pack_rgba16(
    const float *red, const float *green, const float *blue, const float *alpha, uint16_t *row, size_t count);

// MARK: Resampling bytes (resample_bytes.c)
//
// Separable, in integers: weights have 14 fractional bits, rows between the two passes 6. Rows and pixels are paired,
// so that one multiply-add handles two taps.

/// The number of fractional bits of a weight: 1.0 is 1 << 14.
#define WR_WEIGHT_BITS 14

/// For tests: the newest instruction set to use: 0 baseline, 1 SSSE3, 2 AVX2, 3 AVX-512.
void wr_limit_instructions(int newest);

/// Interleaves two rows: upper[0], lower[0], upper[1], lower[1], … `count` bytes each; may read 63 more and write twice
/// that.
void wr_pair_rows(const uint8_t *upper, const uint8_t *lower, uint8_t *pair, size_t count);

/// Filters `pair_count` paired rows: out[x] = Σ weight · row[x], with 6 fractional bits. `weights` holds two per pair.
/// Works on `count` values rounded up to a multiple of 64.
void wr_resample_columns(
    const uint8_t *const *pairs, const int16_t *weights, size_t pair_count, int16_t *out, size_t count);

/// Rearranges a row of `pixels` with 3 or 4 `components` into pairs of four-component pixels: R0 R1 G0 G1 B0 B1 X0 X1 …
/// May read 8 values past the end of `in`; writes an even number of pixels.
void wr_pair_pixels(const int16_t *in, int16_t *out, size_t pixels, size_t components);

/// Interleaves pairs of values of four rows: A0 A1 B0 B1 C0 C1 D0 D1 A2 A3 …; handles an even number of values.
void wr_interleave_rows(const int16_t *const rows[4], int16_t *out, size_t count);

/// Filters paired pixels of four rows at once, so that each weight is loaded once: for each of `outputs`, `taps` pixels
/// (a multiple of 8) from `first` (even). `weights` holds 4 × `taps` per output in the layout of the pixels. Sums have
/// 20 fractional bits, four per output.
void wr_resample_rows(
    const int16_t *const rows[4], const int32_t *first, const int16_t *weights, size_t taps, size_t outputs,
    int32_t *const sums[4]);

/// Sums of four components → planar floats, 0…255 → 0…1. `fourth` may be NULL.
void wr_sums_to_planes(const int32_t *sums, size_t count, float *red, float *green, float *blue, float *fourth);

// MARK: Resampling floats (resample_floats.c)

/// out[x] = in[x] · scale.
void wr_bytes_to_floats(const uint8_t *in, float *out, size_t count, float scale);
void wr_words_to_floats(const uint16_t *in, float *out, size_t count, float scale);
/// out[x] = table[in[x]] for the first three of `components`; the fourth is multiplied by `scale`.
void wr_look_up_bytes(
    const uint8_t *in, float *out, size_t pixels, size_t components, const float *table, float scale);
void wr_look_up_words(
    const uint16_t *in, float *out, size_t pixels, size_t components, const float *table, float scale);
/// Multiplies red, green and blue of interleaved pixels by their alpha.
void wr_premultiply_pixels(float *row, size_t pixels);
/// out[x] = Σ weights[k] · rows[k][x].
void wr_resample_columns_f(const float *const *rows, const float *weights, size_t taps, float *out, size_t count);
/// Splits interleaved pixels into planes; `fourth` may be NULL for three components.
void wr_split_planes(
    const float *in, size_t pixels, size_t components, float *red, float *green, float *blue, float *fourth);
/// out[i] = Σ weights[i][k] · row[first[i] + k], k below `taps`, a multiple of 8.
void wr_resample_row_f(
    const float *row, const int32_t *first, const float *weights, size_t taps, size_t outputs, float *out);

// MARK: Rotating and mirroring (turn.c)

/// out[y][x] = in[x · step_x + y · step_y], for a plane of `width` × `height` with rows `stride` values apart.
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

/// Draws `count` pixels over others: red, green, blue and alpha planes, premultiplied, 0…1. The source is multiplied by
/// `opacity`, 0…1. `destination[3]` is NULL for an opaque image. Planes must not overlap; no alignment is needed.
void wr_composite(
    enum wr_blend mode, const float *const source[4], float *const destination[4], size_t count, float opacity);
/// 32-bit pixels, alpha in the top byte and blue in the lowest (cairo's ARGB32) → planar floats 0…1.
void wr_unpack_bgra8(const uint32_t *row, float *const planes[4], size_t count);
// MARK: Colour (color.c)
//
// Planes of floats, modified in place. Straight alpha.

/// (red, green, blue, 1) times a 3 × 4 matrix by rows.
void wr_matrix(float *red, float *green, float *blue, size_t count, const float *matrix);
/// IEC 61966-2-1, odd-symmetric below 0; relative error about 1e-6.
void wr_decode_srgb(float *plane, size_t count);
void wr_encode_srgb(float *plane, size_t count);
/// sign(v)·|v|^exponent; the exponent is positive.
void wr_power(float *plane, size_t count, float exponent);
/// Multiplies all channels by `factor` times the luminance to the power of `exponent`, which is positive. Luminance is
/// the weighted sum of the channels; negative values count as 0.
void wr_scale_by_luminance(
    float *red, float *green, float *blue, size_t count, const float weights[3], float exponent, float factor);
/// NaN becomes `low`.
void wr_clamp(float *plane, size_t count, float low, float high);
/// c0 + c1·v + c2·v² + c3·v³.
void wr_polynomial(float *plane, size_t count, float c0, float c1, float c2, float c3);
/// round(v·steps)/steps with v clamped to 0…1.
void wr_posterize(float *plane, size_t count, float steps);
/// Moves the luma, clamped to 0…1, towards multiples of 1/steps; the channels change equally.
void wr_soft_steps(float *red, float *green, float *blue, size_t count, float steps);
/// White if the luma is at least `threshold`, black otherwise.
void wr_threshold(float *red, float *green, float *blue, size_t count, float threshold);
/// Saturation times 1 + amount·(1 − (max − min)).
void wr_vibrance(float *red, float *green, float *blue, size_t count, float amount);
/// Multiplies by (1 + shadows·(1 − m)²)·(1 − highlights·m²), where m is `mask` clamped to 0…1.
void wr_highlight_shadow(
    float *red, float *green, float *blue, const float *mask, size_t count, float highlights, float shadows);
/// The BT.709 weighted sum.
void wr_luma_plane(const float *red, const float *green, const float *blue, float *luma, size_t count);
/// Converts premultiplied to straight alpha (0 for an alpha of 0), and back.
void wr_straighten_alpha(float *red, float *green, float *blue, const float *alpha, size_t count);
void wr_premultiply(float *red, float *green, float *blue, const float *alpha, size_t count);

// MARK: Look-up tables (lut.c)

/// Evenly spaced samples over 0…1, interpolated linearly, clamped outside. At least two.
void wr_curve(float *plane, size_t count, const float *samples, int32_t sample_count);
/// `size`³ entries of (r, g, b), red fastest; tetrahedral interpolation of (v − low)·scale, clamped to 0…size − 1.
/// `size` is 2 to 256.
void wr_cube(
    float *red, float *green, float *blue, size_t count, const float *table, int32_t size, const float *low,
    const float *scale);

// MARK: Colour by position (position.c)
//
// `x` and `y` are the position of the first pixel (its centre, in floats; its column and row, in integers).

/// A circle or ellipse outside which an image is shaded.
typedef struct {
    /// The centre in pixels, and factors for a pixel's distance from it.
    float x, y, scale_x, scale_y;
    /// The scaled distance at which shading starts, and the reciprocal of the distance to full shading.
    float start, slope;
    /// 1 is black, negative brightens.
    float strength;
} wr_shade_shape;
/// Multiplies by 1 − strength·smoothstep((distance − start)·slope).
void wr_shade(float *red, float *green, float *blue, size_t count, float x, float y, const wr_shade_shape *shape);

/// Coloured light that increases along a direction.
typedef struct {
    /// Position of 0 in pixels, and increase per pixel along each axis.
    float x, y, step_x, step_y;
    float red, green, blue;
} wr_leak_shape;
/// Screens the colour times smoothstep(t)² over the image.
void wr_leak(float *red, float *green, float *blue, size_t count, float x, float y, const wr_leak_shape *shape);

/// Adds intensity·(n − ½), where n is interleaved gradient noise (Jimenez, SIGGRAPH 2014).
void wr_dither(
    float *red, float *green, float *blue, size_t count, uint32_t x, uint32_t y, float intensity);
/// Adds triangular noise, strongest in the midtones, from a lattice with `scale` points per pixel.
void wr_grain(
    float *red, float *green, float *blue, size_t count, uint32_t x, uint32_t y, float intensity, float scale,
    uint32_t seed);

/// A halftone screen.
typedef struct {
    float x, y;
    /// Cosine and sine of its angle, times lines per pixel.
    float cos, sin;
    /// Slope of the edge between ink and paper.
    float contrast;
} wr_screen_shape;
void wr_dot_screen(float *red, float *green, float *blue, size_t count, float x, float y, const wr_screen_shape *shape);
void wr_line_screen(
    float *red, float *green, float *blue, size_t count, float x, float y, const wr_screen_shape *shape);
void wr_circular_screen(
    float *red, float *green, float *blue, size_t count, float x, float y, const wr_screen_shape *shape);
void wr_hatched_screen(
    float *red, float *green, float *blue, size_t count, float x, float y, const wr_screen_shape *shape);
/// Prints `black_share` of the common part of the three inks in black.
void wr_cmyk_halftone(
    float *red, float *green, float *blue, size_t count, float x, float y, const wr_screen_shape *shape,
    float black_share);

// MARK: Blurs of lines (blur.c)
//
// A strip is sixteen lines: value i of line l is at 16·i + l. Strips are aligned to 64 bytes.

/// Converts the first `rows` (up to 16) rows of a plane, `count` wide, to a strip, and back.
void wr_strip_from_rows(const float *plane, size_t stride, size_t rows, size_t count, float *strip);
void wr_strip_to_rows(const float *strip, float *plane, size_t stride, size_t rows, size_t count);
/// Converts sixteen columns of a plane, `count` high, to a strip, and back.
void wr_strip_from_columns(const float *plane, size_t stride, size_t count, float *strip);
void wr_strip_to_columns(const float *strip, float *plane, size_t stride, size_t count);
/// Deriche's recursive filter, causal and anticausal part in parallel, with clamped ends. `coefficients`: four causal
/// numerators, four anticausal numerators, four common denominators.
void wr_strip_gaussian(const float *in, float *out, size_t count, const double *coefficients);
/// A symmetric kernel: `weights` for −radius…0. `in` has `radius` further values before and after the line.
void wr_strip_convolve(const float *in, float *out, size_t count, const float *weights, size_t radius);
/// The mean over radius + fraction on either side. `in` has `radius` + 1 further values before and after the line.
void wr_strip_box(const float *in, float *out, size_t count, size_t radius, double fraction);

// MARK: Neighbourhoods (neighbours.c)

/// out += weight·in.
void wr_add_scaled(float *out, const float *in, size_t count, float weight);
/// sums[i] = the sum of the first i values; `count` + 1 values.
void wr_running_sum(const float *in, double *sums, size_t count);
/// out[i] += the values within `reach` of i, and `fraction` of the next on either side. `sums` are prefix sums of `in`.
void wr_add_span(float *out, const double *sums, const float *in, size_t count, ptrdiff_t radius, float fraction);
void wr_scale(float *plane, size_t count, float factor);
/// plane += amount·(plane − soft).
void wr_sharpen(float *plane, const float *soft, size_t count, float amount);
/// Sharpens the luma and adds the difference equally to all channels.
void wr_sharpen_luma(float *red, float *green, float *blue, const float *soft, size_t count, float amount);
/// glow = plane·luma, both clamped to 0…1.
void wr_glow_source(const float *plane, const float *luma, float *glow, size_t count);
/// Screens intensity·glow over the plane.
void wr_screen_with(float *plane, const float *glow, size_t count, float intensity);
/// The median of 3 × 3. Rows are readable from −1 to `count`.
void wr_median(const float *above, const float *row, const float *below, float *out, size_t count);
/// `scale` times the magnitude of Sobel's gradient. Rows are readable from −1 to `count`.
void wr_sobel(const float *above, const float *row, const float *below, float *out, size_t count, float scale);
void wr_square(const float *in, float *out, size_t count);
/// Replaces mean and mean square of a window by offset and slope of the guided filter (He, Sun, Tang 2010).
void wr_guided_line(float *mean, float *mean_square, size_t count, float noise);
/// plane = slope·plane + offset.
void wr_guided_apply(float *plane, const float *offset, const float *slope, size_t count);
/// fine = the extended difference of Gaussians (Winnemöller 2011), white paper 1, ink 0.
void wr_ink(float *fine, const float *coarse, size_t count, float gain, float threshold, float softness);
/// out = above + share·(below − above).
void wr_lerp_rows(const float *above, const float *below, float *out, size_t count, float share);
/// out += the row at index + share, interpolated linearly.
void wr_add_sampled(float *out, const float *row, const int32_t *index, const float *share, size_t count);
/// Samples the plane along a line from (x, y) by cubic convolution (Keys, a = −1/2), with clamped edges.
void wr_sample_cubic(
    const float *plane, int32_t stride, int32_t width, int32_t height, float *out, size_t count, float x, float y,
    float step_x, float step_y);

/// Seeds in the cells of a grid, by rows; the grid extends at least one cell beyond all pixels.
typedef struct {
    const float *x, *y;
    int32_t columns;
    /// Corner of the first cell and cell size in pixels.
    float origin_x, origin_y, pitch_x, pitch_y;
} wr_seed_grid;
/// For each pixel of the row with centre `y`: the nearest seed in the 3 × 3 cells around it, the second nearest, the
/// distance to the nearest, and the distance to the border between them.
void wr_nearest_seeds(
    const wr_seed_grid *grid, float y, int32_t *first, int32_t *second, float *distance, float *border, size_t count);

// MARK: Audio levels (levels.c)
//
// Samples are read as pairs: those of two interleaved channels, with `count` as the total; or those of a single
// channel, whose levels are the merged levels of both halves. Results are added to `levels`.

/// Levels of integers, exact.
typedef struct {
    /// Extremes of samples at even and odd indices; minimum > maximum without samples.
    int32_t minimum[2], maximum[2];
    /// Sums of squares in 128 bits.
    struct {
        uint64_t low, high;
    } energy[2];
} wr_integer_levels;

#define WR_ENERGY_LANES 16

/// Levels of floats. Sums do not depend on how the samples are split into calls.
typedef struct {
    float minimum[2], maximum[2];
    /// Sums of squares of the samples whose index is `lane` modulo WR_ENERGY_LANES.
    double energy[WR_ENERGY_LANES];
    /// Index of the next sample modulo WR_ENERGY_LANES.
    size_t lane;
} wr_float_levels;

void wr_begin_integer_levels(wr_integer_levels *levels);
void wr_begin_float_levels(wr_float_levels *levels);
void wr_levels_s16(const int16_t *samples, size_t count, wr_integer_levels *levels);
void wr_levels_s32(const int32_t *samples, size_t count, wr_integer_levels *levels);
/// The samples must be finite.
void wr_levels_f32(const float *samples, size_t count, wr_float_levels *levels);

enum wr_halves { WR_EVEN_HALF = 1, WR_ODD_HALF = 2, WR_BOTH_HALVES = 3 };

/// In units of full scale; minimum > maximum without samples.
typedef struct {
    float minimum, maximum;
    /// Sum of squares.
    double energy;
} wr_levels;
wr_levels wr_integer_reading(const wr_integer_levels *levels, enum wr_halves halves, double full_scale);
wr_levels wr_float_reading(const wr_float_levels *levels, enum wr_halves halves);

// MARK: Video frames (yuv.c)
//
// Planar 8-bit Y′CbCr 4:2:0 of BT.709 in limited range, chroma sited left; red, green and blue are its R′G′B′, 0…1.

/// Converts a row of `count` pixels. `cb` and `cr` are the nearest chroma row and the one on the other side, with
/// (count + 1) / 2 samples each; at the edge both are the same. Values outside the code range are outside 0…1.
void wr_rgb_from_yuv420(
    const uint8_t *luma, const uint8_t *const cb[2], const uint8_t *const cr[2], float *red, float *green, float *blue,
    size_t count);
/// Converts a row back, clamped to 0…1: luma, and chroma at full resolution as offsets from the middle code.
void wr_yuv_from_rgb(
    const float *red, const float *green, const float *blue, uint8_t *luma, float *cb, float *cr, size_t count);
/// Converts the chroma of two rows of `count` pixels to a row of (count + 1) / 2 samples.
void wr_chroma420(const float *upper, const float *lower, uint8_t *out, size_t count);

// MARK: Y′CbCr images (ycbcr.c)
//
// Rows of any depth, subsampling and matrix; samples are floats in code units.

/// out[x] = first[x] + share · (second[x] − first[x]): interpolates chroma between two rows.
void wr_blend_bytes(const uint8_t *first, const uint8_t *second, float share, float *out, size_t count);
void wr_blend_words(const uint16_t *first, const uint16_t *second, float share, float *out, size_t count);
/// Upsamples a row horizontally by linear interpolation: (count + 1) / 2 samples → `count`. A cosited sample is on the
/// first of its two columns, a centred one midway.
void wr_upsample_cosited(const float *in, float *out, size_t count);
void wr_upsample_centered(const float *in, float *out, size_t count);
/// Converts `count` interleaved pixels, rounded and clamped to 0…255 or 0…65 535. `matrix`: three rows of four, applied
/// to (luma, cb, cr, 1). The `in` rows may be the same.
void wr_ycbcr_to_bytes_rgb(
    const float *luma, const float *cb, const float *cr, const float *matrix, uint8_t *out, size_t count);
void wr_ycbcr_to_words_rgb(
    const float *luma, const float *cb, const float *cr, const float *matrix, uint16_t *out, size_t count);
/// The same with alpha · `alpha_scale` as fourth component.
void wr_ycbcr_to_bytes_rgba(
    const float *luma, const float *cb, const float *cr, const float *alpha, float alpha_scale, const float *matrix,
    uint8_t *out, size_t count);
void wr_ycbcr_to_words_rgba(
    const float *luma, const float *cb, const float *cr, const float *alpha, float alpha_scale, const float *matrix,
    uint16_t *out, size_t count);

// MARK: Structural similarity (similarity.c)

/// Sums over a block of 4 × 4 pixels of two frames.
typedef struct {
    /// Sums of both frames, of all squares, and of products.
    int32_t first, second, squares, product;
} wr_similarity_sums;
/// Computes `count` blocks of four rows.
void wr_similarity_blocks(
    const uint8_t *first, ptrdiff_t first_stride, const uint8_t *second, ptrdiff_t second_stride, size_t count,
    wr_similarity_sums *sums);
/// Sum of the similarities of `count` windows of two by two blocks, from two rows of `count` + 1 blocks.
double wr_similarity_windows(const wr_similarity_sums *upper, const wr_similarity_sums *lower, size_t count);
/// Converts a row of RGB, 0…1, to luma as in JPEG; values beyond are clamped.
void wr_luma8(const float *red, const float *green, const float *blue, uint8_t *luma, size_t count);

// MARK: Noise-to-mask ratio (noise_to_mask.c)

/// Power spectrum of `size` windowed real samples, a power of two: `size` / 2 + 1 values. `turns`: cos and sin of
/// −2π·k / `size` for k below `size` / 2, alternating; `work` has room for `size` values.
void wr_power_spectrum(
    const float *samples, const double *window, const double *turns, size_t size, double *work, double *power);
/// Spreads the energies of `count` bands of a quarter of a Bark, as ITU-R BS.1387 does. `slope`: 24 + 230 / f for each
/// band's centre in Hz. Not normalised.
void wr_spread_bands(const double *energy, const double *slope, size_t count, double *spread);

// MARK: Samples (samples.c)
//
// Samples of one channel, `stride` values apart.

void wr_pick_s16(const int16_t *in, size_t stride, int16_t *out, size_t count);
void wr_pick_s32(const int32_t *in, size_t stride, int32_t *out, size_t count);
void wr_pick_f32(const float *in, size_t stride, float *out, size_t count);
/// Full scale becomes 1.
void wr_floats_from_s16(const int16_t *in, size_t stride, float *out, size_t count);
void wr_floats_from_s32(const int32_t *in, size_t stride, float *out, size_t count);
/// The upper 16 bits.
void wr_words_from_s32(const int32_t *in, size_t stride, int16_t *out, size_t count);
/// in · scale, truncated and clamped.
void wr_words_from_f32(const float *in, size_t stride, int16_t *out, size_t count, float scale);
/// in · 32 768, rounded down and clamped.
void wr_words_below_f32(const float *in, size_t stride, int16_t *out, size_t count);
/// sums += in.
void wr_add_words(const int16_t *in, int32_t *sums, size_t count);
/// sums / channels, truncated, for up to 64 channels.
void wr_words_from_sums(const int32_t *sums, size_t channels, int16_t *out, size_t count);
/// Truncated means of two interleaved channels.
void wr_means_of_pairs(const int16_t *in, int16_t *out, size_t count);

// MARK: Meter states (ballistics.c)

/// Min value of a silent channel's state.
#define WR_METER_FLOOR 1e-15

/// Ballistics per sample.
typedef struct {
    /// Gain of the followed magnitude.
    double gain;
    /// Fraction of the difference added per sample while rising.
    double attack[2];
    /// Factor per sample while falling.
    double decay;
    /// For wr_follow_mean: the matrix for position and velocity, by rows.
    double swing[4];
    /// Hold time of a peak in samples, and factor per sample after it.
    double hold_samples, hold_decay;
} wr_ballistics;

/// The states of two channels. Initially zero.
typedef struct {
    double state[2][2];
    double held[2], age[2];
    /// Maxima since these two were reset to zero.
    double highest[2], highest_held[2];
} wr_meter_state;

/// Instant rise; falls by `decay`.
void wr_follow_peak(
    const wr_ballistics *ballistics, const float *first, const float *second, size_t count, wr_meter_state *states);
/// Mean of two detectors, which rise by `attack` while the magnitude exceeds them and otherwise fall by `decay`.
void wr_follow_quasi_peak(
    const wr_ballistics *ballistics, const float *first, const float *second, size_t count, wr_meter_state *states);
/// Twice the mean square, averaged with `attack[0]`; instant rise, falls by `decay`; limited to the square of the held
/// peak magnitude. `highest` holds squares.
void wr_follow_power(
    const wr_ballistics *ballistics, const float *first, const float *second, size_t count, wr_meter_state *states);
/// A damped oscillator driven by the magnitude.
void wr_follow_mean(
    const wr_ballistics *ballistics, const float *first, const float *second, size_t count, wr_meter_state *states);

// MARK: PCM (pcm.c)
//
// Converts `count` values to native order. Narrower values are shifted to the upper bits, so that full scale is
// preserved.

/// Converts to int16.
void wr_pcm_s8(const void *in, void *out, size_t count);
void wr_pcm_u8(const void *in, void *out, size_t count);
void wr_pcm_s16_swapped(const void *in, void *out, size_t count);
void wr_pcm_mulaw(const void *in, void *out, size_t count);
void wr_pcm_alaw(const void *in, void *out, size_t count);
/// Converts to int32. The lower half of 64 bits is dropped.
void wr_pcm_s24le(const void *in, void *out, size_t count);
void wr_pcm_s24be(const void *in, void *out, size_t count);
void wr_pcm_s32_swapped(const void *in, void *out, size_t count);
void wr_pcm_s64(const void *in, void *out, size_t count);
/// Converts to float32 (the bits of 32-bit floats are swapped by wr_pcm_s32_swapped).
void wr_pcm_f64(const void *in, void *out, size_t count);
void wr_pcm_f64_swapped(const void *in, void *out, size_t count);

/// Number of infinite values and NaNs.
size_t wr_count_not_finite(const float *values, size_t count);
/// Replaces infinite values and NaNs by 0.
void wr_silence_not_finite(float *values, size_t count);

// MARK: Levels as samples (quantize.c)

/// Writes the 16-bit samples of linear levels (rounded, clamped) to every `stride`-th element of `samples`, multiplied
/// by a non-negative `factor`, truncated and clamped. The levels must be finite.
void wr_levels_to_int16(const float *levels, size_t count, double factor, int16_t *samples, size_t stride);

#endif
