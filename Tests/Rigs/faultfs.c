/* faultfs ROOT MOUNTPOINT: the tree below ROOT as a file system that can fail, for IIO rigs.
 *
 * The folder ROOT/faults holds one file for each fault, named like the file it is for with '/' turned into '_'
 * (sys_devices_platform_rig_iio:device0_in_magn_x_raw) and, after '@', the call: read, write or open. Its text is
 *
 *     errno NUMBER     the call fails
 *     delay MS         it takes MS milliseconds more
 *     hang             it does not return before the file is gone
 *     short BYTES      a read gives so many bytes at the most
 *     text ANYTHING    a read gives ANYTHING
 *
 * and holds from the next call on until the file is gone. A FIFO below ROOT shows as a regular file with poll(), so that
 * device nodes can fail like those of a kernel. Files cannot be made or removed through it.
 *
 * cc -O1 faultfs.c -o faultfs $(pkg-config --cflags --libs fuse3) -lpthread
 */
#define FUSE_USE_VERSION 35
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *root;

static void below(char *out, size_t size, const char *path) { snprintf(out, size, "%s%s", root, path); }

/* Text of the fault for a call on a file; 0 if there is none. */
static int fault(const char *path, const char *call, char *text, size_t size) {
    char name[1024];
    int start = snprintf(name, sizeof name, "%s/faults/", root);
    snprintf(name + start, sizeof name - start, "%s@%s", path + 1, call);
    for (char *c = name + start; *c; c++)
        if (*c == '/') *c = '_';
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, size - 1);
    close(file);
    text[count > 0 ? count : 0] = 0;
    return 1;
}

/* Waits or fails as the fault says: a negative errno, or 0 to go on; `text` is left for the rest. */
static int obey(const char *path, const char *call, char *text, size_t size) {
    text[0] = 0;
    if (!fault(path, call, text, size)) return 0;
    int number = 0;
    if (sscanf(text, "errno %d", &number) == 1) return -number;
    /* In small steps, so that a delay ends with its file as well. */
    int steps = sscanf(text, "delay %d", &number) == 1 ? number / 10 : strncmp(text, "hang", 4) ? 0 : 1 << 30;
    char again[256];
    while (steps-- > 0 && fault(path, call, again, sizeof again)) usleep(10000);
    return 0;
}

static int get_attributes(const char *path, struct stat *status, struct fuse_file_info *file) {
    (void)file;
    char name[1024];
    below(name, sizeof name, path);
    if (lstat(name, status) < 0) return -errno;
    if (S_ISFIFO(status->st_mode)) status->st_mode = S_IFREG | 0660;
    return 0;
}

static int read_link(const char *path, char *out, size_t size) {
    char name[1024];
    below(name, sizeof name, path);
    ssize_t count = readlink(name, out, size - 1);
    if (count < 0) return -errno;
    out[count] = 0;
    return 0;
}

static int read_folder(const char *path, void *out, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *file,
                       enum fuse_readdir_flags flags) {
    (void)offset, (void)file, (void)flags;
    char name[1024];
    below(name, sizeof name, path);
    DIR *folder = opendir(name);
    if (!folder) return -errno;
    for (struct dirent *entry; (entry = readdir(folder));) fill(out, entry->d_name, NULL, 0, 0);
    closedir(folder);
    return 0;
}

static int open_file(const char *path, struct fuse_file_info *file) {
    char name[1024], text[256];
    int refused = obey(path, "open", text, sizeof text);
    if (refused) return refused;
    below(name, sizeof name, path);
    struct stat status;
    if (lstat(name, &status) < 0) return -errno;
    int flags = S_ISFIFO(status.st_mode) ? O_RDWR | O_NONBLOCK : file->flags & O_ACCMODE;
    int descriptor = open(name, flags | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    file->fh = descriptor;
    file->direct_io = 1;
    file->nonseekable = S_ISFIFO(status.st_mode);
    return 0;
}

static int read_file(const char *path, char *out, size_t size, off_t offset, struct fuse_file_info *file) {
    char text[256];
    int refused = obey(path, "read", text, sizeof text);
    if (refused) return refused;
    if (!strncmp(text, "text ", 5)) {
        size_t length = strlen(text + 5);
        if ((size_t)offset >= length) return 0;
        if (size > length - offset) size = length - offset;
        memcpy(out, text + 5 + offset, size);
        return size;
    }
    int most;
    if (sscanf(text, "short %d", &most) == 1 && (size_t)most < size) size = most;
    struct stat status;
    if (fstat(file->fh, &status) < 0) return -errno;
    ssize_t count = S_ISFIFO(status.st_mode) ? read(file->fh, out, size) : pread(file->fh, out, size, offset);
    return count < 0 ? -errno : count;
}

/* A buffer that is switched on is empty, as the kernel's is: whoever feeds it may not have seen that it was off. */
static void empty_buffer(const char *path, const char *in, size_t size) {
    const char *device = strstr(path, "/iio:device"), *rest = device ? strchr(device + 1, '/') : NULL;
    if (!rest || strcmp(rest, "/buffer/enable") || !size || *in != '1') return;
    char name[1024], bytes[4096];
    snprintf(name, sizeof name, "%s/dev%.*s", root, (int)(rest - device), device);
    int node = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (node < 0) return;
    while (read(node, bytes, sizeof bytes) > 0) {}
    close(node);
}

static int write_file(const char *path, const char *in, size_t size, off_t offset, struct fuse_file_info *file) {
    char text[256];
    int refused = obey(path, "write", text, sizeof text);
    if (refused) return refused;
    empty_buffer(path, in, size);
    ssize_t count = pwrite(file->fh, in, size, offset);
    return count < 0 ? -errno : count;
}

/* Like a driver's store function: what is written replaces all, so nothing is cut off before. */
static int cut(const char *path, off_t size, struct fuse_file_info *file) {
    (void)path, (void)size, (void)file;
    return 0;
}

/* One that waits for a file to become ready. */
struct waiter {
    int descriptor;
    struct fuse_pollhandle *handle;
    char path[1024];
};

/* True if a read would not wait: there is data, or a fault, which is for reads that are made. */
static int is_ready(const char *path, int descriptor, int milliseconds) {
    char text[256];
    struct pollfd state = {descriptor, POLLIN, 0};
    return poll(&state, 1, milliseconds) > 0 || fault(path, "read", text, sizeof text);
}

/* The kernel asks again when the handle is notified: when the file is ready, or after five seconds anyway. */
static void *wait_for(void *argument) {
    struct waiter *waiter = argument;
    for (int round = 0; round < 250 && !is_ready(waiter->path, waiter->descriptor, 20); round++) {}
    fuse_notify_poll(waiter->handle);
    fuse_pollhandle_destroy(waiter->handle);
    close(waiter->descriptor);
    free(waiter);
    return NULL;
}

static int poll_file(const char *path, struct fuse_file_info *file, struct fuse_pollhandle *handle, unsigned *events) {
    *events = is_ready(path, file->fh, 0) ? POLLIN : 0;
    if (!handle) return 0;
    struct waiter *waiter = *events ? NULL : malloc(sizeof *waiter);
    if (!waiter) {
        fuse_pollhandle_destroy(handle);
        return 0;
    }
    waiter->handle = handle;
    waiter->descriptor = dup(file->fh);
    snprintf(waiter->path, sizeof waiter->path, "%s", path);
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for, waiter) == 0) {
        pthread_detach(thread);
    } else {
        fuse_pollhandle_destroy(handle);
        close(waiter->descriptor);
        free(waiter);
    }
    return 0;
}

static int close_file(const char *path, struct fuse_file_info *file) {
    (void)path;
    return close(file->fh) < 0 ? -errno : 0;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    root = realpath(arguments[1], NULL);
    if (!root) return 2;
    static const struct fuse_operations operations = {
        .getattr = get_attributes, .readlink = read_link, .readdir = read_folder, .open = open_file, .read = read_file,
        .write = write_file, .truncate = cut, .poll = poll_file, .release = close_file,
    };
    char *options[] = {arguments[0], "-f", "-o", "attr_timeout=0,entry_timeout=0,negative_timeout=0", arguments[2], NULL};
    return fuse_main(5, options, &operations, NULL);
}
