// Linux calls that the Glibc module of the toolchain lacks. Header only: no C file is compiled for it.
#ifndef LOCATEME_CLINUX_H
#define LOCATEME_CLINUX_H

#include <malloc.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

// Enumerators that Swift would import as an enum type instead of the plain bit masks epoll_ctl(2) takes.
static const unsigned int LOCATEME_EPOLLIN = EPOLLIN;
static const unsigned int LOCATEME_EPOLLOUT = EPOLLOUT;
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

/* Pseudo-terminals (XSI): glibc hides them without _XOPEN_SOURCE, which Swift's module of it does not define. */
int posix_openpt(int flags);
int grantpt(int descriptor);
int unlockpt(int descriptor);
int ptsname_r(int descriptor, char *name, unsigned long size);

#endif
