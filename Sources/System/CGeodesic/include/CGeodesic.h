#ifndef WR_CGEODESIC_H
#define WR_CGEODESIC_H

#ifdef __cplusplus
extern "C" {
#endif

/// The shortest path between two points of the WGS 84 ellipsoid, by GeographicLib. Degrees and metres; azimuths are the
/// path's direction at its start and at its end, clockwise from north, -180 to 180.
typedef struct {
    double distance;
    double start_azimuth;
    double end_azimuth;
} wr_geodesic;

wr_geodesic wr_geodesic_inverse(double latitude1, double longitude1, double latitude2, double longitude2);

/// Computes the end of a path that leaves a point at an azimuth and is `distance` metres long.
void wr_geodesic_direct(
    double latitude, double longitude, double azimuth, double distance, double *end_latitude, double *end_longitude);

/// Computes east, north and up in metres of a point relative to an observer; heights are above the ellipsoid.
void wr_geodesic_enu(
    double latitude0, double longitude0, double height0, double latitude, double longitude, double height, double enu[3]);

#ifdef __cplusplus
}
#endif

#endif
