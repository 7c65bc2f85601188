/* Prints the heading whenever it has changed by a degree. C with sd-bus (Debian: libsystemd-dev).
 *
 *     cc -o heading heading.c $(pkg-config --cflags --libs libsystemd)
 *     ./heading [session]
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

static int heading_updated(sd_bus_message *message, void *data, sd_bus_error *error)
{
    int64_t real;
    uint64_t boot;
    double magnetic, true_north, accuracy, x, y, z;
    uint32_t orientation, calibration;
    int status;

    (void) data;
    (void) error;
    status = sd_bus_message_enter_container(message, 'r', "xtdddddduua{sv}");
    if (status < 0) return status;
    status = sd_bus_message_read(message, "xtdddddduu", &real, &boot, &magnetic, &true_north, &accuracy, &x, &y, &z,
                                 &orientation, &calibration);
    if (status < 0) return status;
    /* What follows is a dictionary of more: turn rate, declination, disturbance and so on. */
    if (accuracy < 0)
        printf("no valid heading\n");
    else if (true_north >= 0)
        printf("%.1f true, within %.0f degrees\n", true_north, accuracy);
    else
        printf("%.1f magnetic, within %.0f degrees\n", magnetic, accuracy);
    fflush(stdout);
    return 0;
}

static int heading_lost(sd_bus_message *message, void *data, sd_bus_error *error)
{
    const char *reason;
    int status = sd_bus_message_read(message, "s", &reason);

    (void) data;
    (void) error;
    if (status < 0) return status;
    printf("lost: %s\n", reason);
    fflush(stdout);
    return 0;
}

static int failed(const char *what, int status, const sd_bus_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error && error->message ? error->message : strerror(-status));
    return 1;
}

int main(int argc, char **argv)
{
    sd_bus *bus = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    const char *session;
    int status;

    status = argc > 1 && strcmp(argv[1], "session") == 0 ? sd_bus_open_user(&bus) : sd_bus_open_system(&bus);
    if (status < 0) return failed("no bus", status, NULL);

    /* A session lives until this connection ends; its signals go to this connection alone. */
    status = sd_bus_call_method(bus, "org.locateme", "/org/locateme", "org.locateme.Manager1", "CreateSession", &error,
                                &reply, "a{sv}", 1, "Reason", "s", "example in C");
    if (status < 0) return failed("CreateSession", status, &error);
    status = sd_bus_message_read(reply, "o", &session);
    if (status < 0) return failed("CreateSession", status, NULL);

    status = sd_bus_match_signal(bus, NULL, "org.locateme", session, "org.locateme.Heading1", "HeadingUpdated",
                                 heading_updated, NULL);
    if (status < 0) return failed("HeadingUpdated", status, NULL);
    status = sd_bus_match_signal(bus, NULL, "org.locateme", session, "org.locateme.Heading1", "HeadingLost",
                                 heading_lost, NULL);
    if (status < 0) return failed("HeadingLost", status, NULL);
    status = sd_bus_call_method(bus, "org.locateme", session, "org.locateme.Heading1", "Start", &error, NULL, "");
    if (status < 0) return failed("Start", status, &error);

    for (;;) {
        status = sd_bus_process(bus, NULL);
        if (status < 0) return failed("the bus", status, NULL);
        if (status > 0) continue;
        status = sd_bus_wait(bus, UINT64_MAX);
        if (status < 0) return failed("the bus", status, NULL);
    }
}
