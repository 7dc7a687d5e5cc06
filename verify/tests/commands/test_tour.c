/*
 * test_tour.c - the tours of CONTRIBUTING.md stop at functions that exist, and every path
 * that a README names is there.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <ftw.h>
#include <stdbool.h>
#include <unistd.h>

#include "running.h"

/* Is the function defined in the text? Its name stands in a line that begins with a word,
   is followed by a parenthesis, and no semicolon ends the declaration before a brace. */
static bool defines(const char *text, const char *function)
{
    size_t length = strlen(function);
    for (const char *at = strstr(text, function); at; at = strstr(at + 1, function)) {
        const char *line = at;
        if (at[length] != '(' || (at > text && (isalnum((unsigned char)at[-1]) ||
                                                at[-1] == '_')))
            continue;
        while (line > text && line[-1] != '\n')
            line--;
        const char *end = at + strcspn(at, ";{");
        if (isalpha((unsigned char)*line) && *end == '{')
            return true;
    }
    return false;
}

/* Reads "| `FILE` `FUNCTION` |" at the beginning of a line. */
static bool read_stop(const char *line, char file[200], char function[100])
{
    return sscanf(line, "| `%199[^`]` `%99[^`]` |", file, function) == 2;
}

Test(tour, every_stop_is_a_function_of_its_file)
{
    char path[PATH_MAX + 300], file[200], function[100];
    int stops = 0, tours = 0;
    snprintf(path, sizeof path, "%s/CONTRIBUTING.md", top());
    char *tour = contents(path);
    cr_assert_not_null(tour);
    for (char *line = strtok(tour, "\n"); line; line = strtok(NULL, "\n")) {
        tours += strncmp(line, "### Follow one ", 15) == 0;
        if (!read_stop(line, file, function))
            continue;
        snprintf(path, sizeof path, "%s/%s", top(), file);
        char *text = contents(path);
        cr_expect_not_null(text, "no file %s", file);
        if (text)
            cr_expect(defines(text, function), "%s does not define %s", file, function);
        free(text);
        stops++;
    }
    cr_expect_eq(tours, 3);
    cr_expect_geq(stops, 36);
    free(tour);
}

Test(tour, a_stop_that_is_gone_is_noticed)
{
    const char text[] = "int used(void);\nstatic int made(int a,\n    int b)\n{\n"
                        "    return used() + remade(b);\n}\n";
    cr_expect(defines(text, "made"));
    cr_expect_not(defines(text, "used"));
    cr_expect_not(defines(text, "remade"));
    cr_expect_not(defines(text, "mad"));
}

/* --- names of files in the pages ---------------------------------------------------- */

static char *tree;              /* all paths of the tree, a line each */
static FILE *tree_stream;

static int note_path(const char *path, const struct stat *stat, int flag, struct FTW *at)
{
    (void)stat;
    const char *name = path + at->base;
    bool built = at->level == 1 && (strncmp(name, "build", 5) == 0 || *name == '.');
    if (flag == FTW_F)
        fprintf(tree_stream, "%s\n", path);
    return flag == FTW_D && built ? FTW_SKIP_SUBTREE : FTW_CONTINUE;
}

static void read_tree(void)
{
    size_t size;
    tree_stream = open_memstream(&tree, &size);
    cr_assert_eq(nftw(top(), note_path, 16, FTW_ACTIONRETVAL | FTW_PHYS), 0);
    fclose(tree_stream);
}

static bool in_tree(const char *name)
{
    char ending[300];
    snprintf(ending, sizeof ending, "/%s\n", name);
    return strstr(tree, ending) != NULL;
}

/* A name of a file of the tree: small letters, digits, '_', '-', '/', and one of the
   endings of its sources and pages. */
static bool is_file_name(const char *text)
{
    static const char *const endings[] = {".c", ".h", ".def", ".md"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-/.";
    const char *dot = strrchr(text, '.');
    if (!dot || dot == text || text[strspn(text, letters)])
        return false;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        if (strcmp(dot, endings[k]) == 0)
            return text[0] != '/' && text[0] != '.';
    return false;
}

/* Names between backquotes; examples of a user's own files are none of the tree. */
static int check_page(const char *page)
{
    static const char *const own[] = {"mine.c", "cases/x.c"};
    char path[PATH_MAX + 300];
    int names = 0;
    snprintf(path, sizeof path, "%s/%s", top(), page);
    char *text = contents(path), *rest = text;
    cr_assert_not_null(text, "no page %s", page);
    for (char *name = strtok_r(text, "`", &rest); name;
         name = strtok_r(NULL, "`", &rest)) {
        bool users = !is_file_name(name);
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            users = users || strcmp(name, own[k]) == 0;
        if (users)
            continue;
        cr_expect(in_tree(name), "%s names %s, which is not in the tree", page, name);
        names++;
    }
    free(text);
    return names;
}

Test(tour, every_file_that_a_page_names_is_in_the_tree)
{
    static const char *const pages[] = {
        "README.md", "CONTRIBUTING.md", "cases/README.md", "formulations/README.md",
        "reference/README.md", "verify/README.md", "bench/README.md",
        "verify/random/README.md", "verify/foreign/examples/README.md",
        "verify/papers/README.md", "verify/sweep/README.md", "verify/optimise/README.md",
        "formulations/adjoint/README.md", "formulations/orbits/README.md",
    };
    int names = 0;
    read_tree();
    cr_expect(in_tree("verify/README.md"));
    cr_expect_not(in_tree("verify/READYOU.md"));
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++)
        names += check_page(pages[k]);
    cr_expect_geq(names, 150);
    free(tree);
}
