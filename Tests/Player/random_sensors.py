"""What else both engines work out, as random values: where a camera sees pinned images, and the heading of a gyroscope and a compass."""
import struct, zlib

from random_cases import moved

#: Pixels of the photos and of the pinned images, by name.
PHOTOS = {"wide.png": (400, 300), "high.png": (300, 500)}
PINNED = {"flat.png": (64, 24), "upright.png": (20, 45)}


def png(width, height):
    """A black image."""
    def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress((b"\0" + bytes(width)) * height)) + chunk(b"IEND", b""))


def some_camera(dice):
    """A camera's pose, and pins around it."""
    place = dice.choice([(dice.uniform(-75, 75), dice.uniform(-180, 180)), (dice.uniform(-60, 60), dice.choice([180.0, -179.9999])), (dice.choice([89.9999, -89.99]), 20.0)])
    height = round(dice.choice([0, dice.uniform(-50, 3000)]), 1)
    camera = {"photo": dice.choice(list(PHOTOS)), "position": {"latitude": round(place[0], 7), "longitude": round(place[1], 7), "altitude": height},
              "heading": round(dice.choice([0, 359.99, dice.uniform(0, 360)]), 3), "pitch": round(dice.choice([0, 89, dice.uniform(-90, 90), dice.gauss(0, 10)]), 3),
              "roll": round(dice.choice([0, 90, dice.uniform(-180, 180), dice.gauss(0, 5)]), 3), "fieldOfView": round(dice.choice([60, dice.uniform(5, 120)]), 3)}
    pins = []
    for _ in range(dice.randrange(1, 9)):
        spread = dice.choice([3, 30, 300, 20_000])
        latitude, longitude = moved(place, dice.uniform(-spread, spread), dice.uniform(-spread, spread))
        pin = {"source": dice.choice(list(PINNED)), "latitude": round(latitude, 7), "longitude": round(longitude, 7), "size": round(dice.choice([0.5, 4, 300]) * dice.uniform(0.5, 2), 2)}
        if dice.random() < 0.6: pin["altitude"] = round(max(-11_000, height + dice.gauss(0, spread / 3)), 1)
        # Two images at one place are equally far.
        if pins and dice.random() < 0.15: pin |= {name: pins[-1][name] for name in ("latitude", "longitude", "altitude") if name in pins[-1]}
        pins.append(pin)
    scaling = {}
    if dice.random() < 0.5:
        scaling = {"minScalingDistance": round(dice.uniform(1, 40), 1), "maxScalingDistance": round(dice.uniform(50, 900), 1)}
        if dice.random() < 0.7: scaling["scalingFactor"] = round(dice.uniform(0.05, 1), 2)
        if dice.random() < 0.3: del scaling[dice.choice(["minScalingDistance", "maxScalingDistance"] if "scalingFactor" not in scaling else ["scalingFactor"])]
    if dice.random() < 0.3: scaling["maxDistance"] = round(dice.choice([20, 500, 5000]) * dice.uniform(0.5, 2), 1)
    return camera | {"pins": pins, "scaling": scaling}


def some_compass(dice):
    """Readings of a gyroscope and a compass: `[seconds, 'rate' | 'degrees', value]`. Times are whole 64ths of a second, which both hold exactly."""
    time, heading, rate = dice.choice([0, 64 * 1000]), dice.uniform(0, 360), 0.0
    noise = dice.choice([0, 1, 4, 15])
    readings = []
    for _ in range(dice.choice([20, 100, 300])):
        step = dice.choice([1, 1, 2, 4, 32])
        # The clock stands still or runs back, or a sensor pauses.
        if dice.random() < 0.03: step = dice.choice([0, -1, -40, 63, 64, 65, 200])
        time = max(0, time + step)
        heading += rate * step / 64
        if dice.random() < 0.05: rate = dice.choice([0, dice.uniform(-90, 90), dice.uniform(-5, 5)])
        if dice.random() < 0.6: readings.append([time / 64, "rate", rate + dice.gauss(0.3, 0.1)])
        else: readings.append([time / 64, "degrees", heading % 360 + dice.gauss(0, noise) + dice.choice([0, 0, 0, 360, -720])])
    return {"interval": dice.choice([0.25, 0.5, 2, 5]), "stable": dice.choice([0.5, 2, 5, 30]), "readings": readings}
