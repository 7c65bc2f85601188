#ifndef CGEODESY_H
#define CGEODESY_H

#ifdef __cplusplus
extern "C" {
#endif

/// GeographicLib::Geodesic::WGS84().Inverse: metres and degrees; azimuths clockwise from north at both ends.
void locateme_geodesic_inverse(
    double latitude1, double longitude1, double latitude2, double longitude2, double *distance, double *azimuth1,
    double *azimuth2);

/// GeographicLib::Geodesic::WGS84().Direct: metres and degrees.
void locateme_geodesic_direct(
    double latitude1, double longitude1, double azimuth1, double distance, double *latitude2, double *longitude2,
    double *azimuth2);

#ifdef __cplusplus
}
#endif

#endif
