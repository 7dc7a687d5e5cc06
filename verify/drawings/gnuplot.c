/*
 * gnuplot.c - gnuplot in a child, its picture in a file (gnuplot.h)
 */
#include "drawings/gnuplot.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/embed.h"
#include "base/memory.h"
#include "base/spawn.h"
#include "drawings/pdf_dates.h"

EMBED(style_gnuplot, "verify/drawings/style.gnuplot");

const char *const picture_suffix[PICTURE_FORMATS] = {".svg", ".pdf"};

bool picture_format_of(const char *path, enum picture_format *format)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    *format = PICTURE_SVG;
    for (int k = 0; k < PICTURE_FORMATS && dot; k++)
        if (strcmp(dot, picture_suffix[k]) == 0) {
            *format = (enum picture_format)k;
            return true;
        }
    return !dot;
}

bool gnuplot_found(void)
{
    return spawn_found("gnuplot");
}

/* --- commands ----------------------------------------------------------------------- */

void gnuplot_text(FILE *stream, const char *text)
{
    fputc('\'', stream);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', stream);
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
    fputc('\'', stream);
}

/* Letters are as large in both formats; an SVG has so many pixels a millimetre. */
static void print_commands(FILE *stream, enum picture_format format,
                           const struct drawing *drawing)
{
    static const double pixels = 5.6;
    if (format == PICTURE_SVG)
        fprintf(stream, "set terminal svg size %.0f,%.0f font 'DejaVu Sans,13' "
                "background rgb 'white'\n",
                pixels * drawing->width, pixels * drawing->height);
    else
        fprintf(stream, "set terminal pdfcairo size %.4gcm,%.4gcm "
                "font 'DejaVu Sans,6.6' fontscale 1 lw 0.8\n", drawing->width / 10,
                drawing->height / 10);
    fputs(style_gnuplot, stream);
    drawing->draw(stream, drawing->context);
}

void gnuplot_script(FILE *stream, const char *picture, enum picture_format format,
                    const struct drawing *drawing)
{
    fputs("# gnuplot draws the picture again by this file.\nset output ", stream);
    gnuplot_text(stream, picture);
    fputc('\n', stream);
    print_commands(stream, format, drawing);
    fputs("unset output\n", stream);
}

/* --- gnuplot ------------------------------------------------------------------------ */

/* Our environment in the time zone UTC, since a PDF has the zone in which it was made.
   The array is the caller's. */
static char **environment(void)
{
    static char zone[] = "TZ=UTC0";
    int count = 0, kept = 0;
    while (environ[count])
        count++;
    char **own = memory_new(count + 2, sizeof *own);
    for (int k = 0; k < count; k++)
        if (strncmp(environ[k], "TZ=", 3) != 0)
            own[kept++] = environ[k];
    own[kept] = zone;
    return own;
}

/* Starts gnuplot, which reads everything written to *input; the picture goes to `drawn`,
   its words to `log`. -1 and errno. gnuplot reads no settings of the user's, has no
   descriptor but these three, and the usual signals. */
static pid_t start_gnuplot(FILE *drawn, FILE *log, FILE **input)
{
    char name[] = "gnuplot", plain[] = "-d", *const argument[] = {name, plain, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    int end[2];
    pid_t child;
    if (pipe2(end, O_CLOEXEC) != 0)
        return -1;
    char **names = environment();
    spawn_attributes(&how);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(drawn), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(log), STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    errno = posix_spawnp(&child, name, &actions, &how, argument, names);
    free(names);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    close(end[0]);
    if (errno == 0 && (*input = fdopen(end[1], "w")))
        return child;
    close(end[1]);
    return -1;
}

/* The last line that is not empty, without blanks at its ends. */
static void last_line(FILE *log, char *last, size_t size)
{
    char line[400];
    *last = '\0';
    rewind(log);
    while (fgets(line, sizeof line, log)) {
        const char *text = line + strspn(line, " \t\r\n");
        size_t length = strlen(text);
        while (length > 0 && isspace((unsigned char)text[length - 1]))
            length--;
        if (length > 0)
            snprintf(last, size, "%.*s", (int)length, text);
    }
}

/* All of a file. */
static char *whole(FILE *from, size_t *size)
{
    char *text = NULL, block[4096];
    size_t count;
    FILE *memory = open_memstream(&text, size);
    if (!memory)
        memory_exhausted();
    rewind(from);
    while ((count = fread(block, 1, sizeof block, from)) > 0)
        fwrite(block, 1, count, memory);
    if (fclose(memory) != 0)
        memory_exhausted();
    return text;
}

/* Has the picture its end? gnuplot does not say that it could not write all of it. */
static bool is_whole(const char *picture, size_t size, enum picture_format format)
{
    static const char *const end[PICTURE_FORMATS] = {"</svg>", "%%EOF"};
    while (size > 0 && isspace((unsigned char)picture[size - 1]))
        size--;
    size_t length = strlen(end[format]);
    return size >= length && memcmp(picture + size - length, end[format], length) == 0;
}

/* Takes the picture that gnuplot has drawn; false: file->error says why there is none. */
static bool take_picture(struct outfile *file, enum picture_format format, FILE *drawn,
                         FILE *log, int ended)
{
    char said[200], how[60];
    bool well = WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
    size_t size = 0;
    char *picture = whole(drawn, &size);
    bool complete = is_whole(picture, size, format);
    pdf_settle_dates(picture, size);
    /* outfile_finish() says whether the bytes could be written. */
    if (well && complete)
        fwrite(picture, 1, size, file->stream);
    free(picture);
    if (well && complete)
        return true;
    if (well)
        snprintf(how, sizeof how, size > 0 ? "the picture has no end; is the disk full?"
                                           : "it drew nothing");
    else
        snprintf(how, sizeof how, WIFSIGNALED(ended) ? "ended by signal %d"
                                                     : "exit status %d",
                 WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
    last_line(log, said, sizeof said);
    snprintf(file->error, sizeof file->error, "gnuplot: %s%s%s%s; see that `gnuplot` can "
             "draw SVG and PDF (Debian: gnuplot-nox)", said, *said ? " (" : "", how,
             *said ? ")" : "");
    return false;
}

/* The picture goes by way of files of our own: gnuplot does not say that it could not
   write. */
bool gnuplot_draw(struct outfile *file, enum picture_format format,
                  const struct drawing *drawing)
{
    FILE *drawn = tmpfile(), *log = tmpfile(), *input;
    pid_t gnuplot = drawn && log ? start_gnuplot(drawn, log, &input) : -1;
    int ended;
    bool there = false;
    if (gnuplot >= 0) {
        cleanup_group(gnuplot);
        print_commands(input, format, drawing);
        fclose(input);
        while (waitpid(gnuplot, &ended, 0) < 0 && errno == EINTR)
            continue;
        cleanup_forget_group(gnuplot);
        there = take_picture(file, format, drawn, log, ended);
    } else {
        snprintf(file->error, sizeof file->error, "gnuplot cannot be started: %s",
                 strerror(errno));
    }
    if (drawn)
        fclose(drawn);
    if (log)
        fclose(log);
    return there;
}
