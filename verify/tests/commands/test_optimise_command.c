/*
 * test_optimise_command.c - `saltus optimise` as a user meets it: its report, its table,
 * interruptions, and requests that are refused.
 */
#include <math.h>

#include "sweeping.h"

TestSuite(optimise_command, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* Springs of the mechanism of Corner, Sandu, Sandu 2019, through its impacts: some twenty
   evaluations. */
#define SPRINGS "optimise five-bar-nine --cost path --over L01,L02"
#define BALL "optimise bouncing-ball --cost speed --over e"

static void need_nlopt(void)
{
    cr_assert_eq(run_command("--version"), HELD);
    char *out = contents("out");
    bool there = strstr(out, "NLopt") != NULL;
    free(out);
    if (!there)
        cr_skip_test("without NLopt");
}

/* --- the answer --------------------------------------------------------------------- */

/* The number behind the first of these words in the output. */
static double number_behind(const char *word)
{
    char *out = contents("out"), *at = strstr(out, word);
    cr_assert_not_null(at, "no '%s' in %s", word, out);
    double number = strtod(at + strlen(word), NULL);
    free(out);
    return number;
}

Test(optimise_command, springs_are_designed_through_impacts)
{
    expect_run(SPRINGS, HELD, "out", "of its start");
    cr_expect_leq(number_behind("gradient norm "), 1e-8);
    cr_expect_gt(number_behind("events before: "), 0);
    cr_expect_gt(number_behind("events after: "), 0);
    cr_expect_lt(number_behind(" before, "), number_behind("psi.path: "));
}

Test(optimise_command, events_that_come_or_go_are_named)
{
    cr_assert_eq(run_command("optimise five-bar --cost path --over L01,L02 -o x.csv"),
                 HELD);
    char *table = contents("x.csv");
    cr_expect_not_null(strstr(table, ",ground x3 -> x0\n"), "%s", table);
    expect_run("optimise five-bar --cost path --over L01,L02", HELD, "out",
               "1 with other events than the best before");
    free(table);
}

/* Every method of the gradient, every algorithm. */
Test(optimise_command, every_method_and_algorithm_finds_the_fit)
{
    static const char *const way[] = {
        "--method direct", "--method discrete-adjoint", "--algorithm slsqp",
        "--algorithm mma", "--algorithm ccsaq", "--algorithm var2",
        "--algorithm tnewton",
    };
    need_nlopt();
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        char arguments[200];
        snprintf(arguments, sizeof arguments,
                 "optimise ball-tracked --cost misfit --over e,mu %s", way[k]);
        expect_run(arguments, HELD, "out",
                   "psi.misfit: 13717.3010405 before, 553.9654826");
    }
}

/* The row of a parameter in the report: its start, then its optimum. */
static void expect_optimum(const char *arguments, const char *row, double optimum)
{
    double start, got = NAN;
    expect_run(arguments, HELD, "out", row);
    char *out = contents("out"), *found = strstr(out, row);
    cr_assert_eq(sscanf(found + strlen(row), "%lf %lf", &start, &got), 2, "%s", out);
    cr_expect_float_eq(got, optimum, 1e-6 * fabs(optimum), "%s: %.9g", arguments, got);
    free(out);
}

Test(optimise_command, a_gait_is_pushed_as_far_as_it_comes_back)
{
    expect_optimum("optimise compass-gait-pushed --cost come_back --over push",
                   "\npush ", 0.8568837);
    expect_optimum("optimise compass-gait-pushed --cost come_back --over push,gain",
                   "\npush ", 2.2523966);
}

Test(optimise_command, bounds_that_are_active_are_named)
{
    need_nlopt();
    expect_run("optimise five-bar --cost pull --over L01 --bounds L01=2.1:2.4", HELD,
               "out", "bounds L01 active");
    expect_run("optimise ball-tracked --cost misfit --over e,mu --bounds mu=0.13:", USAGE,
               "err", "mu begins at 0.1, outside its bounds");
    expect_run("optimise ball-tracked --cost misfit --over e,mu --bounds mu=0.13: "
               "--start mu=0.2", HELD, "out", "bounds mu active");
}

Test(optimise_command, a_maximum_is_a_minimum_of_the_negative)
{
    need_nlopt();
    expect_run("optimise bouncing-ball --cost height --over h0 --bounds h0=40:60 "
               "--maximise --t-end 2", HELD, "out", "upper");
    expect_run("optimise bouncing-ball --cost height --over h0 --bounds h0=40:60 "
               "--t-end 2", HELD, "out", "lower");
}

/* --- the end before the answer ------------------------------------------------------ */

Test(optimise_command, evaluations_that_are_spent_are_a_reason)
{
    expect_run(SPRINGS " --max-evaluations 5 -o x.csv", SHORT, "out",
               "evaluations spent (5)");
    char *table = contents("x.csv");
    cr_expect_not_null(strstr(table, "\n4,ok,"));
    cr_expect_null(strstr(table, "\n5,"));
    free(table);
}

Test(optimise_command, refused_points_shorten_the_step_and_are_counted)
{
    need_nlopt();
    expect_run("optimise bouncing-ball --cost height --over g,e,h0", SHORT, "out",
               "refused: zeno");
    expect_run("optimise bouncing-ball --cost height --over g,e,h0", SHORT, "out",
               "runs beside this point are refused (zeno)");
}

Test(optimise_command, a_jump_on_which_it_stalls_is_named)
{
    need_nlopt();
    expect_run("optimise five-bar --cost fall --over L01,k1 "
               "--bounds L01=2.1:2.4,k1=90:110", SHORT, "out",
               "the cost jumps beside this point (events: ground x9 -> x8)");
}

Test(optimise_command, a_start_that_is_refused_has_no_answer)
{
    expect_complaint("optimise newton-cradle --cost swing --over g", NO_ANSWER,
                     "simultaneous at t = ");
    expect_complaint("optimise newton-cradle --cost swing --over g -o x.csv", NO_ANSWER,
                     "simultaneous at t = ");
}

/* --- the table ---------------------------------------------------------------------- */

Test(optimise_command, a_picture_shows_the_way)
{
    if (system("command -v gnuplot > /dev/null") != 0)
        cr_skip_test("no gnuplot");
    cr_assert_eq(run_command(SPRINGS " --plot x.svg"), HELD);
    char *svg = contents("x.svg");
    cr_assert_not_null(svg);
    cr_expect_not_null(strstr(svg, "</svg>"));
    cr_expect_not_null(strstr(svg, "psi.path"));
    free(svg);
}

Test(optimise_command, a_table_on_standard_output_is_there_alone)
{
    cr_assert_eq(run_command(SPRINGS " -o x.csv"), HELD);
    cr_assert_eq(run_command(SPRINGS " -o -"), HELD);
    expect_same_files("x.csv", "out", "-o -");
}

/* The file cut anywhere, with zeros behind it: what is whole is taken up. */
Test(optimise_command, taken_up_again_it_is_the_same_to_the_byte)
{
    struct random random = random_start();
    cr_assert_eq(run_command(SPRINGS " -o whole.csv"), HELD);
    char *whole = contents("whole.csv");
    write_part("part", whole);
    char *part = contents("part");
    int length = (int)strlen(part);
    for (int k = 0; k < 12; k++) {
        int cut = random_below(&random, length), zeros = 50 * random_below(&random, 3);
        expect_completed(SPRINGS, cut, zeros, &random);
    }
    free(whole);
    free(part);
}

Test(optimise_command, the_report_is_the_same_when_nothing_is_computed_again)
{
    cr_assert_eq(run_command(SPRINGS " -o x.csv"), HELD);
    char *first = contents("out");
    cr_assert_eq(run_command(SPRINGS " -o x.csv --resume"), HELD);
    char *second = contents("out");
    cr_expect_str_eq(first, second);
    free(first);
    free(second);
}

Test(optimise_command, killed_at_any_time_it_goes_on)
{
    struct random random = random_start();
    int status = -1;
    cr_assert_eq(run_command(SPRINGS " -o whole.csv"), HELD);
    for (int k = 0; k < 1000 && status != HELD; k++) {
        double wait = random_between(&random, 0.02, 0.12) * (1 + 0.05 * k);
        status = shell("timeout -s KILL %.3f '%s' " SPRINGS " -o x.csv", wait,
                       command_path());
        cr_assert(status == HELD || status == 128 + 9, "exit %d", status);
    }
    expect_same_files("whole.csv", "x.csv", "killed");
}

Test(optimise_command, ctrl_c_leaves_the_evaluations_and_says_how_to_go_on)
{
    int status = shell("'%s' optimise slider-crank-friction --cost path "
                       "--over L_crank --rtol 1e-12 -o x.csv &\n"
                       WHEN_IT_HAS_BEGUN "kill -INT $!; wait $!", command_path());
    char *err = contents("err");
    cr_assert_eq(status, INTERRUPTED, "exit %d: %s", status, err);
    cr_expect_not_null(strstr(err, "the same command goes on from x.csv.part"), "%s",
                       err);
    cr_expect_not(file_is_there("x.csv"));
    cr_expect(file_is_there("x.csv.part"));
    free(err);
}

Test(optimise_command, another_request_leaves_the_file_as_it_is)
{
    static const char *const other[] = {
        SPRINGS " --rtol 1e-9", SPRINGS " --start L01=2.2", SPRINGS " --set e=0.9",
        SPRINGS " --method direct", SPRINGS " --max-evaluations 7",
        "optimise five-bar-nine --cost path --over L02",
        "optimise five-bar --cost path --over L01,L02",
    };
    cr_assert_eq(run_command(SPRINGS " -o x.csv"), HELD);
    shell("cp x.csv y.csv");
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        char arguments[300];
        snprintf(arguments, sizeof arguments, "%s -o x.csv", other[k]);
        expect_complaint(arguments, USAGE, "is of another optimisation");
        expect_same_files("x.csv", "y.csv", other[k]);
    }
    cr_assert_eq(run_command(SPRINGS " --rtol 1e-9 -o x.csv --restart"), HELD);
}

/* Rows of points that this optimiser does not ask for: a checksum cannot tell. */
Test(optimise_command, rows_of_another_way_are_not_taken)
{
    cr_assert_eq(run_command(SPRINGS " -o x.csv"), HELD);
    cr_assert_eq(shell("sed 's/^1,ok,[^,]*,/1,ok,2.25,/' x.csv"), 0);
    char *table = contents("out");
    write_part("y.csv.part", table);
    expect_run(SPRINGS " -o y.csv", USAGE, "err", "from evaluation 1 on; --restart");
    free(table);
    cr_assert_eq(shell("mv x.csv z; head -n -1 z > x.csv"), 0);
    expect_run(SPRINGS " -o x.csv", USAGE, "err", "its rows are not the way");
}

/* --- wrong requests ----------------------------------------------------------------- */

Test(optimise_command, what_is_wrong_is_said_in_one_line)
{
    static const struct { const char *arguments, *word; } wrong[] = {
        {"optimise five-bar --over L01", "--cost is missing"},
        {"optimise five-bar --cost paths --over L01", "no cost paths"},
        {"optimise ball-table --cost x --over g", "has no cost"},
        {"optimise five-bar --cost path", "--over is missing"},
        {"optimise five-bar --cost path --over L03", "no parameter L03"},
        {"optimise five-bar --cost path --over L01,L01", "named twice"},
        {"optimise five-bar --cost path --over L01,", "a name is missing"},
        {BALL " --set e=0.7", "--start says where it begins"},
        {BALL " --start e=x", "'x' is not a number"},
        {BALL " --start g=9", "g is not among those of --over"},
        {BALL " --start e", "is not of the form NAME=X"},
        {BALL " --algorithm bfgs", "no algorithm bfgs"},
        {BALL " --method adjoin", "no method adjoin"},
        {BALL " --gradient-tolerance 0", "gradient-tolerance"},
        {BALL " --max-evaluations 0", "max-evaluations"},
        {BALL " --plot x.png", "pictures are SVG or PDF"},
        {BALL " --resume", "--resume is of a file"},
        {BALL " --restart", "--restart is of a file"},
        {BALL " -o x.csv --resume", "has no evaluation"},
        {BALL " -o x.csv --resume --restart", "opposites"},
        {"optimise five-bar --cost path --over L01 -f index3 --method discrete-adjoint",
         "discrete-adjoint"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        expect_complaint(wrong[k].arguments, USAGE, wrong[k].word);
}

Test(optimise_command, bounds_that_are_none_are_said)
{
    static const struct { const char *arguments, *word; } wrong[] = {
        {BALL " --bounds e=0.9", "no range LO:HI"},
        {BALL " --bounds e=0.9:0.5", "with LO < HI"},
        {BALL " --bounds e=0.5:x", "no range LO:HI"},
        {BALL " --bounds g=1:2", "g is not among those of --over"},
        {BALL " --bounds e=0.1:0.5", "outside its bounds"},
    };
    need_nlopt();
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        expect_complaint(wrong[k].arguments, USAGE, wrong[k].word);
}
