"""Writes the recordings that plots are measured on: recordings.py FOLDER

wide.csv: 10,000,003 samples, 13 channels of 769,231 at 250 Hz, as an electrocardiograph's: beats, mains hum and noise, in mV with three
decimals. long.edf: 12 × 10⁷ samples of the same kind at 1,000 Hz, in 16 bits. Channel 3 of each has one sample of 9 mV.
"""
import os, sys
import numpy as np


def signal(channel, first, count, rate):
    """`count` samples from the sample `first` on, in mV."""
    time = np.arange(first, first + count) / rate
    beat = (0.4 + 0.1 * channel) * np.exp(-(((time + 0.03 * channel) % 0.8 - 0.4) / 0.012) ** 2)
    noise = np.random.default_rng([channel, first]).normal(0, 0.02, count)
    return beat + 0.05 * np.sin(2 * np.pi * 50 * time) + 0.1 * np.sin(2 * np.pi * 0.05 * time) + noise


def write_csv(path, channels=13, rows=769_231, rate=250):
    columns = [signal(channel, 0, rows, rate) for channel in range(channels)]
    columns[3][rows // 3] = 9
    with open(path, "w") as file:
        file.write("seconds," + ",".join(f"ecg.lead{channel}" for channel in range(channels)) + "\n")
        np.savetxt(file, np.column_stack([np.arange(rows) / rate, *columns]), "%.3f", ",")


def write_edf(path, channels=12, samples=10_000_000, rate=1_000):
    records = samples // rate
    every = lambda width, texts: "".join(f"{text:<{width}}" for text in texts)
    header = (
        every(8, ["0"]) + every(80, ["X X X X", "Startdate X X X X"]) + every(8, ["01.01.26", "00.00.00", 256 * (channels + 1)])
        + every(44, [""]) + every(8, [records, 1]) + every(4, [channels]) + every(16, (f"lead{channel}" for channel in range(channels)))
        + every(80, [""] * channels) + every(8, ["mV"] * channels + [-10] * channels + [10] * channels + [-32768] * channels + [32767] * channels)
        + every(80, [""] * channels) + every(8, [rate] * channels) + every(32, [""] * channels))
    assert len(header) == 256 * (channels + 1) and samples % rate == 0
    with open(path, "wb") as file:
        file.write(header.encode("ascii"))
        for first in range(0, samples, 100 * rate):
            count = min(100 * rate, samples - first)
            values = np.stack([signal(channel, first, count, rate) for channel in range(channels)])
            if first <= samples // 3 < first + count: values[3, samples // 3 - first] = 9
            digital = np.round((values + 10) * 65535 / 20 - 32768).astype("<i2")
            # A record holds a second of each signal in turn.
            file.write(digital.reshape(channels, count // rate, rate).swapaxes(0, 1).tobytes())


def main():
    for name, write in {"wide.csv": write_csv, "long.edf": write_edf}.items():
        path = os.path.join(sys.argv[1], name)
        if os.path.exists(path): continue
        write(path + ".part")
        os.rename(path + ".part", path)


main()
