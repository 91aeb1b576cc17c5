"""The total noise-to-mask ratio (linear) of two files of float32 samples, by ITU-R BS.1387 as P. Kabal writes it down, with numpy's FFT.

Usage: noise_to_mask.py original encoded sample-rate channels
"""

import sys

import numpy as np


def ratio(original, encoded, rate):
    size = 2 ** round(np.log2(2048 * rate / 48000))
    hertz = lambda z: 650 * np.sinh(z / 7)
    edges = [7 * np.arcsinh(f / 650) for f in (80, min(18000, rate / 2))]
    low = np.arange(edges[0], edges[1], 0.25)
    high = np.minimum(low + 0.25, edges[1])
    centre = hertz((low + high) / 2)
    low, high = hertz(low), hertz(high)
    n = len(low)

    width = rate / size
    line = np.arange(size // 2 + 1) * width
    share = np.minimum(high[:, None], line + width / 2) - np.maximum(low[:, None], line - width / 2)
    share = np.maximum(share, 0) / width

    kilo = line[1:] / 1000
    ear = np.zeros(len(line))
    ear[1:] = 10 ** ((-2.184 * kilo**-0.8 + 6.5 * np.exp(-0.6 * (kilo - 3.3) ** 2) - 0.001 * kilo**3.6) / 10)
    ear *= (10 ** (92 / 20) / (0.84971762641205 * (size - 1) / 4)) ** 2

    apart = np.arange(n)[:, None] - np.arange(n)[None, :]  # to − from

    def spread(energy):
        # dB per Bark from each band to the higher ones.
        slope = -24 - 230 / centre + 2 * np.log10(energy)
        decibels = np.where(apart > 0, slope[None, :], 27) * apart * 0.25
        shares = 10 ** (decibels / 10)
        shares /= shares.sum(axis=0)
        return ((shares * energy) ** 0.4).sum(axis=1) ** 2.5

    ones = spread(np.ones(n))
    own = 10 ** (1.456 * (centre / 1000) ** -0.8 / 10)
    barks = np.arange(n) / 4
    offset = 10 ** (np.where(barks <= 12, 3, 0.25 * barks) / 10)
    keep = np.exp(-(size / 2 / rate) / (0.008 + 100 / centre * (0.030 - 0.008)))

    window = np.hanning(size)
    held = np.zeros(n)
    found = []
    for start in range(0, min(len(original), len(encoded)) - size + 1, size // 2):
        a, b = original[start : start + size], encoded[start : start + size]
        x, y = (np.abs(np.fft.rfft(part.astype(float) * window)) for part in (a, b))
        excitation = spread(np.maximum(share @ (x**2 * ear), 1e-12) + own) / ones
        held = keep * held + (1 - keep) * excitation
        noise = share @ ((x - y) ** 2 * ear)
        if a.any() or b.any():
            found.append((noise * offset / np.maximum(held, excitation)).mean())
    return found


rate, channels = int(sys.argv[3]), int(sys.argv[4])
original, encoded = (np.fromfile(path, dtype="<f4").reshape(-1, channels) for path in sys.argv[1:3])
print(np.mean(sum((ratio(original[:, c], encoded[:, c], rate) for c in range(channels)), [])))
