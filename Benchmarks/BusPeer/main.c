// What libdbus and dbus-daemon alone cost: clients of locatemed that only note when a signal comes, and a sender of bare
// signals to compare with. A measure for the delay of places.
//
// usage: bus-peer sessions ADDRESS COUNT PER-CONNECTION   sessions of org.locateme's Location1, of several users if root
//        bus-peer bare ADDRESS COUNT PER-CONNECTION SECONDS   one process sends COUNT signals each second, another takes them
// "sessions" prints "ready", and with the end of its input one line for each signal: its CLOCK_BOOTTIME in µs. "bare" prints
// a line for each signal: µs from the beginning of its second's sending.
#include <dbus/dbus.h>
#include <poll.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most_connections = 4096, most_stamps = 1 << 20 };

static DBusConnection *connections[most_connections];
static int connection_count;
static int64_t *stamps;
static size_t stamp_count;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void fail(const char *what) {
    fprintf(stderr, "bus-peer: %s\n", what);
    _exit(1);
}

static DBusConnection *join_bus(const char *address) {
    DBusConnection *connection = dbus_connection_open_private(address, NULL);
    if (connection == NULL || !dbus_bus_register(connection, NULL)) fail("the bus cannot be joined");
    dbus_connection_set_exit_on_disconnect(connection, 0);
    return connection;
}

static DBusHandlerResult take(DBusConnection *connection, DBusMessage *message, void *context) {
    (void)connection;
    (void)context;
    if (!dbus_message_has_member(message, "LocationsUpdated")) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    if (stamp_count < most_stamps) stamps[stamp_count++] = now();
    return DBUS_HANDLER_RESULT_HANDLED;
}

static DBusMessage *ask(DBusConnection *connection, DBusMessage *call) {
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(connection, call, 25000, &error);
    if (reply == NULL) fail(error.message);
    dbus_message_unref(call);
    return reply;
}

static void append_option(DBusMessageIter *options, const char *name, const char *text) {
    DBusMessageIter entry, value;
    dbus_message_iter_open_container(options, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &value);
    dbus_message_iter_append_basic(&value, DBUS_TYPE_STRING, &text);
    dbus_message_iter_close_container(&entry, &value);
    dbus_message_iter_close_container(options, &entry);
}

static void open_session(DBusConnection *connection) {
    DBusMessage *open =
        dbus_message_new_method_call("org.locateme", "/org/locateme", "org.locateme.Manager1", "CreateSession");
    DBusMessageIter arguments, options;
    dbus_message_iter_init_append(open, &arguments);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options);
    append_option(&options, "Reason", "benchmark");
    append_option(&options, "AppId", "org.example.Benchmark");
    dbus_message_iter_close_container(&arguments, &options);
    DBusMessage *session = ask(connection, open);
    const char *path = NULL;
    if (!dbus_message_get_args(session, NULL, DBUS_TYPE_OBJECT_PATH, &path, DBUS_TYPE_INVALID)) fail("no session");
    dbus_message_unref(
        ask(connection, dbus_message_new_method_call("org.locateme", path, "org.locateme.Location1", "Start")));
    dbus_message_unref(session);
}

// Connections of all users of the machine in turn, four of each: none may have many.
static void join_as_users(const char *address, int count, int per_connection) {
    const int per_user = 4;
    int is_root = geteuid() == 0;
    setpwent();
    for (; count > 0; connection_count++) {
        if (connection_count == most_connections) fail("too many connections");
        if (is_root && connection_count % per_user == 0) {
            struct passwd *user;
            do user = getpwent(); while (user != NULL && user->pw_uid == 0);
            if (user == NULL) fail("there are too few users");
            if (seteuid(0) != 0 || seteuid(user->pw_uid) != 0) fail("cannot become another user");
        }
        DBusConnection *connection = connections[connection_count] = join_bus(address);
        for (int index = 0; index < per_connection && count > 0; index++, count--) open_session(connection);
    }
    if (is_root && seteuid(0) != 0) fail("cannot be root again");
}

// Reads all connections until the descriptor's other end is closed.
static void listen_until_closed(int descriptor) {
    static struct pollfd ready[most_connections + 1];
    for (int index = 0; index < connection_count; index++) {
        dbus_connection_add_filter(connections[index], take, NULL, NULL);
        int socket = -1;
        dbus_connection_get_unix_fd(connections[index], &socket);
        ready[index] = (struct pollfd){.fd = socket, .events = POLLIN};
        while (dbus_connection_dispatch(connections[index]) == DBUS_DISPATCH_DATA_REMAINS) {}
    }
    ready[connection_count] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    while (ready[connection_count].revents == 0) {
        poll(ready, connection_count + 1, -1);
        for (int index = 0; index < connection_count; index++) {
            if (ready[index].revents == 0) continue;
            dbus_connection_read_write(connections[index], 0);
            while (dbus_connection_dispatch(connections[index]) == DBUS_DISPATCH_DATA_REMAINS) {}
        }
    }
}

// A signal of the size and types of LocationsUpdated with one fix.
static DBusMessage *signal_to(const char *destination) {
    DBusMessage *message = dbus_message_new_signal(
        "/org/locateme/session/00000000000000000000000000000000", "org.locateme.Location1", "LocationsUpdated");
    dbus_message_set_destination(message, destination);
    DBusMessageIter arguments, fixes, fix, extras, entry, value;
    dbus_uint64_t number = 1;
    dbus_int64_t time = 1;
    double real = 47.5;
    dbus_uint32_t flags = 0;
    const char *name = "Source", *text = "nmea";
    dbus_message_iter_init_append(message, &arguments);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "(txtddddddddddua{sv})", &fixes);
    dbus_message_iter_open_container(&fixes, DBUS_TYPE_STRUCT, NULL, &fix);
    dbus_message_iter_append_basic(&fix, DBUS_TYPE_UINT64, &number);
    dbus_message_iter_append_basic(&fix, DBUS_TYPE_INT64, &time);
    dbus_message_iter_append_basic(&fix, DBUS_TYPE_UINT64, &number);
    for (int index = 0; index < 10; index++) dbus_message_iter_append_basic(&fix, DBUS_TYPE_DOUBLE, &real);
    dbus_message_iter_append_basic(&fix, DBUS_TYPE_UINT32, &flags);
    dbus_message_iter_open_container(&fix, DBUS_TYPE_ARRAY, "{sv}", &extras);
    dbus_message_iter_open_container(&extras, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &value);
    dbus_message_iter_append_basic(&value, DBUS_TYPE_STRING, &text);
    dbus_message_iter_close_container(&entry, &value);
    dbus_message_iter_close_container(&extras, &entry);
    dbus_message_iter_close_container(&fix, &extras);
    dbus_message_iter_close_container(&fixes, &fix);
    dbus_message_iter_close_container(&arguments, &fixes);
    return message;
}

static void send_bare(const char *address, int count, int per_connection, int seconds) {
    int begin[2], end[2];
    int64_t *sent = mmap(NULL, sizeof(int64_t) * (seconds + 1), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char(*names)[64] = mmap(NULL, 64 * most_connections, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int needed = (count + per_connection - 1) / per_connection;
    if (pipe(begin) != 0 || pipe(end) != 0 || sent == MAP_FAILED || names == MAP_FAILED) fail("no memory");
    pid_t child = fork();
    if (child == 0) {
        close(end[1]);
        for (int index = 0; index < needed; index++) {
            connections[connection_count++] = join_bus(address);
            snprintf(names[index], 64, "%s", dbus_bus_get_unique_name(connections[index]));
        }
        if (write(begin[1], "", 1) != 1) _exit(1);
        listen_until_closed(end[0]);
        int second = 0;
        for (size_t index = 0; index < stamp_count; index++) {
            while (second + 1 < seconds && sent[second + 1] != 0 && sent[second + 1] <= stamps[index]) second++;
            printf("%lld\n", (long long)(stamps[index] - sent[second]));
        }
        fflush(stdout);
        _exit(0);
    }
    char byte;
    close(begin[1]);
    DBusConnection *connection = join_bus(address);
    if (read(begin[0], &byte, 1) != 1) fail("nobody takes the signals");
    for (int second = 0; second < seconds; second++) {
        usleep(1000000);
        sent[second] = now();
        for (int index = 0; index < count; index++) {
            DBusMessage *message = signal_to(names[index / per_connection]);
            dbus_connection_send(connection, message, NULL);
            dbus_message_unref(message);
        }
        dbus_connection_flush(connection);
    }
    usleep(500000);
    close(end[1]);
    waitpid(child, NULL, 0);
}

int main(int count, char **arguments) {
    stamps = malloc(sizeof(int64_t) * most_stamps);
    if (stamps == NULL) return 1;
    int sessions = count > 3 ? atoi(arguments[3]) : 0, per_connection = count > 4 ? atoi(arguments[4]) : 16;
    if (sessions < 1 || per_connection < 1) return 2;
    if (strcmp(arguments[1], "bare") == 0 && count > 5) {
        send_bare(arguments[2], sessions, per_connection, atoi(arguments[5]));
        return 0;
    }
    join_as_users(arguments[2], sessions, per_connection);
    printf("ready\n");
    fflush(stdout);
    listen_until_closed(0);
    for (size_t index = 0; index < stamp_count; index++) printf("%lld\n", (long long)stamps[index]);
    return 0;
}
