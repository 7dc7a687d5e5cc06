#include "commands/picture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An executable of this name in $PATH. */
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

bool picture_draw(const struct outfile *file, draw_function *draw, const void *context)
{
    FILE *gnuplot = popen("gnuplot 2>/dev/null", "w");
    if (!gnuplot)
        return false;
    draw(gnuplot, context, file->direct ? file->path : file->temporary);
    return pclose(gnuplot) == 0;
}
