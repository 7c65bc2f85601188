// What libiio alone costs: a program without Swift that opens the local context and, if it is told so, captures from
// every device with a buffer, one scan a block, one thread a device, as locatemed does. A measure for that daemon.
//
// usage: iio-peer SECONDS [capture]
// Prints "rss-kB cpu-ms scans" at the end.
#include <iio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static atomic_ulong scans;

static void *capture(void *argument) {
    struct iio_context *context = iio_create_local_context();
    struct iio_device *device = context == NULL ? NULL : iio_context_find_device(context, argument);
    if (device == NULL) return NULL;
    for (unsigned index = 0; index < iio_device_get_channels_count(device); index++)
        iio_channel_enable(iio_device_get_channel(device, index));
    struct iio_buffer *buffer = iio_device_create_buffer(device, 1, false);
    if (buffer == NULL) return NULL;
    while (iio_buffer_refill(buffer) > 0) atomic_fetch_add(&scans, 1);
    return NULL;
}

int main(int count, char **arguments) {
    struct iio_context *context = iio_create_local_context();
    if (context == NULL || count < 2) return 1;
    if (count > 2 && strcmp(arguments[2], "capture") == 0) {
        for (unsigned index = 0; index < iio_context_get_devices_count(context); index++) {
            pthread_t thread;
            const char *name = iio_device_get_id(iio_context_get_device(context, index));
            if (pthread_create(&thread, NULL, capture, (void *)name) != 0) return 1;
        }
    }
    double seconds = atof(arguments[1]);
    if (seconds > 0) usleep((useconds_t)(seconds * 1e6));
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1) return 1;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    long milliseconds = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000
        + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
    printf("%ld %ld %lu\n", pages * sysconf(_SC_PAGESIZE) / 1024, milliseconds, atomic_load(&scans));
    fflush(stdout);
    _exit(0);
}
