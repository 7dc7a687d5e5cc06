/*
 * test_sweep.c - `saltus sweep` as a user meets it: what is in its rows, and requests
 * that are refused.
 */
#include <math.h>

#include "sweeping.h"

TestSuite(sweep, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* --- rows --------------------------------------------------------------------------- */

/* The n-th line, from 0, of those that do not begin with '#'. */
static char *table_line(const char *file, int n)
{
    char *text = contents(file), *line = text;
    cr_assert_not_null(text);
    for (; *line == '#' || n-- > 0; line = strchr(line, '\n') + 1)
        cr_assert_not_null(strchr(line, '\n'));
    char *copy = strndup(line, strcspn(line, "\n"));
    free(text);
    return copy;
}

/* But for the last digits: equations of runs beside each other are arranged otherwise
   (run.h). */
static bool has_number(const char *row, double number)
{
    for (const char *text = row; text; text = strchr(text, ',')) {
        text += *text == ',';
        if (fabs(strtod(text, NULL) - number) <= 1e-10 * fabs(number))
            return true;
    }
    return false;
}

/* Rows and the end of the run with derivatives by these: as text if `same`. The groups
   are in another order: each number of the run is in the row. */
static void expect_end_of_run(const char *parameters, bool same)
{
    char sweep[200], alone[200];
    const char *file = same ? "same.csv" : "near.csv";
    snprintf(sweep, sizeof sweep, "sweep five-bar --grid L01=2:2.5:5 --set e=0.8 "
             "--sens %s --columns q,v,a,lambda,z -o %s", parameters, file);
    snprintf(alone, sizeof alone, "run five-bar --set L01=2.25 --set e=0.8 --sens %s "
             "--points 2 -o r.csv", parameters);
    cr_assert_eq(run_command(sweep), HELD);
    char *names = table_line(file, 0), *row = table_line(file, 3);
    cr_assert_eq(run_command(alone), HELD);
    char *run = contents("r.csv");
    char *last = strstr(strchr(run, '\n') + 1, "\n5,") + 3;
    last[strcspn(last, "\n")] = '\0';
    cr_expect_eq(strncmp(names, "index,L01,status,t,events,first_event,last_event,steps,"
                         "q.x1,", 60), 0, "%s", names);
    cr_expect_eq(strncmp(row, "2,2.25,ok,5,", 12), 0, "%s", row);
    for (char *number = strtok(last, ","); number; number = strtok(NULL, ","))
        cr_expect(same ? strstr(row, number) != NULL
                       : has_number(row, strtod(number, NULL)), "%s is not in %s", number,
                  row);
    free(names);
    free(row);
    free(run);
}

Test(sweep, a_row_is_the_end_of_the_run_with_its_values)
{
    expect_end_of_run("L01", true);
    expect_end_of_run("L01,e", false);
}

Test(sweep, columns_are_what_is_asked_for_in_that_order)
{
    cr_assert_eq(run_command("sweep bouncing-ball --grid e=0.7:0.8:2 --sens e --columns "
                             "event.2.t,dq.y/de,psi.height,event.2.dt/de,event.99.t "
                             "-o s.csv"), HELD);
    char *names = table_line("s.csv", 0), *row = table_line("s.csv", 2);
    cr_expect_str_eq(strstr(names, "steps,"),
                     "steps,event.2.t,dq.y/de,psi.height,event.2.dt/de,event.99.t");
    /* falls from 50 m, is back after another 2 e times that: t_2 = (1 + 2 e) t_1 */
    double t1, t2, dt2;
    cr_assert_eq(sscanf(row, "1,%*[^,],ok,15,%*d,%lf,%*f,%*d,%lf,%*f,%*f,%lf,nan", &t1,
                        &t2, &dt2), 3, "%s", row);
    cr_expect_float_eq(t1, sqrt(2 * 50 / 9.8), 1e-12);
    cr_expect_float_eq(t2, (1 + 2 * 0.8) * t1, 1e-10);
    cr_expect_float_eq(dt2, 2 * t1, 1e-9);
    cr_expect_str_eq(row + strlen(row) - 4, ",nan");
    free(names);
    free(row);
}

Test(sweep, a_refused_trajectory_is_a_row_and_counted)
{
    cr_assert_eq(run_command("sweep bouncing-ball --grid e=0.5:0.9:3"), HELD);
    char *out = contents("out"), *err = last_line("err");
    cr_expect_not_null(strstr(out, "\n0,0.5,zeno,9.58"), "%s", out);
    cr_expect_not_null(strstr(out, "nan,nan,nan,nan\n1,"), "%s", out);
    cr_expect_not_null(strstr(out, ",ok,15,"), "%s", out);
    cr_expect_str_eq(err, "saltus sweep: 3 trajectories: 2 ok, 1 zeno\n");
    free(out);
    free(err);
}

/* Another limit is another table: rows of one are not taken up by the other. */
Test(sweep, limits_of_a_run_are_limits_of_each_row)
{
    static const char sweep[] = "sweep bouncing-ball --grid e=0.7:0.9:2 -o";
    char arguments[200];
    snprintf(arguments, sizeof arguments, "%s x.csv --max-events 2", sweep);
    cr_assert_eq(run_command(arguments), HELD);
    char *row = table_line("x.csv", 1), *text = contents("x.csv");
    cr_expect_not_null(strstr(row, ",too-many-events,"), "%s", row);
    cr_expect_not_null(strstr(text, "\n# max-events=2\n"), "%s", text);
    snprintf(arguments, sizeof arguments, "%s x.csv --max-events 3", sweep);
    expect_complaint(arguments, USAGE, "x.csv");
    snprintf(arguments, sizeof arguments, "%s y.csv --max-steps 3", sweep);
    cr_assert_eq(run_command(arguments), HELD);
    free(row);
    row = table_line("y.csv", 1);
    cr_expect_not_null(strstr(row, ",too-many-steps,"), "%s", row);
    free(row);
    free(text);
}

Test(sweep, a_terminal_event_is_the_end_of_its_row)
{
    cr_assert_eq(run_command("sweep stone-throw --grid speed=10:20:3 -o s.csv"), HELD);
    char *row = table_line("s.csv", 2);
    double t, last;
    cr_assert_eq(sscanf(row, "1,15,ok,%lf,1,%*f,%lf,", &t, &last), 2, "%s", row);
    cr_expect(t >= last && t <= last && t > 0, "%s", row);
    free(row);
}

/* psi = x/(t - t_throw) at an end that moves with the speed. */
Test(sweep, the_gradient_of_a_cost_is_its_difference_quotient)
{
    double psi[3], gradient[3], h = 1e-3;
    cr_assert_eq(run_command("sweep stone-throw --grid speed=14.999:15.001:3 "
                             "--sens speed --columns psi.pace,dpsi.pace/dspeed -o s.csv"),
                 HELD);
    for (int k = 0; k < 3; k++) {
        char *row = table_line("s.csv", 1 + k);
        cr_assert_eq(sscanf(row, "%*d,%*f,ok,%*f,1,%*f,%*f,%*d,%lf,%lf", &psi[k],
                            &gradient[k]), 2, "%s", row);
        free(row);
    }
    /* the third derivative is about gradient/speed^2: h^2 of it, and 1e-11 psi/h */
    cr_expect_float_eq((psi[2] - psi[0]) / (2 * h), gradient[1], 1e-6, "%.9g, not %.9g",
                       (psi[2] - psi[0]) / (2 * h), gradient[1]);
    cr_expect(fabs(gradient[1]) > 0.1);
}

Test(sweep, the_bytes_do_not_depend_on_threads)
{
    cr_assert_eq(run_command(BALLS " -o one.csv -j 1"), HELD);
    cr_assert_eq(run_command(BALLS " -o five.csv -j 5"), HELD);
    expect_same_files("one.csv", "five.csv", "five threads");
    cr_assert_eq(run_command(BALLS), HELD);
    expect_same_files("one.csv", "out", "standard output");
}

/* Trajectories in lanes of vectors are what they are one after the other: among them some
   that are refused, and more than one batch. */
Test(sweep, the_bytes_do_not_depend_on_lanes)
{
#define BARS "sweep five-bar -f penalty --sens L01,L02 --rtol 1e-7 --t-end 1.5 -j 1 " \
             "--columns q,v,psi,event.1.t --grid L01=1.8:2.6:14 --grid L02=2:2.3:5 "
    setenv("SALTUS_CODE", "always", 1);
    cr_assert_eq(run_command(BARS "-o lanes.csv"), HELD);
    setenv("SALTUS_LANES", "1", 1);
    cr_assert_eq(run_command(BARS "-o single.csv"), HELD);
    setenv("SALTUS_CODE", "never", 1);
    cr_assert_eq(run_command(BARS "-o interpreted.csv"), HELD);
    unsetenv("SALTUS_CODE");
    unsetenv("SALTUS_LANES");
    expect_same_files("lanes.csv", "single.csv", "one after the other");
    expect_same_files("lanes.csv", "interpreted.csv", "interpreted");
}

/* Programs of all modes are compiled, and tapes grow, in the order in which a worker
   meets them: no row may show which rows its worker had before. */
Test(sweep, the_rows_do_not_depend_on_what_a_worker_did_before)
{
#define EVENTS "sweep five-bar-events -f penalty --sens L01 --columns q,v,a,lambda,psi "
    cr_assert_eq(run_command(EVENTS "--grid L01=2.2:2.3:6 -o all.csv -j 1"), HELD);
    cr_assert_eq(run_command(EVENTS "--grid L01=2.2:2.3:2 -o ends.csv -j 2"), HELD);
    char *all = table_line("all.csv", 6), *ends = table_line("ends.csv", 2);
    cr_assert(all[0] == '5' && ends[0] == '1');
    cr_expect_str_eq(all + 1, ends + 1);
    free(all);
    free(ends);
}

/* --- what is wrong is said in one line ---------------------------------------------- */

Test(sweep, says_what_is_wrong_with_a_grid)
{
    expect_complaint("sweep bouncing-ball", USAGE, "nothing is varied");
    expect_complaint("sweep bouncing-ball --grid e", USAGE, "NAME=LO:HI:N");
    expect_complaint("sweep bouncing-ball --grid f=1:2:3", USAGE, "no parameter f");
    expect_complaint("sweep bouncing-ball --grid e=1:2", USAGE, "LO:HI:N");
    expect_complaint("sweep bouncing-ball --grid e=1:2:3:lin", USAGE, "not of the form");
    expect_complaint("sweep bouncing-ball --grid e=1:2:3:log:", USAGE, "not of the form");
    expect_complaint("sweep bouncing-ball --grid e=a:2:3", USAGE, "'a' is not a number");
    expect_complaint("sweep bouncing-ball --grid e=0:inf:3", USAGE,
                     "'inf' is not a number");
    expect_complaint("sweep bouncing-ball --grid e=2:1:3", USAGE, "lower end comes");
    expect_complaint("sweep bouncing-ball --grid e=0:1:0", USAGE, "number of points");
    expect_complaint("sweep bouncing-ball --grid e=0:1:1", USAGE, "at least 2");
    expect_complaint("sweep bouncing-ball --grid e=1:1:2", USAGE, "ends are the same");
    expect_complaint("sweep bouncing-ball --grid e=0:1:5:log", USAGE, "above zero");
    expect_complaint("sweep bouncing-ball --grid e=0:1:5 --grid e=0:1:5", USAGE,
                     "varied twice");
    expect_complaint("sweep bouncing-ball --grid e=0:1:5 --set e=0.5", USAGE,
                     "leave out one");
    expect_complaint("sweep bouncing-ball --grid e=0:1:100000 --grid g=1:2:100000", USAGE,
                     "more than 1000000000");
}

Test(sweep, says_what_is_wrong_with_samples_columns_and_outputs)
{
    expect_complaint("sweep bouncing-ball --sample 5", USAGE, "Give --range");
    expect_complaint("sweep bouncing-ball --range e=0:1", USAGE, "--sample N");
    expect_complaint("sweep bouncing-ball --grid e=0:1:2 --seed 1", USAGE, "--sample N");
    expect_complaint("sweep bouncing-ball --sample 0 --range e=0:1", USAGE,
                     "whole number");
    expect_complaint("sweep bouncing-ball --sample 2 --range e=0:1:7", USAGE,
                     "LO:HI or LO:HI:log");
    expect_complaint("sweep bouncing-ball --grid e=0:1:2 --columns q.z", USAGE,
                     "no column q.z");
    expect_complaint("sweep bouncing-ball --grid e=0:1:2 --columns dq.y/de", USAGE,
                     "name it in --sens");
    expect_complaint("sweep bouncing-ball --grid e=0:1:2 --t-end -1", USAGE,
                     "later than the start");
    expect_complaint("sweep five-bar --grid e=0:1:2 -f penalty --opt alpha=-1", USAGE,
                     "alpha=-1");
    expect_complaint("sweep bouncing-ball --grid e=0:1:2 -f index1", USAGE,
                     "does not apply");
    expect_complaint("sweep bouncing-ball --grid e=0:1:2 -o /nonexistent/x", USAGE,
                     "cannot be written");
    expect_complaint("sweep bouncing-ball --grid e=0:1:2 -o /tmp", USAGE, "directory");
    expect_complaint("sweep bouncing-ball --grid e=0:1:2 -o /dev/full", USAGE,
                     "No space left");
    expect_complaint("sweep bouncing-ball --grid e=0:1:2 --jobs 0", USAGE,
                     "whole number");
}
