/*
 * ci.c - the files of --junit and --tap (ci.h)
 */
#include "commands/ci.h"

#include "options/file_print.h"

static bool write_junit(FILE *stream, const struct checks *checks)
{
    return report_junit(stream, checks);
}

static bool write_tap(FILE *stream, const struct checks *checks)
{
    report_tap(stream, checks);
    return true;
}

static const struct form {
    enum option_id id;
    bool (*write)(FILE *stream, const struct checks *checks);
} forms[] = {{OPTION_JUNIT, write_junit}, {OPTION_TAP, write_tap}};
enum { FORMS = sizeof forms / sizeof forms[0] };

bool ci_possible(const struct args *args)
{
    for (int k = 0; k < FORMS; k++)
        if (!file_possible(args, args_text(args, forms[k].id, NULL)))
            return false;
    return true;
}

bool ci_wanted(const struct args *args)
{
    for (int k = 0; k < FORMS; k++)
        if (args_has(args, forms[k].id))
            return true;
    return false;
}

static bool write_form(const struct args *args, const struct form *form,
                       const struct checks *checks)
{
    const char *path = args_text(args, form->id, NULL);
    struct outfile file = {0};
    if (!path)
        return true;
    bool good = outfile_open(&file, path) && form->write(file.stream, checks) &&
                outfile_finish(&file) && outfile_publish(&file);
    outfile_discard(&file);
    if (!good)
        complain(args, "%s: cannot be written: %s", path, file.error);
    return good;
}

bool ci_write(const struct args *args, const struct checks *checks)
{
    for (int k = 0; k < FORMS; k++)
        if (!write_form(args, &forms[k], checks))
            return false;
    return true;
}
