/*
 * test_check.c - `saltus check`: files of other programs, good and bad.
 */
#include <sys/resource.h>

#include "checking.h"
#include "sampling.h"

TestSuite(check, .init = make_folder, .fini = remove_folder, .timeout = 600);

/* --- files -------------------------------------------------------------------------- */

/* Leaves `changed` in the folder: what awk makes of `whole`. */
static void change(const char *awk)
{
    cr_assert_eq(shell("awk -F, -v OFS=, '%s' whole > changed", awk), 0);
}

static void expect_outputs(const char *arguments, int status, const char *const *text)
{
    int got = run_command(arguments);
    char *out = contents("out"), *err = contents("err");
    cr_assert_eq(got, status, "saltus %s: exit %d\n%s%s", arguments, got, out, err);
    cr_assert_str_empty(err, "saltus %s: %s", arguments, err);
    for (int k = 0; text[k]; k++)
        cr_assert_not_null(strstr(out, text[k]), "saltus %s: no '%s' in\n%s", arguments,
                           text[k], out);
    free(out);
    free(err);
}

/* The times of `saltus problem ARGUMENTS`, one a line, in the file `times`. */
static void write_times(const char *arguments)
{
    char line[200];
    snprintf(line, sizeof line, "problem %s -o p.json", arguments);
    cr_assert_eq(run_command(line), HELD);
    cr_assert_eq(shell("tr -d ' \\t\\n' < p.json | tr , '\\n' > lines; sed -n "
                       "'/\"samples\":/,/]/ { s/.*\\[//; s/].*//; p; }' lines > times"),
                 0);
}

/* --- good files --------------------------------------------------------------------- */

Test(check, a_right_answer_is_held_in_one_file_in_two_or_from_a_pipe)
{
    write_answer();
    const char *const all[] = {"9 samples, 3 events", "judged by: certified",
                               "2 rows passed, 0 failed, 0 skipped; 936 numbers compared",
                               "dv.y/dy_ground", "dz.speed/de", NULL};
    expect_outputs("check bouncing-ball x.csv", HELD, all);
    expect_outputs("check bouncing-ball whole", HELD, all);
    cr_assert_eq(shell("mv x.events.csv e.csv"), 0);
    expect_outputs("check bouncing-ball x.csv e.csv", HELD, all);
    const char *const no_events[] = {"not given: events", "540 numbers", NULL};
    expect_outputs("check bouncing-ball x.csv", HELD, no_events);
    cr_assert_eq(shell("mv whole out.whole"), 0);
    expect_outputs("check bouncing-ball - --digits 13 < out.whole", HELD, all);
    expect_run("check bouncing-ball out.whole --digits 15", SHORT, "out",
               "0 rows passed, 2 failed");
}

Test(check, columns_may_be_in_any_order_missing_or_too_many_and_are_listed)
{
    write_answer();
    cr_assert_eq(shell("awk -F, -v OFS=, '{ a = $2; $2 = $1; $1 = a; "
                       "print $0, NR == 1 ? \"weight\" : \"7\" }' x.csv > swapped"), 0);
    const char *const ignored[] = {"1 column that is not known is ignored",
                                   "not given: events", "540 numbers", NULL};
    expect_outputs("check bouncing-ball swapped", HELD, ignored);

    write_narrow_answer();
    const char *const few[] = {"not given: v.y a.y z.height", "dt/de", "q.y (events)",
                               "dt/dg", NULL};
    expect_outputs("check bouncing-ball narrow", HELD, few);
}

Test(check, the_motion_of_a_formulation_is_judged_by_its_own_truth)
{
    cr_assert_eq(run_command("run pendulum-wall --formulation penalty --rtol 1e-11 "
                             "--points 9 -o x.csv"), HELD);
    const char *const held[] = {"1 row passed", NULL};
    expect_outputs("check pendulum-wall x.csv --formulation penalty", HELD, held);
    expect_run("check pendulum-wall x.csv", SHORT, "out", "FAIL");
    expect_complaint("check pendulum-wall x.csv --opt alpha=1e5", USAGE, "--formulation");
}

Test(check, one_wrong_sign_in_one_column_at_one_event_is_named)
{
    write_answer();
    change("/^event,/ { for (i = 1; i <= NF; i++) if ($i == \"dv.y/dg\") c = i } "
           "c && $1 == 2 && /after/ { $c = -$c } { print }");
    const char *const said[] = {"1 of 468 numbers short; first at event 2: dv.y/dg after",
                                "  SHORT", "0 rows passed", NULL};
    expect_outputs("check bouncing-ball changed --json x.json", SHORT, said);
    char *json = contents("x.json");
    cr_assert_not_null(strstr(json, "\"quantity\":\"after.2.dv.y/dg\""));
    cr_assert_not_null(strstr(json, "\"pass\":false"));
    free(json);
}

Test(check, another_number_of_events_falls_short_and_says_so)
{
    write_answer();
    change("$1 == 3 && /(before|after)/ { next } { print }");
    const char *const said[] = {"2 events; the certified motion has 3", NULL};
    expect_outputs("check bouncing-ball changed", SHORT, said);
}

static double seconds_of_children(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Slow: 10^6 lines of 10 columns, judged at 9 times or asked for at all of them. Seconds
   are those of the processor: a wall clock tells what else a machine does. */
Test(check, a_million_lines_are_judged_in_two_seconds)
{
    if (!in_test_all())
        return;
    static const char *const options[] = {"", "--points 1000000"};
    write_answer();
    write_times("bouncing-ball --points 1000000");
    cr_assert_eq(shell("cut -d, -f1-10 x.csv > few; "
                       "awk -F, -v values=,-2.345678901234567e-05,"
                       "1.2345678901234567,3456.789012345678,4.567890123456789,"
                       "56.78901234567890,-678.9012345678901,7.890123456789012e+01,"
                       "0.8901234567890123,9 "
                       "'FNR == NR { if (FNR == 1) print; line[$1] = $0; next } "
                       "{ print $1 in line ? line[$1] : $1 values }' few times > m.csv"),
                 0);
    for (int k = 0; k < 2; k++) {
        char arguments[100];
        const char *const said[] = {"0 failed", NULL};
        snprintf(arguments, sizeof arguments, "check bouncing-ball m.csv %s", options[k]);
        double seconds = -seconds_of_children();
        expect_outputs(arguments, HELD, said);
        seconds += seconds_of_children();
        cr_log_info("%s: %.2f s", arguments, seconds);
        cr_assert_lt(seconds, 2);
    }
}

/* --- bad files ---------------------------------------------------------------------- */

Test(check, what_is_wrong_with_a_file_is_one_line_with_its_place)
{
    static const struct { const char *make, *says; } files[] = {
        {": > bad", "bad: it is empty"},
        {"rm -f bad; mkdir -p bad", "bad: Is a directory"},
        {"rm -rf bad", "bad: No such file"},
        {"{ head -n 3 whole; sed -n 4p whole | cut -d, -f -17 | tr -d '\\n'; } > bad",
         "line 4: it is cut off after 17 of 31 fields"},
        {"head -n 6 whole > bad", "line 7: the samples end after 5 of 9 times; the next "
                                  "would be t = 9.375"},
        {"head -n 13 whole > bad", "line 14: event 1 has no line `after`"},
        {"head -n 10 whole > bad; echo '# events' >> bad", "the header of the events is"},
        {"sed 4d whole > bad", "line 4, column t: 5.625, but no line for the time 3.75"},
        {"sed '4{h;d}; 5{p;x}' whole > bad", "line 4, column t: 5.625, but no line for"},
        {"sed 4p whole > bad", "line 5, column t: 3.75 after 3.75; times must increase"},
        {"sed '3s/,[^,]*/,nan/2' whole > bad", "line 3, column v.y: 'nan' is not a fin"},
        {"sed -E 's/,-?[0-9.]+e?[-0-9]*/,nan/g' whole > bad", "line 2, column q.y: 'nan"},
        {"sed '1s/v.y/q.y/' whole > bad", "line 1: column 'q.y' is there twice"},
        {"sed '1s/^t,/time,/' whole > bad", "line 1: there is no column t"},
        {"sed '3s/,[^,]*//2' whole > bad", "line 3: 30 fields; the header has 31 c"},
        {"sed '3s/,/;/3' whole > bad", "column v.y: '"},
        {"head -c 3000 /dev/zero > bad", "line 1: a zero byte stands there"},
        {"cp /bin/sh bad", "a zero byte stands there"},
        {"head -c 3000 /dev/urandom | tr '\\0' x > bad", "bad: line 1"},
        {"{ head -n 2 whole; head -c 1000000 /dev/zero | tr '\\0' 7; echo; } > bad",
         "line 3, column t: '7777777777777777777777777777777777777777' is larger than"},
        {"{ echo t,q.y; head -c 1000000 /dev/zero | tr '\\0' ,; } > bad", "column t: no"},
        {"{ cat whole; echo '# more'; } > bad", "a further section; the events are the"},
        {"sed 's/# events/# even/' whole > bad", "'# even' is no line of numbers"},
        {"sed 's/,before,/,after,/' whole > bad", "column side: 'after'; the next line"},
        {"sed '13s/impact/floor/' whole > bad", "line 14, column name: 'impact' after"},
        {"cp x.events.csv bad", "line 2, column t: 3.19"},
    };
    write_answer();
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        shell("rm -rf bad");
        cr_assert_eq(shell("%s", files[k].make), 0, "%s", files[k].make);
        expect_complaint("check bouncing-ball bad", USAGE, files[k].says);
    }
}

Test(check, what_is_asked_for_wrongly_is_one_line)
{
    static const struct { const char *arguments, *says; } wrong[] = {
        {"check bouncing-ball", "usage: saltus check"},
        {"check nonesuch x.csv", "no case nonesuch"},
        {"check bouncing-ball whole x.events.csv", "has events of its own"},
        {"check bouncing-ball x.csv whole", "there is no column event"},
        {"check bouncing-ball x.csv --digits 0", "--digits"},
        {"check bouncing-ball x.csv --points 0", "--points"},
        {"check bouncing-ball x.csv --points 100", "is not the time that is asked for"},
        {"check bouncing-ball x.csv --formulation nonesuch", "nonesuch"},
        {"check bouncing-ball x.csv --opt alpha=1", "--opt"},
        {"check bouncing-ball x.csv --json none/x.json", "cannot be written"},
        {"check two-link x.csv", "no line for the time"},
    };
    write_answer();
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        expect_complaint(wrong[k].arguments, USAGE, wrong[k].says);
}

Test(check, a_table_of_times_alone_has_nothing_that_could_hold)
{
    write_times("bouncing-ball");
    cr_assert_eq(shell("{ echo t; cat times; } > bare"), 0);
    expect_run("check bouncing-ball bare", SHORT, "out", "no column that was asked for");
}

/* cradle: two guards at one time, whose order matters. */
Test(check, where_a_refusal_is_certified_no_answer_can_be_right)
{
    write_times("cradle");
    cr_assert_eq(shell("{ echo t; cat times; } > bare"), 0);
    expect_complaint("check cradle bare", NO_ANSWER, "simultaneous at t = 0.613");
}

Test(check, without_certified_values_nothing_is_judged)
{
    cr_assert_eq(run_command("run five-bar --points 9 -o x.csv"), HELD);
    setenv("SALTUS_VALUES", "/nonesuch", 1);
    expect_complaint("check five-bar x.csv", USAGE, "no certified values: saltus");
    unsetenv("SALTUS_VALUES");
}
