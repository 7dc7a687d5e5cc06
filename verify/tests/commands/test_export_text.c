/*
 * test_export_text.c - the text of `saltus export`: its lines and numbers, the
 * conventions that its header states, and the command.
 */
#include "exporting.h"

TestSuite(export_text, .init = make_folder, .fini = remove_folder, .timeout = 300);

/* --- the text ----------------------------------------------------------------------- */

static int count_of(const char *text, const char *what)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what))
        count++;
    return count;
}

/* Without Julia this much can be read off: a function for each, which ends, and no sign
   or word of another language. */
Test(export_text, the_text_for_julia_looks_as_it_should)
{
    const char *const name[] = {"pendulum-wall", "five-bar-events", "chaplygin-sleigh"};
    for (int c = 0; c < 3; c++) {
        struct exporting e = exporting_open(case_find(name[c]));
        char *text = export_text(e.model, language_find("julia"));
        cr_expect_eq(count_of(text, "\nfunction "), e.functions.count);
        cr_expect_eq(count_of(text, "\nend\n"), e.functions.count);
        cr_expect_eq(count_of(text, "    return "), e.functions.count);
        cr_expect_null(strstr(text, "**"));
        cr_expect_null(strstr(text, ";\n"));
        cr_expect_null(strstr(text, "q[0]"));
        cr_expect_null(strstr(text, "atan2"));
        cr_expect_null(strstr(text, "pow("));
        free(text);
        exporting_close(&e);
    }
}

/* No operation has two integers, 1/2 least of all, whatever a language makes of it. */
Test(export_text, no_constant_of_a_quotient_is_an_integer)
{
    for (int c = 0; catalogue[c]; c++) {
        struct diagnosis diagnosis;
        struct model *model = case_is_refused(catalogue[c])
                                  ? NULL : model_new(catalogue[c], &diagnosis);
        for (int k = 0; model && languages[k]; k++) {
            char *text = export_text(model, languages[k]), *line, *rest = text;
            while ((line = strsep(&rest, "\n")) != NULL) {
                bool code = strncmp(line, languages[k]->comment, 1) != 0;
                char *at = code ? strchr(line, '/') : NULL;
                for (; at && at[1] >= '0' && at[1] <= '9'; at = strchr(at + 1, '/'))
                    cr_assert_eq(at[1 + strspn(at + 1, "0123456789")], '.', "%s: %s",
                                 model->desc->name, line);
            }
            free(text);
        }
        model_free(model);
    }
}

Test(export_text, lines_have_at_most_a_hundred_columns)
{
    for (int c = 0; catalogue[c]; c++) {
        struct diagnosis diagnosis;
        struct model *model = case_is_refused(catalogue[c])
                                  ? NULL : model_new(catalogue[c], &diagnosis);
        for (int k = 0; model && languages[k]; k++) {
            char *text = export_text(model, languages[k]), *line, *rest = text;
            while ((line = strsep(&rest, "\n")) != NULL)
                cr_expect_leq(strlen(line), 100, "%s: %s", model->desc->name, line);
            free(text);
        }
        model_free(model);
    }
}

/* --- the conventions ---------------------------------------------------------------- */

/* The number in the last line of run.csv under that name; NAN: there is none. */
static double last_of_run(const char *name)
{
    char *text = contents("run.csv"), *rest = text, *line, *last = NULL;
    char *names = strsep(&rest, "\n"), *word, *number;
    double value = NAN;
    while ((line = strsep(&rest, "\n")) != NULL)
        last = *line ? line : last;
    while ((word = strsep(&names, ",")) != NULL && (number = strsep(&last, ",")) != NULL)
        if (strcmp(word, name) == 0)
            value = atof(number);
    free(text);
    return value;
}

/* Follows the motion of the module m.py; how far its end is from that of run.csv,
   relative to each number, at most. */
static double gap_of_motion(int *compared)
{
    char *rest, name[80];
    double worst = 0, value;
    int status = shell("python3 -I -B '%s/verify/export/examples/follow.py' m.py 2000",
                       top()), length;
    char *err = contents("err"), *out = contents("out");
    cr_assert_eq(status, 0, "%s", err);
    *compared = 0;
    for (rest = out; sscanf(rest, "%79s %lf%n", name, &value, &length) == 2;
         rest += length) {
        double want = last_of_run(name);
        if (isnan(want))
            continue;
        worst = fmax(worst, fabs(value - want) / fmax(fabs(want), 0.01));
        ++*compared;
    }
    free(out);
    free(err);
    return worst;
}

static void run_both(const char *name)
{
    char arguments[200];
    snprintf(arguments, sizeof arguments, "export %s --to python -o m.py", name);
    cr_assert_eq(run_command(arguments), HELD);
    snprintf(arguments, sizeof arguments,
             "run %s --points 2 --rtol 1e-11 --sens none -o run.csv", name);
    cr_assert_eq(run_command(arguments), HELD);
}

/* An explicit reset, one by a system, one with an impulse, one of a constraint at
   velocity level, states alone. */
Test(export_text, a_program_that_knows_its_header_alone_finds_the_motion_and_its_events)
{
    static const struct { const char *name; int numbers; } one[] = {
        {"bouncing-ball", 5}, {"pendulum-wall", 7}, {"rope-catch", 7},
        {"chaplygin-sleigh", 9}, {"stick-slip-impact", 8}};
    for (int k = 0; k < 5; k++) {
        int compared;
        run_both(one[k].name);
        double gap = gap_of_motion(&compared);
        cr_expect_lt(gap, 1e-6, "%s: %g", one[k].name, gap);
        cr_expect_eq(compared, one[k].numbers, "%s: %d", one[k].name, compared);
    }
}

Test(export_text, that_program_finds_another_motion_with_another_sign)
{
    static const char *const change[] = {
        "/swing_gamma(/,/return/ s/] = 1/] = -1/", "/wall_reset_b(/,/return/ s/= -e/= e/",
        "s/EVENT_DIRECTION = \\[-1\\]/EVENT_DIRECTION = [1]/"};
    for (int k = 0; k < 3; k++) {
        int compared;
        run_both("pendulum-wall");
        cr_assert_eq(shell("cp m.py kept.py; sed -i '%s' m.py; ! cmp -s m.py kept.py",
                           change[k]), 0, "%s changes nothing", change[k]);
        cr_expect_gt(gap_of_motion(&compared), 1e-3, "%s", change[k]);
    }
}

/* --- the command -------------------------------------------------------------------- */

Test(export_text, the_command_writes_to_a_file_what_it_prints_and_twice_the_same)
{
    cr_assert_eq(run_command("export five-bar --to python -o one.py"), HELD);
    cr_assert_eq(run_command("export five-bar --to python"), HELD);
    cr_assert_eq(shell("cat one.py > one; LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 "
                       "'%s' export five-bar --to=python -o two.py", command_path()), 0);
    expect_same_files("one.py", "two.py", "in another locale");
    cr_assert_eq(shell("'%s' export five-bar --to python | cmp - one.py",
                       command_path()), 0);
    cr_assert_eq(shell("python3 -I one.py"), 0);
}

Test(export_text, the_reset_policy_is_that_of_the_option_and_stands_in_the_text)
{
    const char *name = "rope-catch";
    char arguments[200];
    snprintf(arguments, sizeof arguments, "export %s --to c --reset continuous", name);
    expect_run(arguments, HELD, "out", "--to c --reset continuous;");
    snprintf(arguments, sizeof arguments, "export %s --to c", name);
    cr_assert_eq(run_command(arguments), HELD);
}

Test(export_text, a_language_that_there_is_not_is_refused_with_those_that_there_are)
{
    expect_complaint("export five-bar --to fortran", USAGE,
                     "no language fortran; known: c, octave, python, julia");
    expect_complaint("export five-bar --to pyhton", USAGE, "did you mean python?");
    expect_complaint("export five-bar", USAGE,
                     "--to is missing, the language; known: c, octave, python, julia");
    expect_complaint("export fife-bar --to c", USAGE, "did you mean five-bar");
    expect_complaint("export five-bar --to c -o no/such/folder", USAGE, "no/such/folder");
    expect_run("export --help", HELD, "out", "--to LANGUAGE         c, octave, python");
}
