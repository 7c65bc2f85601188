// Linux calls that the Glibc module of the toolchain lacks. Header only: no C file is compiled for it.
#ifndef LOCATEME_CLINUX_H
#define LOCATEME_CLINUX_H

#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <unistd.h>

// Enumerators that Swift would import as an enum type instead of the plain bit masks epoll_ctl(2) takes.
static const unsigned int LOCATEME_EPOLLIN = EPOLLIN;
static const unsigned int LOCATEME_EPOLLOUT = EPOLLOUT;
static const unsigned int LOCATEME_EPOLLET = EPOLLET;
static const unsigned int LOCATEME_EPOLLERR = EPOLLERR;
static const unsigned int LOCATEME_EPOLLHUP = EPOLLHUP;
static const int LOCATEME_EPOLL_CLOEXEC = EPOLL_CLOEXEC;
static const int LOCATEME_EFD_CLOEXEC = EFD_CLOEXEC;
static const int LOCATEME_EFD_NONBLOCK = EFD_NONBLOCK;
static const int LOCATEME_TFD_CLOEXEC = TFD_CLOEXEC;
static const int LOCATEME_TFD_NONBLOCK = TFD_NONBLOCK;
static const int LOCATEME_TFD_TIMER_ABSTIME = TFD_TIMER_ABSTIME;
static const int LOCATEME_SFD_CLOEXEC = SFD_CLOEXEC;
static const int LOCATEME_SFD_NONBLOCK = SFD_NONBLOCK;

// Declared by <pthread.h> only under _GNU_SOURCE, which the Glibc module does not define.
int pthread_setname_np(pthread_t thread, const char *name);
static const int LOCATEME_TIME_ERROR = TIME_ERROR;
static const int LOCATEME_STA_UNSYNC = STA_UNSYNC;

// dl_iterate_phdr(3) and what it tells, as far as it is used here: <link.h> has them only under _GNU_SOURCE.
struct locateme_loaded_object {
    ElfW(Addr) address;
    const char *name;
    const ElfW(Phdr) *headers;
    ElfW(Half) headerCount;
};
int dl_iterate_phdr(int (*callback)(void *object, unsigned long size, void *data), void *data);

static int locateme_release_object(void *information, unsigned long size, void *data) {
    const struct locateme_loaded_object *object = information;
    if (size < sizeof *object) return 1;
    // The main program has no name and libraries have paths; what the kernel maps itself (vdso) has neither.
    if (object->name[0] != '/' && object->name[0] != 0) return 0;
    unsigned long page = *(const unsigned long *)data;
    for (int index = 0; index < object->headerCount; index++) {
        const ElfW(Phdr) *header = &object->headers[index];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
        unsigned long start = (object->address + header->p_vaddr) & ~(page - 1);
        unsigned long end = (object->address + header->p_vaddr + header->p_memsz + page - 1) & ~(page - 1);
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

/* Where the program's section .rodata is, from the headers of its file; 0 if that cannot be told. */
static inline unsigned long locateme_find_constants(int file, unsigned long *size) {
    ElfW(Ehdr) header;
    if (pread(file, &header, sizeof header, 0) != sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_shentsize != sizeof(ElfW(Shdr)) || header.e_shstrndx >= header.e_shnum)
        return 0;
    ElfW(Shdr) names, section;
    if (pread(file, &names, sizeof names, (off_t)(header.e_shoff + header.e_shstrndx * sizeof names)) != sizeof names)
        return 0;
    for (int index = 0; index < header.e_shnum; index++) {
        char name[8];
        if (pread(file, &section, sizeof section, (off_t)(header.e_shoff + index * sizeof section)) != sizeof section)
            return 0;
        if (pread(file, name, sizeof name, (off_t)(names.sh_offset + section.sh_name)) != sizeof name) continue;
        if (memcmp(name, ".rodata", sizeof name) == 0) {
            *size = section.sh_size;
            return section.sh_addr;
        }
    }
    return 0;
}

static int locateme_find_program(void *information, unsigned long size, void *data) {
    const struct locateme_loaded_object *object = information;
    // The first object is the program.
    if (size >= sizeof *object) *(unsigned long *)data = object->address;
    return 1;
}

/* Swift marks its constants as writable on ELF, so they share a segment with variables. Lets go of their pages that are
   still those of the file, as /proc/self/pagemap tells (proc_pid_pagemap(5): bit 63 present, bit 61 of a file): nobody
   writes to constants after the relocations of the start. */
static inline void locateme_release_constants(unsigned long pageSize) {
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    unsigned long size = 0, base = 0, offset = locateme_find_constants(file, &size);
    close(file);
    dl_iterate_phdr(locateme_find_program, &base);
    if (offset == 0 || base == 0) return;
    unsigned long page = (base + offset + pageSize - 1) & ~(pageSize - 1), end = (base + offset + size) & ~(pageSize - 1);
    int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (map < 0) return;
    for (; page < end; page += pageSize) {
        uint64_t entry;
        if (pread(map, &entry, sizeof entry, (off_t)(page / pageSize * sizeof entry)) != sizeof entry) break;
        if (entry >> 63 && entry >> 61 & 1) madvise((void *)page, pageSize, MADV_DONTNEED);
    }
    close(map);
}

/* Lets go of what deeper calls have left below this one on the caller's stack; nobody reads that again. */
static __attribute__((noinline)) void locateme_release_stack(unsigned long pageSize) {
    const unsigned long depth = 1 << 20, margin = 16 << 10;
    unsigned long here = (unsigned long)__builtin_frame_address(0) & ~(pageSize - 1);
    /* ENOMEM, since most of it has never been there: what is goes nevertheless (madvise(2)). */
    if (here > depth) madvise((void *)(here - depth), depth - margin, MADV_DONTNEED);
}

/* Lets go of the pages of the program and its libraries that nobody can have written to: they come back from the
   page cache when they are used. Of segments that are writable at load time only the program's constants go. */
static inline void locateme_release_program_pages(unsigned long pageSize) {
    dl_iterate_phdr(locateme_release_object, &pageSize);
    locateme_release_constants(pageSize);
    locateme_release_stack(pageSize);
}

/* Pseudo-terminals (XSI): glibc hides them without _XOPEN_SOURCE, which Swift's module of it does not define. */
int posix_openpt(int flags);
int grantpt(int descriptor);
int unlockpt(int descriptor);
int ptsname_r(int descriptor, char *name, unsigned long size);

#endif
