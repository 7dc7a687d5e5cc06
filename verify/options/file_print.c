/*
 * file_print.c - a file of a command, from opening to publishing (file_print.h)
 */
#include "options/file_print.h"

bool file_possible(const struct args *args, const char *path)
{
    char error[200];
    if (!path || outfile_possible(path, error, sizeof error))
        return true;
    complain(args, "%s: cannot be written: %s", path, error);
    return false;
}

bool file_print(const struct args *args, const char *path, print_function *print,
                const void *context)
{
    char error[400];
    if (outfile_print(path, print, context, error, sizeof error))
        return true;
    complain(args, "%s: cannot be written: %s", path, error);
    return false;
}

bool output_print(const struct args *args, print_function *print, const void *context)
{
    const char *path = args_text(args, OPTION_OUT, NULL);
    if (path)
        return file_print(args, path, print, context);
    print(stdout, context);
    return true;
}
