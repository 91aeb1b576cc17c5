#include "CGeodesic.h"

#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/LocalCartesian.hpp>

using GeographicLib::Geodesic;

wr_geodesic wr_geodesic_inverse(double latitude1, double longitude1, double latitude2, double longitude2) {
    wr_geodesic path{};
    Geodesic::WGS84().Inverse(
        latitude1, longitude1, latitude2, longitude2, path.distance, path.start_azimuth, path.end_azimuth);
    return path;
}

void wr_geodesic_direct(
    double latitude, double longitude, double azimuth, double distance, double *end_latitude, double *end_longitude) {
    Geodesic::WGS84().Direct(latitude, longitude, azimuth, distance, *end_latitude, *end_longitude);
}

void wr_geodesic_enu(
    double latitude0, double longitude0, double height0, double latitude, double longitude, double height, double enu[3]) {
    GeographicLib::LocalCartesian local(latitude0, longitude0, height0);
    local.Forward(latitude, longitude, height, enu[0], enu[1], enu[2]);
}
