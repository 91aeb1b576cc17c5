#!/usr/bin/env python3
"""Makes the fixtures of this folder: one upright image, stored in each of the eight ways of EXIF. Needs Pillow."""
from PIL import Image, ImageDraw

width, height = 48, 32
upright = Image.new("RGB", (width, height))
draw = ImageDraw.Draw(upright)
draw.rectangle((0, 0, 23, 15), fill=(220, 30, 30))
draw.rectangle((24, 0, 47, 15), fill=(30, 200, 30))
draw.rectangle((0, 16, 23, 31), fill=(30, 30, 220))
draw.rectangle((24, 16, 47, 31), fill=(240, 240, 240))

# What must be done to the stored image to show it, undone: its own inverse except for the quarter turns.
ways = {
    1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
for tag, way in ways.items():
    stored = upright if way is None else upright.transpose(way)
    exif = Image.Exif()
    exif[0x0112] = tag
    stored.save(f"{tag}.jpg", quality=90, subsampling=0, exif=exif)
