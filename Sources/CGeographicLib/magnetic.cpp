#include "CGeographicLib.h"
#include <GeographicLib/MagneticModel.hpp>
#include <cstdio>
#include <exception>

extern "C" void *geographiclib_magnetic_open(const char *name, const char *folder, char *error, int size) {
    try {
        return new GeographicLib::MagneticModel(name, folder);
    } catch (const std::exception &failure) {
        std::snprintf(error, size, "%s", failure.what());
        return nullptr;
    }
}

extern "C" void geographiclib_magnetic_field(
    void *model, double year, double latitude, double longitude, double height, double *east, double *north,
    double *up) {
    (*static_cast<const GeographicLib::MagneticModel *>(model))(year, latitude, longitude, height, *east, *north, *up);
}

extern "C" void geographiclib_magnetic_close(void *model) {
    delete static_cast<GeographicLib::MagneticModel *>(model);
}
