#include "CGeodesy.h"
#include <GeographicLib/Geodesic.hpp>

// WGS84() is a constant that is made at the first use; neither function throws for any argument, NaN gives NaN.

extern "C" void locateme_geodesic_inverse(
    double latitude1, double longitude1, double latitude2, double longitude2, double *distance, double *azimuth1,
    double *azimuth2) {
    GeographicLib::Geodesic::WGS84().Inverse(
        latitude1, longitude1, latitude2, longitude2, *distance, *azimuth1, *azimuth2);
}

extern "C" void locateme_geodesic_direct(
    double latitude1, double longitude1, double azimuth1, double distance, double *latitude2, double *longitude2,
    double *azimuth2) {
    GeographicLib::Geodesic::WGS84().Direct(
        latitude1, longitude1, azimuth1, distance, *latitude2, *longitude2, *azimuth2);
}
