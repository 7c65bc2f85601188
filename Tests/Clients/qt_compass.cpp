// A program that knows nothing of this package: writes the azimuth that Qt's compass gives, a line each, with its timestamp
// in microseconds and calibration level. Build: c++ -fPIC qt_compass.cpp $(pkg-config --cflags --libs Qt5Sensors)
#include <QCompass>
#include <QCoreApplication>
#include <cstdio>

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCompass compass;
    QObject::connect(&compass, &QCompass::readingChanged, [&compass] {
        const QCompassReading *reading = compass.reading();
        std::printf("%.3f %llu %.3f\n", reading->azimuth(), static_cast<unsigned long long>(reading->timestamp()),
                    reading->calibrationLevel());
        std::fflush(stdout);
    });
    if (!compass.connectToBackend()) {
        std::printf("no backend\n");
        return 1;
    }
    std::printf("backend %s\n", compass.identifier().constData());
    std::fflush(stdout);
    if (!compass.start()) {
        std::printf("not started\n");
        return 1;
    }
    return application.exec();
}
