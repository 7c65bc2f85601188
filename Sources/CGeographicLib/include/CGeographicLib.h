// extern "C" door to GeographicLib's MagneticModel, the peer that Benchmarks measures against.
#ifndef CGEOGRAPHICLIB_H
#define CGEOGRAPHICLIB_H
#ifdef __cplusplus
extern "C" {
#endif
/// Opens a model by name from a folder of GeographicLib's own format; NULL with a message in error (size bytes) on failure.
void *geographiclib_magnetic_open(const char *name, const char *folder, char *error, int size);
/// Field in nT at a decimal year, degrees and metres above the ellipsoid: east, north, up.
void geographiclib_magnetic_field(
    void *model, double year, double latitude, double longitude, double height, double *east, double *north, double *up);
void geographiclib_magnetic_close(void *model);
#ifdef __cplusplus
}
#endif
#endif
