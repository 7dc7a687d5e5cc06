/*
 * picture.c - the files of --output and --plot (picture.h)
 */
#include "commands/picture.h"

#include <string.h>

/* The file of --keep-script: x.gnuplot beside x.svg; NULL: none is asked for. */
static const char *script_path(const struct args *args, char *script, int size)
{
    const char *path = args_text(args, OPTION_PLOT, NULL);
    struct destination known;
    if (!path || !args_has(args, OPTION_KEEP_SCRIPT) ||
        !destination_find(&known, path) || known.kind != DESTINATION_PLAIN)
        return NULL;
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int stem = (int)(dot ? (size_t)(dot - path) : strlen(path));
    snprintf(script, (size_t)size, "%.*s.gnuplot", stem, path);
    return script;
}

static bool script_possible(const struct args *args)
{
    char script[PATH_MAX + 16];
    if (!args_has(args, OPTION_KEEP_SCRIPT))
        return true;
    if (!args_has(args, OPTION_PLOT)) {
        complain(args, "--keep-script keeps the commands of --plot; give --plot FILE");
        return false;
    }
    const char *path = script_path(args, script, sizeof script);
    const char *other = args_text(args, OPTION_OUT, NULL);
    if (path && other && destinations_same(path, other)) {
        complain(args, "--output %s: the commands of --keep-script are written there; "
                 "give another", other);
        return false;
    }
    return !path ||
           (args_keep_inputs(args, OPTION_PLOT, path) && file_possible(args, path));
}

bool picture_possible(const struct args *args)
{
    enum picture_format format;
    const char *path = args_text(args, OPTION_PLOT, NULL);
    if (path && !picture_format_of(path, &format)) {
        complain(args, "--plot %s: pictures are SVG or PDF, not %s; name the file .svg "
                 "or .pdf", path, strrchr(path, '.'));
        return false;
    }
    if (!file_possible(args, path) || !script_possible(args))
        return false;
    if (path && !gnuplot_found()) {
        complain(args, "--plot needs gnuplot, which is not in PATH; on Debian: "
                 "apt-get install gnuplot-nox");
        return false;
    }
    return true;
}

bool outputs_possible(const struct args *args)
{
    return file_possible(args, args_text(args, OPTION_OUT, NULL)) &&
           picture_possible(args);
}

/* --- a picture ---------------------------------------------------------------------- */

bool picture_fill(const struct args *args, const struct drawing *drawing,
                  struct picture_files *files)
{
    char script[PATH_MAX + 16];
    enum picture_format format;
    const char *path = args_text(args, OPTION_PLOT, NULL);
    if (!path)
        return true;
    picture_format_of(path, &format);
    if (!outfile_open(&files->picture, path) ||
        !gnuplot_draw(&files->picture, format, drawing) ||
        !outfile_finish(&files->picture))
        return false;
    const char *kept = script_path(args, script, sizeof script);
    if (!kept)
        return true;
    if (!outfile_open(&files->script, kept))
        return false;
    gnuplot_script(files->script.stream, path, format, drawing);
    return outfile_finish(&files->script);
}

bool picture_publish(struct picture_files *files)
{
    return (!files->picture.path[0] || outfile_publish(&files->picture)) &&
           (!files->script.path[0] || outfile_publish(&files->script));
}

void picture_discard(struct picture_files *files)
{
    outfile_discard(&files->picture);
    outfile_discard(&files->script);
}

void picture_error(const struct picture_files *files, char *error, int size)
{
    const struct outfile *failed =
        files->picture.error[0] ? &files->picture : &files->script;
    snprintf(error, (size_t)size, "%s: cannot be written: %s", failed->path,
             failed->error);
}

bool picture_write(const struct args *args, const struct drawing *drawing)
{
    struct picture_files files = {0};
    bool good = picture_fill(args, drawing, &files) && picture_publish(&files);
    if (!good) {
        char error[PICTURE_ERROR];
        picture_error(&files, error, sizeof error);
        complain(args, "%s", error);
    }
    picture_discard(&files);
    return good;
}
