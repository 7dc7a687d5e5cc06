/*
 * test_run_columns.c - `saltus run --columns`: the columns of the CSV, and residuals of
 * the constraints.
 */
#include <math.h>

#include "running.h"

TestSuite(run_columns, .init = make_folder, .fini = remove_folder);

/* Runs a command of one line, and looks at the heading of its CSV. */
static void expect_heading(const char *arguments, const char *heading)
{
    cr_assert_eq(shell("'%s' %s > all && head -n 1 all", command_path(), arguments), HELD,
                 "%s", arguments);
    char *out = contents("out");
    cr_expect_eq(strncmp(out, heading, strlen(heading)), 0, "%s: %s", arguments, out);
    cr_expect_str_eq(out + strlen(heading), "\n", "%s: %s", arguments, out);
    free(out);
}

Test(run_columns, are_those_that_are_named_in_that_order)
{
    expect_heading("run slack-rope --columns v.y,x", "t,v.y,q.x");
    expect_heading("run slack-rope --columns t,x,q", "t,q.x,q.y");
    expect_heading("run slack-rope --sens m,l --columns dv", "t,dv.x/dm,dv.y/dm,dv.x/dl,"
                                                             "dv.y/dl");
    expect_heading("run slack-rope --sens m,l --columns dv --param l",
                   "t,dv.x/dl,dv.y/dl");
    expect_heading("run slack-rope --sens m,l --columns dq.x/dm,lambda --param l",
                   "t,dq.x/dm,lambda.1");
    expect_heading("run bouncing-ball --sens e,g --param g", "t,q.y,v.y,a.y,z.height,"
                   "z.speed,dq.y/dg,dv.y/dg,da.y/dg,dz.height/dg,dz.speed/dg");
}

/* Every column has the numbers that it has among all others. */
Test(run_columns, have_the_numbers_of_the_whole_table)
{
    cr_assert_eq(run_command("run bouncing-ball --sens e --points 20 -o all.csv"), HELD);
    cr_assert_eq(run_command("run bouncing-ball --sens e --points 20 -o some.csv "
                             "--columns q,dv,z.speed"), HELD);
    cr_assert_eq(shell("for f in '' .events; do\n"
                       "p='NR == 1 { for (i = 1; i <= NF; i++) "
                       "if ($i ~ \"^(q[.]y|dv[.]y/de|z[.]speed)$\") c[++n] = i }\n"
                       "{ for (k = 1; k <= n; k++) printf \"%%s \", $c[k] }'\n"
                       "awk -F, \"$p\" all$f.csv | tr ' ' '\\n' | sort > a; "
                       "awk -F, \"$p\" some$f.csv | tr ' ' '\\n' | sort > b; "
                       "[ -s a ] && cmp a b || exit; done"), HELD);
}

Test(run_columns, residuals_are_small_and_absent_where_there_is_no_constraint)
{
    expect_heading("run rope-catch --columns Phi", "t,Phi.1");
    expect_heading("run five-bar --columns Phid.2,Phi.1", "t,Phid.2,Phi.1");
    cr_assert_eq(shell("'%s' run rope-catch --points 41 --columns Phi,Phid -o x.csv && "
                       "sed 1d x.csv", command_path()), HELD);
    char *rows = contents("x.csv");
    int absent = 0, lines = 0;
    double largest = 0;
    for (const char *at = strchr(rows, '\n') + 1; *at; at = strchr(at, '\n') + 1) {
        double t, Phi, Phid;
        cr_assert_eq(sscanf(at, "%lf,%lf,%lf", &t, &Phi, &Phid), 3, "%s", at);
        cr_expect_eq(isnan(Phi), t < 0.376, "%.20s", at);
        absent += isnan(Phi);
        lines++;
        if (!isnan(Phi))
            largest = fmax(largest, fmax(fabs(Phi), fabs(Phid)));
    }
    free(rows);
    cr_expect_eq(lines, 41);
    cr_expect(absent > 3 && absent < 20, "%d", absent);
    cr_expect(largest > 0 && largest < 1e-12, "%g", largest);
}

/* A penalty formulation leaves them as large as the penalty allows, which is known. */
Test(run_columns, residuals_of_a_penalty_formulation_fall_with_the_penalty)
{
    double Phi[2];
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(shell("'%s' run five-bar -f penalty --opt alpha=1e%d --points 3 "
                           "--sens none --columns Phi.1 | sed -n '3s/.*,//p'",
                           command_path(), 5 + k), HELD);
        char *out = contents("out");
        Phi[k] = fabs(strtod(out, NULL));
        free(out);
    }
    cr_expect(Phi[0] > 1e-9 && Phi[0] / Phi[1] > 5, "%g, %g", Phi[0], Phi[1]);
}

Test(run_columns, residuals_at_velocity_level_are_those_of_velocities)
{
    cr_assert_eq(shell("'%s' run chaplygin-sleigh --points 3 --columns Phi,Phid | "
                       "sed -n 4p", command_path()), HELD);
    char *out = contents("out");
    double Phid = 1;
    cr_assert_eq(sscanf(out, "4,nan,%lf\n", &Phid), 1, "%s", out);
    cr_expect_lt(fabs(Phid), 1e-12, "%s", out);
    free(out);
}

Test(run_columns, a_name_that_is_none_is_answered_with_the_nearest)
{
    expect_complaint("run five-bar --columns y2,v.y22", USAGE,
                     "five-bar has no column 'v.y22'; did you mean v.y2");
    expect_complaint("run five-bar --columns phi", USAGE, "did you mean Phi");
    expect_complaint("run five-bar --columns Phi.5", USAGE, "no column 'Phi.5'");
    expect_complaint("run bouncing-ball --columns Phi", USAGE, "no column 'Phi'");
    expect_complaint("run five-bar --sens none --columns dq", USAGE, "no column 'dq'");
    expect_complaint("run five-bar --param LO1", USAGE, "did you mean L01?");
    expect_complaint("run five-bar --sens e --param L01", USAGE,
                     "--param L01: the run is not differentiated by it");
}

/* The picture draws what it did. */
Test(run_columns, choose_the_curves_of_a_picture_too)
{
    if (system("command -v gnuplot > /dev/null") != 0)
        cr_skip_test("no gnuplot");
    cr_assert_eq(run_command("run slack-rope --columns t,y,Phi,dq --sens l,m --param m "
                             "--plot x.svg --keep-script -o x.csv"), HELD);
    char *script = contents("x.gnuplot"), *table = contents("x.csv");
    cr_expect_eq(strncmp(table, "t,q.y,Phi.1,dq.x/dm,dq.y/dm\n", 28), 0, "%s", table);
    cr_expect_not_null(strstr(script, "title \"dq.x/dm\""));
    cr_expect_null(strstr(script, "Phi"));
    cr_expect_null(strstr(script, "title \"dq.x/dl\""));
    free(script);
    free(table);
}
