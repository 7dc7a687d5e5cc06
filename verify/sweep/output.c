/*
 * output.c - a file of rows with checksums, taken up again (output.h)
 */
#include "sweep/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "base/standard.h"

enum { KEEP_EVERY = 1 };    /* seconds between two times that rows are forced onto the
                               disk: at most so much work is lost with the power */

static bool fail(struct output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(struct output *output, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(output->error, sizeof output->error, format, list);
    va_end(list);
    return false;
}

static const char *name_of(const struct output *output)
{
    return !output->path ? "standard output" : *output->part ? output->part
                                                             : output->path;
}

static bool cannot_write(struct output *output)
{
    return fail(output, "%s: cannot be written: %s", name_of(output), strerror(errno));
}

/* --- rows that are there ------------------------------------------------------------ */

/* Are all rows there? Nobody knows where their number is open. */
static bool is_full(const struct output *output)
{
    return output->row.count > 0 && output->rows == output->row.count;
}

/* Counts the line if it is the next one of the table, and whole. */
static bool count_row(struct output *output, const char *line)
{
    const struct output_rows *row = &output->row;
    enum status status;
    long events;
    if (is_full(output) ||
        !row->take(row->context, line, output->rows, &status, &events))
        return false;
    output->status[status]++;
    output->events += events;
    output->rows++;
    return true;
}

/* Bytes of the checksum that ends every row in FILE.part: FNV-1a of the text before it in
   16 hexadecimal digits behind a comma. */
enum { SUM = 17 };

static void print_sum(const char *row, size_t length, char sum[SUM + 1])
{
    uint64_t hash = 14695981039346656037u;
    for (size_t k = 0; k < length; k++)
        hash = (hash ^ (unsigned char)row[k]) * 1099511628211u;
    snprintf(sum, SUM + 1, ",%016" PRIx64, hash);
}

/* Takes the checksum of a row with its end of line away; false: the checksum is wrong. */
static bool take_sum(char *line, size_t length)
{
    char sum[SUM + 1];
    if (length <= SUM || line[length - 1] != '\n')
        return false;
    char *at = line + length - 1 - SUM;
    print_sum(line, (size_t)(at - line), sum);
    bool right = memcmp(at, sum, SUM) == 0;
    at[0] = '\n';
    at[1] = '\0';
    return right;
}

/* Counts the whole rows of a file behind its heading, with checksums or without. Returns
   the length of the file up to their end. */
static long count_rows(struct output *output, FILE *stream, bool summed)
{
    const struct output_rows *row = &output->row;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    long good = output->heading;
    while ((length = getline(&line, &room, stream)) > 0 &&
           strlen(line) == (size_t)length && !is_full(output) &&
           (summed ? take_sum(line, (size_t)length)
                   : row->is_as_written(row->context, line, output->rows)) &&
           count_row(output, line))
        good += length;
    free(line);
    return good;
}

/* --- a file that is there ----------------------------------------------------------- */

enum beginning { SAME, TORN, OTHER };

/* Does the stream begin with the heading? TORN: it ends within the heading, or the rest
   is zeros. OTHER: *wanted is the place of the first difference. *line, malloc'ed: the
   line read there. */
static enum beginning compare_heading(FILE *stream, const char *heading, char **line,
                                      const char **wanted)
{
    size_t room = 0;
    ssize_t length = 0;
    *line = NULL;
    for (*wanted = heading; **wanted; *wanted += length) {
        length = getline(line, &room, stream);
        size_t written = length > 0 ? strlen(*line) : 0;
        if (strncmp(*line ? *line : "", *wanted, written) != 0)
            return OTHER;
        if (written == 0 || (*line)[written - 1] != '\n')
            return TORN;
    }
    return SAME;
}

static bool say_other(struct output *output, const char *file, const char *line,
                      const char *wanted)
{
    enum { SHOWN = 200 };
    int has = (int)strcspn(line, "\n"), wants = (int)strcspn(wanted, "\n");
    return fail(output,
                "%s is of another %s: it says '%.*s', not '%.*s'; --restart begins "
                "anew, another -o keeps it", file, output->row.work,
                has < SHOWN ? has : SHOWN, line, wants < SHOWN ? wants : SHOWN, wanted);
}

/* Has a FILE with so many good bytes all its rows? */
static bool is_complete(const struct output *output, FILE *stream, long good)
{
    struct stat file;
    return is_full(output) || (output->row.count == 0 && output->rows > 0 &&
                               fstat(fileno(stream), &file) == 0 && file.st_size == good);
}

/* Looks at a FILE that is there already: complete, or not ours to replace. */
static enum output_state look_at_result(struct output *output, const char *heading)
{
    FILE *stream = fopen(output->target, "re");
    if (!stream && errno == ENOENT)
        return OUTPUT_READY;
    if (!stream) {
        fail(output, "%s: cannot be read: %s", output->path, strerror(errno));
        return OUTPUT_FAILED;
    }
    char *line;
    const char *wanted;
    enum output_state state = OUTPUT_FAILED;
    enum beginning beginning = compare_heading(stream, heading, &line, &wanted);
    long good = beginning == SAME ? count_rows(output, stream, false) : 0;
    if (beginning == SAME && is_complete(output, stream, good))
        state = OUTPUT_COMPLETE;
    else if (beginning == OTHER)
        say_other(output, output->path, line, wanted);
    else
        fail(output, "%s is there and not complete; --restart replaces it, another -o "
             "keeps it", output->path);
    free(line);
    fclose(stream);
    return state;
}

/* --- the file that grows ------------------------------------------------------------ */

static bool write_all(struct output *output, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(output->descriptor, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return cannot_write(output);
        text += written;
        length -= (size_t)written;
    }
    return true;
}

/* Takes up FILE.part behind its last whole row: the rows after that are cut off and
   computed again. */
static bool take_up(struct output *output, const char *heading, bool restart)
{
    if (restart && ftruncate(output->descriptor, 0) != 0)
        return cannot_write(output);
    int copy = fcntl(output->descriptor, F_DUPFD_CLOEXEC, 0);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, "r");
    if (!stream)
        return cannot_write(output);
    char *line;
    const char *wanted;
    long good = 0;
    enum beginning beginning = compare_heading(stream, heading, &line, &wanted);
    if (beginning == SAME)
        good = count_rows(output, stream, true);
    bool ours = beginning != OTHER || say_other(output, output->part, line, wanted);
    free(line);
    fclose(stream);
    if (!ours)
        return false;
    if (ftruncate(output->descriptor, good) != 0 ||
        lseek(output->descriptor, good, SEEK_SET) < 0)
        return cannot_write(output);
    return good > 0 || write_all(output, heading, strlen(heading));
}

/* Is FILE.part still the name of the file that is open? */
static bool still_named(const struct output *output)
{
    struct stat open, named;
    return fstat(output->descriptor, &open) == 0 && stat(output->part, &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/* Opens FILE.part and locks it. A process that has just been killed may take a moment to
   be gone; one that is finishing takes the name away, and the file is opened again. */
static bool open_part(struct output *output)
{
    enum { TRIES = 20 };
    const struct timespec moment = {.tv_nsec = 50000000};
    for (int k = 0; k < TRIES; k++) {
        output->descriptor = open(output->part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (output->descriptor < 0)
            return cannot_write(output);
        if (flock(output->descriptor, LOCK_EX | LOCK_NB) == 0 && still_named(output))
            return true;
        output_close(output);
        nanosleep(&moment, NULL);
    }
    return fail(output, "%s: another %s is writing it; wait for its end, or choose "
                "another -o", output->part, output->row.work);
}

/* Removes FILE.part if nothing was begun. */
static void drop_if_empty(const struct output *output)
{
    struct stat part;
    if (fstat(output->descriptor, &part) == 0 && part.st_size == 0)
        unlink(output->part);
}

bool output_part(const char *path, char part[PATH_MAX])
{
    struct destination destination;
    if (!destination_find(&destination, path) || destination.kind != DESTINATION_PLAIN)
        return false;
    errno = ENAMETOOLONG;
    return snprintf(part, PATH_MAX, "%s.part", destination.path) < PATH_MAX;
}

static enum output_state open_file(struct output *output, const char *heading,
                                   bool restart)
{
    enum output_state state = restart ? OUTPUT_READY : look_at_result(output, heading);
    if (state != OUTPUT_READY)
        return state;
    if (!output_part(output->target, output->part)) {
        *output->part = '\0';
        cannot_write(output);
        return OUTPUT_FAILED;
    }
    if (!open_part(output))
        return OUTPUT_FAILED;
    /* the process that had the lock before may have finished since */
    if (!restart)
        state = look_at_result(output, heading);
    if (state == OUTPUT_READY)
        return take_up(output, heading, restart) ? OUTPUT_READY : OUTPUT_FAILED;
    drop_if_empty(output);
    return state;
}

enum output_state output_open(struct output *output, const struct output_rows *row,
                              const char *path, const char *heading, bool restart)
{
    struct destination destination = {.kind = DESTINATION_DESCRIPTOR,
                                      .descriptor = standard_output()};
    if (path && strcmp(path, "-") == 0)
        path = NULL;
    *output = (struct output){.row = *row, .path = path, .descriptor = -1,
                              .heading = (long)strlen(heading)};
    clock_gettime(CLOCK_MONOTONIC, &output->kept);
    if (path && !destination_find(&destination, path)) {
        cannot_write(output);
        return OUTPUT_FAILED;
    }
    if (destination.kind == DESTINATION_PLAIN) {
        memcpy(output->target, destination.path, sizeof output->target);
        return open_file(output, heading, restart);
    }
    output->descriptor = destination_open(&destination);
    bool good = output->descriptor >= 0 ? write_all(output, heading, strlen(heading))
                                        : cannot_write(output);
    return good ? OUTPUT_READY : OUTPUT_FAILED;
}

/* The rows with their checksums, malloc'ed. */
static char *with_sums(const char *rows, size_t *length)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    if (!stream)
        memory_exhausted();
    for (const char *line = rows, *end; *line; line = end + 1) {
        char sum[SUM + 1];
        end = strchr(line, '\n');
        print_sum(line, (size_t)(end - line), sum);
        fprintf(stream, "%.*s%s\n", (int)(end - line), line, sum);
    }
    if (fclose(stream) != 0)
        memory_exhausted();
    return text;
}

bool output_append(struct output *output, const char *rows)
{
    size_t length = strlen(rows);
    char *summed = *output->part ? with_sums(rows, &length) : NULL;
    bool written = write_all(output, summed ? summed : rows, length);
    free(summed);
    if (!written)
        return false;
    for (const char *line = rows; *line; line = strchr(line, '\n') + 1)
        if (!count_row(output, line))
            slip("row %ld is not the next row of the table", output->rows);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!*output->part || now.tv_sec - output->kept.tv_sec < KEEP_EVERY)
        return true;
    output->kept = now;
    return fsync(output->descriptor) == 0 || cannot_write(output);
}

/* --- the end ------------------------------------------------------------------------ */

/* The folder, too, must be on the disk for the new name to stay. */
static void keep_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

/* Copies FILE.part without its checksums; false: it cannot be read, or has changed. */
static bool copy_rows(const struct output *output, FILE *to)
{
    int copy = fcntl(output->descriptor, F_DUPFD_CLOEXEC, 0);
    FILE *from = copy < 0 ? NULL : fdopen(copy, "r");
    if (!from)
        return false;
    rewind(from);
    for (long k = 0; k < output->heading; k++)
        putc(getc(from), to);
    char *line = NULL;
    size_t room = 0;
    long rows = 0;
    for (ssize_t length; (length = getline(&line, &room, from)) > 0; rows++) {
        errno = EIO;
        if (!take_sum(line, (size_t)length))
            break;
        fputs(line, to);
    }
    free(line);
    fclose(from);
    return rows == output->rows;
}

/* Publishes FILE, which is complete on the disk before FILE.part goes, with the rights of
   the file that it replaces. */
static bool publish_part(struct output *output)
{
    struct outfile file;
    bool good = outfile_open(&file, output->target);
    if (good && !copy_rows(output, file.stream))
        good = fail(output, "%s: cannot be read: %s", output->part, strerror(errno));
    if (good && (fflush(file.stream) != 0 || fsync(fileno(file.stream)) != 0))
        good = cannot_write(output);
    good = good && outfile_finish(&file) && outfile_publish(&file);
    if (!good && !*output->error)
        fail(output, "%s: cannot be written: %s", output->path, file.error);
    outfile_discard(&file);
    if (!good)
        return false;
    keep_folder(output->target);
    return unlink(output->part) == 0 || cannot_write(output);
}

bool output_publish(struct output *output)
{
    if (*output->part && !publish_part(output))
        return false;
    int descriptor = output->descriptor;
    output->descriptor = -1;
    return close(descriptor) == 0 || cannot_write(output);
}

void output_close(struct output *output)
{
    if (output->descriptor >= 0)
        close(output->descriptor);
    output->descriptor = -1;
}

void output_drop(struct output *output)
{
    if (output->descriptor >= 0 && *output->part && output->rows == 0)
        unlink(output->part);
    output_close(output);
}
