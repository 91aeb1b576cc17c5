"""Projects points with pymap3d (WGS 84 to east-north-up) and OpenCV's projectPoints, the references of `CameraPose`.

Reads lines of 12 numbers: latitude, longitude, altitude, heading, pitch, roll, field of view, width, height of a camera, and latitude,
longitude, altitude of a point. Prints x, y and depth for each.
"""
import sys

import cv2
import numpy as np
import pymap3d


def turn(axis, degrees):
    return cv2.Rodrigues(np.array(axis, float) * np.radians(degrees))[0]


for line in sys.stdin:
    lat, lon, alt, heading, pitch, roll, fov, width, height, *point = map(float, line.split())
    enu = np.array(pymap3d.geodetic2enu(*point, lat, lon, alt))
    # OpenCV's camera looks along z, x to the right and y down. One that looks north has x = east, y = down, z = north; then it is turned
    # about the vertical, about its x axis and about its axis of view.
    north = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], float)
    rotation = turn([0, 0, 1], -roll) @ turn([1, 0, 0], -pitch) @ turn([0, 1, 0], -heading) @ north
    focal = width / 2 / np.tan(np.radians(fov) / 2)
    matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    pixel, _ = cv2.projectPoints(enu.reshape(1, 3), cv2.Rodrigues(rotation)[0], np.zeros(3), matrix, None)
    depth = (rotation @ enu)[2]
    print(f"{pixel[0, 0, 0]:.6f} {pixel[0, 0, 1]:.6f} {depth:.6f}")
