/*
 * test_foreign_examples.c - the programs in verify/foreign/examples do what its README
 * says: each row of its two tables is done again.
 */
#include "checking.h"
#include "sampling.h"

TestSuite(foreign_examples, .init = make_folder, .fini = remove_folder, .timeout = 600);

enum { CELLS = 5, LENGTH = 100 };
typedef char cells[CELLS][LENGTH];

/* The command of an example; where what it needs is not installed, the test is skipped,
   but not in CI. */
static void command_of(const char *solver, char *command, size_t size)
{
    char build[PATH_MAX];
    bool python = strcmp(solver, "saltation.py") == 0;
    snprintf(build, sizeof build, "%s", command_path());
    *strrchr(build, '/') = '\0';
    if (python)
        snprintf(command, size, "%s/verify/foreign/examples/%s", top(), solver);
    else
        snprintf(command, size, "%s/foreign/%s", build, solver);
    if (python ? shell("/usr/bin/python3 -c 'import scipy, sympy'") == 0
               : access(command, X_OK) == 0)
        return;
    if (getenv("CI"))
        cr_assert_fail("%s cannot run: make foreign-programs", solver);
    cr_skip_test("%s cannot run: make foreign-programs", solver);
}

/* "| a | b |" in pieces; how many. */
static int split_row(const char *line, cells cell)
{
    int count = 0;
    for (const char *at = line; *at == '|' && count < CELLS; count++) {
        at += 1 + strspn(at + 1, " ");
        int length = (int)strcspn(at, "|\n"), end = length;
        while (end > 0 && at[end - 1] == ' ')
            end--;
        snprintf(cell[count], LENGTH, "%.*s", end, at);
        at += length;
        if (at[0] == '|' && at[1] == '\n')
            return count + 1;
    }
    return count;
}

/* Calls `row` for each row below a title of the README. */
static int each_row(const char *title, void (*row)(cells cell, const char *command))
{
    char path[PATH_MAX + 60], command[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/verify/foreign/examples/README.md", top());
    char *text = contents(path);
    cr_assert_not_null(text);
    char *line = strstr(text, title);
    cr_assert_not_null(line, "no '%s'", title);
    line = strstr(strstr(line, "\n|---"), "\n| ") + 1;
    char solver[LENGTH] = "";
    int count = 0;
    for (; *line == '|'; line = strchr(line, '\n') + 1, count++) {
        cells cell;
        cr_assert_eq(split_row(line, cell), CELLS, "%.60s", line);
        if (strcmp(solver, cell[1]) != 0)
            command_of(cell[1], command, sizeof command);
        snprintf(solver, sizeof solver, "%s", cell[1]);
        row(cell, command);
    }
    free(text);
    return count;
}

static void ask(const char *name, const char *command)
{
    char arguments[300];
    snprintf(arguments, sizeof arguments, "problem %s -o problem.json", name);
    cr_assert_eq(run_command(arguments), HELD);
    int status = shell("%s < problem.json > answer.csv", command);
    char *err = contents("err");
    cr_assert_eq(status, 0, "%s on %s: exit %d\n%s", command, name, status, err);
    free(err);
}

/* Half a digit is left to other versions of the libraries. In make test the long ones are
   left out. */
static void reaches_its_score(cells cell, const char *command)
{
    char arguments[300];
    const char *name = cell[0];
    if (!in_test_all() && strncmp(name, "five-bar", 8) == 0)
        return;
    ask(name, command);
    snprintf(arguments, sizeof arguments, "check %s answer.csv --digits %.2f", name,
             atof(cell[3]) - 0.5);
    int status = run_command(arguments);
    char *out = contents("out"), *short_ones = strstr(out, "numbers short");
    cr_assert_eq(status, HELD, "%s, %s: %.300s", name, cell[1],
                 short_ones ? short_ones : out);
    const char *row = strstr(out, "certified  ");
    cr_assert(row && atol(row + strlen("certified  ")) == atol(cell[2]),
              "%s, %s: not %s numbers in\n%s", name, cell[1], cell[2], out);
    free(out);
}

static void is_found_out(cells cell, const char *command)
{
    char wrong[2 * PATH_MAX + 40], arguments[300], first[300];
    snprintf(wrong, sizeof wrong, "%s --wrong %s", command, cell[2]);
    ask(cell[0], wrong);
    snprintf(arguments, sizeof arguments, "check %s answer.csv", cell[0]);
    snprintf(first, sizeof first, "numbers short; first at %s, ", cell[4]);
    expect_run(arguments, SHORT, "out", first);
}

Test(foreign_examples, each_reaches_the_score_that_its_readme_shows)
{
    cr_assert_eq(each_row("## The scores", reaches_its_score), 14);
}

Test(foreign_examples, each_mistake_is_found_at_its_event_and_its_number)
{
    cr_assert_eq(each_row("## The same with a mistake", is_found_out), 6);
}

Test(foreign_examples, none_of_them_sees_a_header_of_this_project)
{
    cr_assert_neq(shell("grep -h '#include \"' %s/verify/foreign/examples/*.[ch] | "
                        "grep -v mechanisms.h", top()), 0);
}
