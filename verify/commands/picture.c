/*
 * picture.c - gnuplot in a child, its output in a file (picture.h)
 */
#include "commands/picture.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Is there an executable of this name in $PATH? */
static bool have_program(const char *name)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        char file[1000];
        int length = (int)strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", length, path, name);
        if (access(file, X_OK) == 0)
            return true;
        path += length;
        path += *path == ':';
    }
    return false;
}

/* Does the name promise another kind of file? */
static const char *other_kind(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot && strcmp(dot, ".svg") != 0 ? dot : NULL;
}

static bool writable(const struct args *args, const char *path)
{
    char error[200];
    if (!path || outfile_possible(path, error, sizeof error))
        return true;
    complain(args, "%s: cannot be written: %s", path, error);
    return false;
}

bool picture_possible(const struct args *args)
{
    const char *path = args_text(args, OPTION_PLOT, NULL);
    if (path && other_kind(path)) {
        complain(args, "--plot %s: pictures are SVG, not %s; name the file .svg", path,
                 other_kind(path));
        return false;
    }
    if (!writable(args, path))
        return false;
    if (path && !have_program("gnuplot")) {
        complain(args, "--plot needs gnuplot, which is not in PATH; on Debian: "
                 "apt-get install gnuplot-nox");
        return false;
    }
    return true;
}

bool outputs_possible(const struct args *args)
{
    return writable(args, args_text(args, OPTION_OUT, NULL)) && picture_possible(args);
}

bool output_print(const struct args *args, draw_function *print, const void *context)
{
    const char *path = args_text(args, OPTION_OUT, NULL);
    struct outfile file = {0};
    if (!path) {
        print(stdout, context);
        return true;
    }
    bool good = outfile_open(&file, path);
    if (good)
        print(file.stream, context);
    good = good && outfile_finish(&file) && outfile_publish(&file);
    outfile_discard(&file);
    if (!good)
        complain(args, "%s: cannot be written: %s", path, file.error);
    return good;
}

/* --- gnuplot ------------------------------------------------------------------------ */

/* Starts gnuplot, which reads everything written to *input; the picture goes to `drawn`,
   its words to `log`. -1 and errno. gnuplot reads no settings of the user's, has no
   descriptor but these three, and the usual signals. */
static pid_t start_gnuplot(FILE *drawn, FILE *log, FILE **input)
{
    char name[] = "gnuplot", plain[] = "-d", *const argument[] = {name, plain, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t how;
    sigset_t usual;
    int end[2];
    pid_t child;
    if (pipe2(end, O_CLOEXEC) != 0)
        return -1;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(drawn), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(log), STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    errno = posix_spawnp(&child, name, &actions, &how, argument, environ);
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

/* Copies a file; returns its bytes. outfile_finish() says whether they could be
   written. */
static size_t copy(FILE *from, FILE *to)
{
    char block[4096];
    size_t bytes = 0, count;
    rewind(from);
    while ((count = fread(block, 1, sizeof block, from)) > 0)
        bytes += fwrite(block, 1, count, to);
    return bytes;
}

/* Takes the picture that gnuplot has drawn; false: file->error says why there is none. */
static bool take_picture(struct outfile *file, FILE *drawn, FILE *log, int ended)
{
    char said[200], how[60];
    bool well = WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
    if (well && (copy(drawn, file->stream) > 0 || ferror(file->stream)))
        return true;
    snprintf(how, sizeof how, well ? "it drew nothing" : WIFSIGNALED(ended)
             ? "ended by signal %d" : "exit status %d",
             WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended));
    last_line(log, said, sizeof said);
    snprintf(file->error, sizeof file->error, "gnuplot: %s%s%s%s; see that `gnuplot` can "
             "draw SVG (Debian: gnuplot-nox), or leave out --plot", said,
             *said ? " (" : "", how, *said ? ")" : "");
    return false;
}

/* The picture goes by way of files of our own: gnuplot does not say that it could not
   write. */
bool picture_draw(struct outfile *file, draw_function *draw, const void *context)
{
    FILE *drawn = tmpfile(), *log = tmpfile(), *input;
    pid_t gnuplot = drawn && log ? start_gnuplot(drawn, log, &input) : -1;
    int ended;
    bool there = false;
    if (gnuplot >= 0) {
        cleanup_group(gnuplot);
        draw(input, context);
        fclose(input);
        while (waitpid(gnuplot, &ended, 0) < 0 && errno == EINTR)
            continue;
        cleanup_forget_group(gnuplot);
        there = take_picture(file, drawn, log, ended);
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

bool picture_write(const struct args *args, draw_function *draw, const void *context)
{
    const char *path = args_text(args, OPTION_PLOT, NULL);
    struct outfile file = {0};
    bool good = !path || (outfile_open(&file, path) &&
                          picture_draw(&file, draw, context) && outfile_finish(&file) &&
                          outfile_publish(&file));
    if (!good)
        complain(args, "%s: cannot be written: %s", path, file.error);
    outfile_discard(&file);
    return good;
}
