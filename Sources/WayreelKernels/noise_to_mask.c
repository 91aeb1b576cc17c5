// Spectra and excitation patterns of ITU-R BS.1387, FFT-based ear model, basic version, as P. Kabal, "An Examination and
// Interpretation of ITU-R BS.1387: Perceptual Evaluation of Audio Quality", McGill University, 2003, writes it down.

#include <math.h>

#include "WayreelKernels.h"

// Sorts `count` complex values, a power of two, into the order that the FFT begins with.
static void reverse_bits(double *values, size_t count) {
    for (size_t i = 0, j = 0; i < count; i++) {
        if (i < j) {
            double re = values[2 * i], im = values[2 * i + 1];
            values[2 * i] = values[2 * j];
            values[2 * i + 1] = values[2 * j + 1];
            values[2 * j] = re;
            values[2 * j + 1] = im;
        }
        size_t bit = count >> 1;
        while (bit > 0 && j & bit) {
            j ^= bit;
            bit >>= 1;
        }
        j |= bit;
    }
}

// In place, by Cooley and Tukey with radix 2. `turns` are those of twice as many values.
static void transform(double *values, size_t count, const double *turns) {
    reverse_bits(values, count);
    for (size_t half = 1; half < count; half *= 2) {
        size_t step = count / half;
        for (size_t start = 0; start < count; start += 2 * half) {
            for (size_t k = 0; k < half; k++) {
                double *a = values + 2 * (start + k), *b = a + 2 * half;
                double c = turns[2 * k * step], s = turns[2 * k * step + 1];
                double re = b[0] * c - b[1] * s, im = b[0] * s + b[1] * c;
                b[0] = a[0] - re;
                b[1] = a[1] - im;
                a[0] += re;
                a[1] += im;
            }
        }
    }
}

void wr_power_spectrum(
    const float *samples, const double *window, const double *turns, size_t size, double *work, double *power) {
    // Even samples are the real part of half as many complex values, odd ones the imaginary part.
    size_t half = size / 2;
    for (size_t i = 0; i < size; i++) work[i] = samples[i] * window[i];
    transform(work, half, turns);
    for (size_t k = 0; k <= half; k++) {
        const double *z = work + 2 * (k % half), *y = work + 2 * ((half - k) % half);
        double even_re = (z[0] + y[0]) / 2, even_im = (z[1] - y[1]) / 2;
        double odd_re = (z[1] + y[1]) / 2, odd_im = (y[0] - z[0]) / 2;
        double c = k < half ? turns[2 * k] : -1, s = k < half ? turns[2 * k + 1] : 0;
        double re = even_re + odd_re * c - odd_im * s, im = even_im + odd_re * s + odd_im * c;
        power[k] = re * re + im * im;
    }
}

void wr_spread_bands(const double *energy, const double *slope, size_t count, double *spread) {
    const double width = 0.25, exponent = 0.4;
    // Towards lower bands: 27 dB per Bark, whatever the level.
    const double down = pow(10, -2.7 * width), down_powered = pow(down, exponent);
    for (size_t i = 0; i < count; i++) spread[i] = 0;
    for (size_t l = 0; l < count; l++) {
        // Towards higher bands: 24 + 230 / f − 0.2 · level dB per Bark.
        double up = pow(10, (-slope[l] + 2 * log10(energy[l])) * width / 10), up_powered = pow(up, exponent);
        // The shares of all bands together are 1.
        size_t above = count - 1 - l;
        double upper = fabs(1 - up) < 1e-9 ? (double)above + 1 : (1 - pow(up, (double)above + 1)) / (1 - up);
        double lower = (1 - pow(down, (double)l + 1)) / (1 - down) - 1;
        double own = pow(energy[l] / (upper + lower), exponent);
        double share = own;
        for (size_t i = l; i < count; i++, share *= up_powered) spread[i] += share;
        share = own;
        for (size_t i = l; i-- > 0;) spread[i] += share *= down_powered;
    }
    for (size_t i = 0; i < count; i++) spread[i] = pow(spread[i], 1 / exponent);
}
