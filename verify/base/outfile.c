/*
 * outfile.c - atomic writing: a temporary file, renamed when it is complete (outfile.h)
 */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/standard.h"

enum { MOST_LINKS = 40 };

/* --- where a path leads ------------------------------------------------------------- */

/* The length of the folder of a path, with its slash; 0: the working directory. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

/* The folder behind all its symbolic links; false and errno. */
static bool real_folder(const char *path, char real[PATH_MAX])
{
    char folder[PATH_MAX];
    int length = folder_length(path);
    snprintf(folder, sizeof folder, "%.*s", length ? length : 1, length ? path : ".");
    return realpath(folder, real) != NULL;
}

/* Links in /proc lead to what is open, not to a name. */
static bool in_proc(const char *path)
{
    char folder[PATH_MAX];
    return real_folder(path, folder) && strncmp(folder, "/proc/", 6) == 0;
}

/* /proc/self/fd/3 is 3; -1: the path is no descriptor of this process. */
static int descriptor_of(const char *path)
{
    char folder[PATH_MAX], own[64], *end;
    const char *name = path + folder_length(path);
    snprintf(own, sizeof own, "/proc/%ld/", (long)getpid());
    if (!real_folder(path, folder) || strncmp(folder, own, strlen(own)) != 0)
        return -1;
    size_t length = strlen(folder);
    if (strcmp(folder + length - 3, "/fd") != 0 || *name < '0' || *name > '9')
        return -1;
    long number = strtol(name, &end, 10);
    return *end == '\0' && number <= INT_MAX ? (int)number : -1;
}

/* One link further: 1; 0: the path is no link; -1 and errno. */
static int follow_link(char path[PATH_MAX])
{
    char link[PATH_MAX], next[2 * PATH_MAX];
    ssize_t length = readlink(path, link, sizeof link - 1);
    if (length < 0)
        return errno == EINVAL || errno == ENOENT ? 0 : -1;
    link[length] = '\0';
    snprintf(next, sizeof next, "%.*s%s", *link == '/' ? 0 : folder_length(path), path,
             link);
    errno = ENAMETOOLONG;
    if (strlen(next) >= PATH_MAX)
        return -1;
    memcpy(path, next, strlen(next) + 1);
    return 1;
}

/* A closed descriptor is found, too: the write complains of it. */
static bool find_descriptor(struct destination *destination)
{
    destination->kind = DESTINATION_DESCRIPTOR;
    if (destination->descriptor == STDOUT_FILENO)
        destination->descriptor = standard_output();
    destination->exists = fstat(destination->descriptor, &destination->known) == 0;
    return true;
}

bool destination_find(struct destination *destination, const char *path)
{
    int more = 1;
    *destination = (struct destination){.descriptor = -1};
    errno = ENAMETOOLONG;
    if (strlen(path) >= PATH_MAX)
        return false;
    memcpy(destination->path, path, strlen(path) + 1);
    if (strcmp(path, "-") == 0) {
        destination->descriptor = STDOUT_FILENO;
        return find_descriptor(destination);
    }
    for (int links = 0; more == 1; links++) {
        destination->descriptor = descriptor_of(destination->path);
        errno = ELOOP;
        if (links > MOST_LINKS)
            return false;
        if (in_proc(destination->path))
            break;
        more = follow_link(destination->path);
    }
    if (more < 0)
        return false;
    if (destination->descriptor >= 0)
        return find_descriptor(destination);
    destination->exists = stat(destination->path, &destination->known) == 0;
    if (!destination->exists && errno != ENOENT)
        return false;
    if (destination->exists && !S_ISREG(destination->known.st_mode))
        destination->kind = DESTINATION_SPECIAL;
    return true;
}

bool destination_is_output(const struct destination *destination)
{
    struct stat output;
    return destination->exists && fstat(standard_output(), &output) == 0 &&
           destination->known.st_dev == output.st_dev &&
           destination->known.st_ino == output.st_ino;
}

int destination_open(const struct destination *destination)
{
    if (destination->kind == DESTINATION_DESCRIPTOR)
        return fcntl(destination->descriptor, F_DUPFD_CLOEXEC, 0);
    return open(destination->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

/* Everything that can be known without opening the destination: a FIFO would wait for its
   reader. */
static bool special_possible(const struct destination *destination)
{
    if (destination->kind == DESTINATION_DESCRIPTOR) {
        int flags = fcntl(destination->descriptor, F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
            errno = EBADF;
        return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
    }
    if (S_ISSOCK(destination->known.st_mode))
        errno = ENXIO;
    return !S_ISSOCK(destination->known.st_mode) &&
           faccessat(AT_FDCWD, destination->path, W_OK, AT_EACCESS) == 0;
}

bool destinations_same(const char *one, const char *other)
{
    struct destination a, b;
    char folder_a[PATH_MAX], folder_b[PATH_MAX];
    if (!destination_find(&a, one) || !destination_find(&b, other) ||
        a.exists != b.exists)
        return false;
    if (a.exists)
        return S_ISREG(a.known.st_mode) && a.known.st_dev == b.known.st_dev &&
               a.known.st_ino == b.known.st_ino;
    return real_folder(a.path, folder_a) && real_folder(b.path, folder_b) &&
           strcmp(folder_a, folder_b) == 0 &&
           strcmp(a.path + folder_length(a.path), b.path + folder_length(b.path)) == 0;
}

/* --- a file ------------------------------------------------------------------------- */

static bool fail(struct outfile *file)
{
    snprintf(file->error, sizeof file->error, "%s", strerror(errno));
    outfile_discard(file);
    return false;
}

/* A descriptor of the new file, which a signal removes; -1 and errno. The name is short
   whatever that of the destination is. */
static int open_temporary(struct outfile *file)
{
    static const char pattern[] = ".saltus.XXXXXX";
    sigset_t before;
    int folder = folder_length(file->path);
    errno = ENAMETOOLONG;
    if (folder + (int)sizeof pattern > PATH_MAX)
        return -1;
    snprintf(file->temporary, sizeof file->temporary, "%.*s%s", folder, file->path,
             pattern);
    cleanup_hold(&before);
    int descriptor = mkostemp(file->temporary, O_CLOEXEC);
    if (descriptor < 0)
        file->temporary[0] = '\0';
    else
        cleanup_file(file->temporary);
    cleanup_let(&before);
    return descriptor;
}

/* The rights that the existing file has, or that a new one would have. */
static bool set_rights(int descriptor, const struct destination *destination)
{
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(descriptor, destination->exists ? destination->known.st_mode & 0777
                                                  : 0666 & ~mask) == 0;
}

bool outfile_open(struct outfile *file, const char *path)
{
    struct destination destination;
    *file = (struct outfile){0};
    if (!destination_find(&destination, path))
        return fail(file);
    memcpy(file->path, destination.path, sizeof file->path);
    file->direct = destination.kind != DESTINATION_PLAIN;
    if (file->direct)
        fflush(stdout);         /* the text printed before comes first on /dev/stdout */
    int descriptor = file->direct ? destination_open(&destination)
                                  : open_temporary(file);
    if (descriptor < 0)
        return fail(file);
    if ((file->direct || set_rights(descriptor, &destination)) &&
        (file->stream = fdopen(descriptor, "w")))
        return true;
    int error = errno;
    close(descriptor);
    errno = error;
    return fail(file);
}

bool outfile_possible(const char *path, char *error, int size)
{
    struct outfile file = {0};
    struct destination destination;
    bool plain = !destination_find(&destination, path) ||
                 destination.kind == DESTINATION_PLAIN;
    bool folder = !plain && destination.exists && S_ISDIR(destination.known.st_mode);
    if (folder)
        errno = EISDIR;
    bool possible = plain ? outfile_open(&file, path)
                          : (!folder && special_possible(&destination)) || fail(&file);
    snprintf(error, (size_t)size, "%s", file.error);
    outfile_discard(&file);
    return possible;
}

bool outfile_finish(struct outfile *file)
{
    FILE *stream = file->stream;
    bool bad = fflush(stream) != 0 || ferror(stream);
    file->stream = NULL;
    if (fclose(stream) != 0 || bad)
        return fail(file);
    return true;
}

/* The temporary name is free again, or has become another file's. */
static void forget_temporary(struct outfile *file)
{
    cleanup_forget_file(file->temporary);
    file->temporary[0] = '\0';
}

bool outfile_publish(struct outfile *file)
{
    if (file->direct)
        return true;
    if (rename(file->temporary, file->path) != 0)
        return fail(file);
    forget_temporary(file);
    return true;
}

void outfile_discard(struct outfile *file)
{
    if (file->stream)
        fclose(file->stream);
    file->stream = NULL;
    if (!file->temporary[0])
        return;
    unlink(file->temporary);
    forget_temporary(file);
}

bool outfile_print(const char *path, print_function *print, const void *context,
                   char *error, int size)
{
    struct outfile file;
    bool good = outfile_open(&file, path);
    if (good)
        print(file.stream, context);
    good = good && outfile_finish(&file) && outfile_publish(&file);
    snprintf(error, (size_t)size, "%s", file.error);
    outfile_discard(&file);
    return good;
}

/* --- a folder ----------------------------------------------------------------------- */

bool folder_make(const char *path)
{
    struct stat known;
    return mkdir(path, 0777) == 0 ||
           (errno == EEXIST && stat(path, &known) == 0 && S_ISDIR(known.st_mode));
}
