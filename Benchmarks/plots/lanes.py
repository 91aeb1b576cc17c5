"""Draws the channels of a wide CSV as lanes of an SVG with matplotlib: lanes.py IN OUT

As fast as it can: pandas reads faster than NumPy, the style `fast` simplifies paths as far as matplotlib advises, and the lanes share
one axis of time.
"""
import sys
import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as pyplot, matplotlib.style, pandas

matplotlib.style.use("fast")
recording = pandas.read_csv(sys.argv[1])
time = recording.pop("seconds").to_numpy()
figure, lanes = pyplot.subplots(recording.shape[1], sharex=True, figsize=(12, 16), layout="constrained")
for lane, name in zip(lanes, recording):
    lane.plot(time, recording[name].to_numpy(), linewidth=1)
    lane.set_ylabel(f"{name}, mV", fontsize=7)
lanes[-1].set_xlabel("s")
figure.savefig(sys.argv[2])
