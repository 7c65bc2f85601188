/* The guest's side of scripts/test-kernel-drivers: a HID sensor hub made through /dev/uhid, so that the kernel's own
 * hid-sensor-magn-3d, -accel-3d and -gyro-3d bind to it, and a control port (TCP 7000) for the host.
 *
 * One order a line:
 *   magn|accel|gyro X Y Z      sends one input report with these counts; no answer
 *   i2c BUS ADDRESS REG V...   writes bytes into registers of an i2c-stub chip; answered "ok" or "err N"
 *   sh COMMAND                 runs a shell command; its output, then "ok" or "err N"
 *
 * Report layout and usages: HID Usage Tables, page 0x20 "Sensors"; uhid events: linux/uhid.h.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/uhid.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* A local usage of two bytes, least first. */
#define USAGE(u) 0x0A, (u) & 0xff, (u) >> 8
/* A collection of named values of one byte: what the kernel finds the sensor's states by. */
#define STATES(property, first)                                                                       \
    USAGE(property), 0x15, 0, 0x25, 5, 0x75, 8, 0x95, 1, 0xA1, 2, USAGE(first), USAGE((first) + 1),   \
        USAGE((first) + 2), USAGE((first) + 3), USAGE((first) + 4), USAGE((first) + 5), 0xB1, 0, 0xC0
/* One axis: 32 bits signed, in thousandths (unit exponent -3). */
#define AXIS(u) \
    USAGE(u), 0x17, 0, 0, 0, 0x80, 0x27, 0xff, 0xff, 0xff, 0x7f, 0x75, 32, 0x95, 1, 0x55, 0x0D, 0x81, 2
/* A sensor: reporting state, power state, report interval in ms, three axes. */
#define SENSOR(id, usage, x)                                                                        \
    0x05, 0x20, 0x09, usage, 0xA1, 0, 0x85, id, STATES(0x0316, 0x0840), STATES(0x0319, 0x0850),     \
        USAGE(0x030E), 0x15, 0, 0x27, 0xff, 0xff, 0xff, 0x7f, 0x75, 32, 0x95, 1, 0x55, 0, 0xB1, 2,  \
        AXIS(x), AXIS((x) + 1), AXIS((x) + 2), 0xC0

static const uint8_t descriptor[] = {
    0x05, 0x20, 0x09, 0x01, 0xA1, 1, /* a collection of sensors */
    SENSOR(1, 0x83, 0x0485),         /* compass 3D: magnetic flux */
    SENSOR(2, 0x73, 0x0453),         /* accelerometer 3D */
    SENSOR(3, 0x76, 0x0457),         /* gyrometer 3D */
    0xC0,
};

enum { sensors = 3, port = 7000 };
static const char *const names[sensors] = {"magn", "accel", "gyro"};
static struct {
    int32_t counts[3];
    uint8_t feature[6]; /* reporting state, power state, interval */
} sensor[sensors];
static int hub;

static void tell(const struct uhid_event *event) {
    if (write(hub, event, sizeof *event) < 0) perror("uhid");
}

static uint16_t fill(uint8_t *report, int number) {
    report[0] = number + 1;
    memcpy(report + 1, sensor[number].counts, sizeof sensor[number].counts);
    return 1 + sizeof sensor[number].counts;
}

static void serve_kernel(void) {
    struct uhid_event event, answer = {0};
    if (read(hub, &event, sizeof event) < 0) return;
    if (event.type == UHID_GET_REPORT) {
        int number = event.u.get_report.rnum - 1;
        answer.type = UHID_GET_REPORT_REPLY;
        answer.u.get_report_reply.id = event.u.get_report.id;
        if (number < 0 || number >= sensors) {
            answer.u.get_report_reply.err = EIO;
        } else if (event.u.get_report.rtype == UHID_INPUT_REPORT) {
            answer.u.get_report_reply.size = fill(answer.u.get_report_reply.data, number);
        } else {
            answer.u.get_report_reply.data[0] = number + 1;
            memcpy(answer.u.get_report_reply.data + 1, sensor[number].feature, 6);
            answer.u.get_report_reply.size = 7;
        }
        tell(&answer);
    } else if (event.type == UHID_SET_REPORT) {
        int number = event.u.set_report.rnum - 1;
        answer.type = UHID_SET_REPORT_REPLY;
        answer.u.set_report_reply.id = event.u.set_report.id;
        if (number < 0 || number >= sensors || event.u.set_report.size < 7)
            answer.u.set_report_reply.err = EIO;
        else
            memcpy(sensor[number].feature, event.u.set_report.data + 1, 6);
        tell(&answer);
    }
}

static int write_register(int bus, int address, int number, int value) {
    char path[32];
    snprintf(path, sizeof path, "/dev/i2c-%d", bus);
    int device = open(path, O_RDWR | O_CLOEXEC), result = 0;
    if (device < 0) return errno;
    union i2c_smbus_data data = {.byte = value};
    struct i2c_smbus_ioctl_data request = {I2C_SMBUS_WRITE, number, I2C_SMBUS_BYTE_DATA, &data};
    /* The chip's driver owns the address: FORCE. */
    if (ioctl(device, I2C_SLAVE_FORCE, (long)address) < 0 || ioctl(device, I2C_SMBUS, &request) < 0) result = errno;
    close(device);
    return result;
}

static void say(int client, const char *text, size_t length) {
    /* A host that has gone shows at the next read. */
    if (write(client, text, length) < 0) perror("control");
}

static void obey(int client, const char *line) {
    int error = EINVAL, x, y, z, used;
    char word[8], text[4096];
    if (!strncmp(line, "sh ", 3)) {
        FILE *output = popen(line + 3, "r");
        size_t length;
        if (!output) {
            error = errno;
        } else {
            while ((length = fread(text, 1, sizeof text, output)) > 0) say(client, text, length);
            error = pclose(output);
        }
    } else if (!strncmp(line, "i2c ", 4)) {
        const char *rest = line + 4;
        if (sscanf(rest, "%i %i %i%n", &x, &y, &z, &used) == 3) {
            int value;
            error = 0;
            for (rest += used; !error && sscanf(rest, "%i%n", &value, &used) == 1; rest += used)
                error = write_register(x, y, z++, value);
        }
    } else if (sscanf(line, "%7s %d %d %d", word, &x, &y, &z) == 4) {
        for (int number = 0; number < sensors; number++) {
            if (strcmp(word, names[number])) continue;
            sensor[number].counts[0] = x;
            sensor[number].counts[1] = y;
            sensor[number].counts[2] = z;
            struct uhid_event event = {.type = UHID_INPUT2};
            event.u.input2.size = fill(event.u.input2.data, number);
            tell(&event);
        }
        return;
    }
    int length = snprintf(text, sizeof text, error ? "\nerr %d\n" : "\nok\n", error);
    say(client, text, length);
}

int main(void) {
    struct uhid_event event = {.type = UHID_CREATE2};
    hub = open("/dev/uhid", O_RDWR | O_CLOEXEC);
    if (hub < 0) {
        perror("/dev/uhid");
        return 1;
    }
    strcpy((char *)event.u.create2.name, "test sensor hub");
    memcpy(event.u.create2.rd_data, descriptor, sizeof descriptor);
    event.u.create2.rd_size = sizeof descriptor;
    event.u.create2.bus = 0x03; /* USB: the hub driver takes USB and I2C devices only */
    event.u.create2.vendor = 0x1d6b;
    event.u.create2.product = 0x0104;
    tell(&event);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), client = -1, yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4)) {
        perror("control port");
        return 1;
    }
    char buffer[8192];
    size_t used = 0;
    for (;;) {
        struct pollfd wait[3] = {{hub, POLLIN, 0}, {listener, POLLIN, 0}, {client, POLLIN, 0}};
        if (poll(wait, 3, -1) < 0) continue;
        if (wait[0].revents) serve_kernel();
        if (wait[1].revents) {
            if (client >= 0) close(client);
            client = accept4(listener, 0, 0, SOCK_CLOEXEC);
            used = 0;
        } else if (client >= 0 && wait[2].revents) {
            ssize_t count = read(client, buffer + used, sizeof buffer - 1 - used);
            if (count <= 0) {
                close(client);
                client = -1;
                continue;
            }
            used += count;
            buffer[used] = 0;
            char *line = buffer, *end;
            while ((end = strchr(line, '\n'))) {
                *end = 0;
                obey(client, line);
                line = end + 1;
                if (poll(wait, 1, 0) > 0) serve_kernel();
            }
            used = strlen(line);
            memmove(buffer, line, used);
        }
    }
}
