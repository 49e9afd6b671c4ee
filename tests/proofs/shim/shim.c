/* Stands between the program and the C library, for proofs that need a disk or a clock that
 * misbehaves (LD_PRELOAD). Only regular files and directories below one folder count.
 *
 * PURSER_DATA_DIR       the folder
 * PURSER_PROOF_RECORD   a file that every change of the folder is appended to, if it is set
 * PURSER_PROOF_CONTROL  a file of ten 64-bit numbers, which the test writes: see struct control
 *
 * A record is its header, the path and the bytes. Changes are recorded before they are made, and
 * synchronisations after they have succeeded: a cut at any place of the record is a state that the
 * disk may have been in. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum operation { CREATE = 1, WRITE = 2, TRUNCATE = 3, SYNC = 4, RENAME = 5, UNLINK = 6 };
enum manner { FAIL = 0, PRETEND = 1, DIE = 2 };

struct control {
    int64_t countdown; /* the fault comes with this call from now on; 0 is none */
    int64_t manner;    /* FAIL; PRETEND: success, but nothing is done; DIE: the process is killed */
    int64_t error;     /* the errno of FAIL */
    int64_t repeats;   /* so many calls after it fail, too */
    int64_t fired;     /* how many calls have failed */
    int64_t calls;     /* how many calls there were */
    int64_t clock;     /* seconds that the clock is ahead */
    int64_t rate;      /* of a thousand calls so many fail, at random */
    int64_t random;    /* where the random numbers are */
    int64_t messages;  /* whether what is sent over connections counts as calls, too */
};

struct header {
    uint32_t operation;
    uint32_t path_bytes;
    uint64_t offset;
    uint64_t data_bytes;
};

#define FILES_MAX 65536
static char *paths[FILES_MAX];
static char folder[PATH_MAX];
static size_t folder_bytes;
static int record = -1;
static struct control none;
static struct control *control = &none;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("PURSER_DATA_DIR");
    if (name) folder_bytes = (size_t)snprintf(folder, sizeof folder, "%s", name);
    name = getenv("PURSER_PROOF_RECORD");
    if (name) record = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_APPEND | O_CLOEXEC);
    name = getenv("PURSER_PROOF_CONTROL");
    int file = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(0, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) control = mapped;
    syscall(SYS_close, file);
}

#define NEXT(name) \
    static __typeof__(name) *next; \
    if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* The path below the folder, or null. */
static const char *below(const char *path) {
    if (!folder_bytes || strncmp(path, folder, folder_bytes) != 0) return 0;
    return path[folder_bytes] == '/' ? path + folder_bytes + 1 : path[folder_bytes] ? 0 : "";
}

static const char *path_of(int file) {
    return file >= 0 && file < FILES_MAX ? paths[file] : 0;
}

static void append(enum operation operation, const char *path, uint64_t offset, const void *data,
                   size_t data_bytes) {
    if (record < 0) return;
    struct header header = {operation, (uint32_t)strlen(path), offset, data_bytes};
    size_t bytes = sizeof header + header.path_bytes + data_bytes;
    char *all = malloc(bytes);
    memcpy(all, &header, sizeof header);
    memcpy(all + sizeof header, path, header.path_bytes);
    if (data_bytes) memcpy(all + sizeof header + header.path_bytes, data, data_bytes);
    if (syscall(SYS_write, record, all, bytes) != (long)bytes) abort();
    free(all);
}

/* Whether chance lets this call fail. */
static int is_hit(void) {
    int64_t rate = __atomic_load_n(&control->rate, __ATOMIC_SEQ_CST);
    if (rate <= 0) return 0;
    uint64_t next = (uint64_t)__atomic_add_fetch(&control->random, 1, __ATOMIC_SEQ_CST);
    next = (next ^ (next >> 30)) * 0xbf58476d1ce4e5b9u;
    next = (next ^ (next >> 27)) * 0x94d049bb133111ebu;
    return (int64_t)((next ^ (next >> 31)) % 1000) < rate;
}

/* Whether this call is the one that goes wrong: 0, or 1 for a failure, or 2 for a pretence. */
static int fault(void) {
    __atomic_add_fetch(&control->calls, 1, __ATOMIC_SEQ_CST);
    if (is_hit()) {
        __atomic_add_fetch(&control->fired, 1, __ATOMIC_SEQ_CST);
        errno = (int)control->error;
        return 1;
    }
    if (__atomic_load_n(&control->countdown, __ATOMIC_SEQ_CST) <= 0) return 0;
    int64_t left = __atomic_sub_fetch(&control->countdown, 1, __ATOMIC_SEQ_CST);
    if (left != 0) return 0;
    if (__atomic_sub_fetch(&control->repeats, 1, __ATOMIC_SEQ_CST) >= 0)
        __atomic_store_n(&control->countdown, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&control->fired, 1, __ATOMIC_SEQ_CST);
    if (control->manner == DIE) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    if (control->manner == PRETEND) return 2;
    errno = (int)control->error;
    return 1;
}

/* What goes over a connection never fails here, but it may be what the process dies at. */
static void message(int file) {
    if (!__atomic_load_n(&control->messages, __ATOMIC_SEQ_CST)) return;
    struct sockaddr_storage peer;
    socklen_t bytes = sizeof peer;
    if (getpeername(file, (struct sockaddr *)&peer, &bytes) != 0) return;
    if (peer.ss_family == AF_INET || peer.ss_family == AF_INET6) fault();
}

static int note(int file, const char *path, int flags, int was_there) {
    if (file < 0 || file >= FILES_MAX) return file;
    free(paths[file]);
    paths[file] = 0;
    const char *name = below(path);
    if (!name) return file;
    paths[file] = strdup(name);
    if (!was_there && (flags & O_CREAT)) append(CREATE, name, 0, 0, 0);
    if (was_there && (flags & O_TRUNC)) append(TRUNCATE, name, 0, 0, 0);
    return file;
}

static int open_file(const char *path, int flags, mode_t mode) {
    int was_there = access(path, F_OK) == 0;
    if (below(path) && (flags & (O_CREAT | O_TRUNC)) && fault() == 1) return -1;
    return note((int)syscall(SYS_openat, AT_FDCWD, path, flags, mode), path, flags, was_there);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
        va_end(arguments); \
        return open_file(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

int close(int file) {
    if (file >= 0 && file < FILES_MAX) {
        free(paths[file]);
        paths[file] = 0;
    }
    return (int)syscall(SYS_close, file);
}

static ssize_t write_at(int file, const void *data, size_t bytes, off_t offset, int moves) {
    const char *path = path_of(file);
    if (path) {
        int wrong = fault();
        if (wrong == 1) return -1;
        if (wrong == 2) {
            if (moves) lseek(file, (off_t)bytes, SEEK_CUR);
            return (ssize_t)bytes;
        }
        append(WRITE, path, (uint64_t)offset, data, bytes);
    }
    return moves ? syscall(SYS_write, file, data, bytes)
                 : syscall(SYS_pwrite64, file, data, bytes, offset);
}

ssize_t pwrite(int file, const void *data, size_t bytes, off_t offset) {
    return write_at(file, data, bytes, offset, 0);
}

ssize_t pwrite64(int file, const void *data, size_t bytes, off64_t offset) {
    return write_at(file, data, bytes, offset, 0);
}

ssize_t write(int file, const void *data, size_t bytes) {
    off_t offset = path_of(file) ? lseek(file, 0, SEEK_CUR) : 0;
    return write_at(file, data, bytes, offset, 1);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (!path_of(file)) {
        message(file);
        return syscall(SYS_writev, file, parts, count);
    }
    /* A short write is a valid answer: the caller goes on with the rest. */
    for (int part = 0; part < count; part++)
        if (parts[part].iov_len) return write(file, parts[part].iov_base, parts[part].iov_len);
    return 0;
}

ssize_t send(int file, const void *data, size_t bytes, int flags) {
    message(file);
    return syscall(SYS_sendto, file, data, bytes, flags, 0, 0);
}

static int truncate_file(int file, off_t length) {
    const char *path = path_of(file);
    if (path) {
        int wrong = fault();
        if (wrong) return wrong == 1 ? -1 : 0;
        append(TRUNCATE, path, (uint64_t)length, 0, 0);
    }
    return (int)syscall(SYS_ftruncate, file, length);
}

int ftruncate(int file, off_t length) { return truncate_file(file, length); }
int ftruncate64(int file, off64_t length) { return truncate_file(file, length); }

static int sync_file(int file, long call) {
    const char *path = path_of(file);
    int wrong = path ? fault() : 0;
    if (wrong) return wrong == 1 ? -1 : 0;
    int done = (int)syscall(call, file);
    if (done == 0 && path) append(SYNC, path, 0, 0, 0);
    return done;
}

int fsync(int file) { return sync_file(file, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }

int rename(const char *from, const char *to) {
    const char *name = below(from), *target = below(to);
    if (name && target) {
        int wrong = fault();
        if (wrong) return wrong == 1 ? -1 : 0;
        append(RENAME, name, 0, target, strlen(target));
    }
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
    const char *name = below(path);
    if (name) {
        int wrong = fault();
        if (wrong) return wrong == 1 ? -1 : 0;
        append(UNLINK, name, 0, 0, 0);
    }
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    NEXT(clock_gettime);
    int done = next(clock, time);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        time->tv_sec += __atomic_load_n(&control->clock, __ATOMIC_SEQ_CST);
    return done;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int done = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return done;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
