/*
 * test_command_matrix.c - options of a formulation from files: --opt NAME=@FILE.
 */
#include "running.h"

#include <math.h>

TestSuite(command_matrix, .init = make_folder, .fini = remove_folder);

/* A short run of five-bar, which has four constraints; what it prints. */
static char *motion(const char *formulation)
{
    char arguments[400];
    snprintf(arguments, sizeof arguments,
             "run five-bar %s --sens L02 --t-end 1 -n 5 --rtol 1e-12", formulation);
    int status = run_command(arguments);
    char *err = contents("err");
    cr_assert_eq(status, HELD, "saltus %s: %s", arguments, err);
    free(err);
    return contents("out");
}

static void expect_same_output(const char *one, const char *other)
{
    char *a = motion(one), *b = motion(other);
    cr_expect_str_eq(a, b, "%s is not %s", one, other);
    free(a);
    free(b);
}

Test(command_matrix, from_a_file_is_the_same_as_by_text)
{
    static const char *const written[][2] = {
        {"# damping, 1/s\n+20\n", "20"},
        {"20 21 22.5 23 # diagonal\r\n", "20,21,22.5,23"},
        {"20,\n\n21\n2.25e1\n23", "20,21,22.5,23"},
        {"20 1 0 0\n1, 21, 2, 0\n\t0 2 22 ,-1 # end\n0 0 -1 23,\n",
         "20,1,0,0,1,21,2,0,0,2,22,-1,0,0,-1,23"},
    };
    for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
        char text[100];
        write_file("matrix", written[k][0]);
        snprintf(text, sizeof text, "-f baumgarte --opt kd=%s", written[k][1]);
        expect_same_output("-f baumgarte --opt kd=@matrix", text);
    }
    expect_same_output("-f baumgarte --opt kd=20,20,20,20", "-f baumgarte --opt kd=20");
}

Test(command_matrix, may_be_the_same_file_for_two_options_or_another_one)
{
    write_file("D", "20 1 0 0\n1 21 2 0\n0 2 22 -1\n0 0 -1 23\n");
    write_file("P", "100\n");
    expect_same_output("-f modified-lagrange --opt kd=@D --opt alpha=@D --opt kp=@P",
                       "-f modified-lagrange --opt kp=100 "
                       "--opt alpha=20,1,0,0,1,21,2,0,0,2,22,-1,0,0,-1,23 "
                       "--opt kd=20,1,0,0,1,21,2,0,0,2,22,-1,0,0,-1,23");
}

/* The next line with its numbers; false at the end. NAN where there are none. */
static int numbers(const char **at, double *x, int room)
{
    int count = 0;
    while (**at && **at != '\n' && count < room) {
        char *end;
        x[count] = strtod(*at, &end);
        if (end == *at)
            x[count] = NAN;
        count++;
        *at += strcspn(*at, ",\n");
        *at += **at == ',';
    }
    *at += **at == '\n';
    return count;
}

/* Stabilisation acts on violated constraints alone: any matrix keeps the exact motion. */
Test(command_matrix, that_is_full_keeps_the_exact_motion)
{
    enum { MOST = 100 };
    double size[MOST] = {0}, error[MOST] = {0}, x[MOST], y[MOST];
    write_file("D", "20 6 0 1\n6 21 -5 0\n0 -5 22 3\n1 0 3 23\n");
    write_file("P", "100 30 0 0\n30 90 -20 0\n0 -20 110 10\n0 0 10 120\n");
    char *exact = motion("-f index1");
    char *damped = motion("-f baumgarte --opt kd=@D --opt kp=@P");
    const char *a = exact, *b = damped;
    int columns = numbers(&a, x, MOST);
    cr_assert_eq(columns, numbers(&b, y, MOST));
    cr_assert_gt(columns, 40);
    int rows = 0;
    for (; *a && *b; rows++) {
        cr_assert_eq(numbers(&a, x, MOST), columns);
        cr_assert_eq(numbers(&b, y, MOST), columns);
        for (int c = 0; c < columns; c++) {
            size[c] = fmax(size[c], fabs(x[c]));
            error[c] = fmax(error[c], fabs(x[c] - y[c]));
        }
    }
    cr_assert_eq(rows, 5);
    for (int c = 0; c < columns; c++)       /* two runs at rtol 1e-12 */
        cr_expect_leq(error[c], 1e-9 * size[c], "column %d: %g of %g", c, error[c],
                      size[c]);
    free(exact);
    free(damped);
}

static void expect_refusal(const char *text, const char *reason)
{
    write_file("matrix", text);
    expect_complaint("run five-bar -f baumgarte --opt kd=@matrix -o x.csv", USAGE,
                     reason);
}

Test(command_matrix, is_refused_with_a_reason_when_it_is_not_positive_definite)
{
    expect_refusal("1 2 0 0\n2 1 0 0\n0 0 5 0\n0 0 0 5\n",
                   "option kd=1,2,0,0;2,1,0,0;0,0,5,0;0,0,0,5 is not positive definite: "
                   "its least eigenvalue is -1");
    expect_refusal("1 2 3 -4\n", "least eigenvalue is -4");
    expect_refusal("0", "option kd=0 is not positive definite");
    expect_refusal("20 1 0 0\n1 21 2 0\n0 2 22 -1\n0 0 1 23\n",
                   "option kd is not symmetric: row 3, column 4 is -1, row 4, column 3 "
                   "is 1");
}

Test(command_matrix, is_refused_when_it_has_the_wrong_size)
{
    expect_refusal("1 0 0\n0 1 0\n0 0 1\n",
                   "has 9 numbers; give 1, 4 (diagonal) or 16 (by rows)");
    /* not a diagonal */
    expect_refusal("1 0\n0 1\n", "has 2 rows of numbers, 4 in all; give 4 rows of 4");
    expect_complaint("run five-bar -f baumgarte -o x.csv --opt 'kd=1,0,0;0,0,1,0,0;"
                     "0,0,1,0;0,0,0,1'", USAGE,
                     "has 4 rows of numbers, 16 in all; give 4 rows of 4");
    expect_refusal("1 2\n", "has 2 numbers");
    expect_refusal("1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8\n",
                   "matrix: 2 rows of 8 numbers are not a square matrix");
    write_file("matrix", "1 2 3 4");
    expect_complaint("run five-bar -f penalty --opt xi=@matrix", USAGE,
                     "option xi has 4 numbers; it takes one");
}

Test(command_matrix, says_in_which_line_and_column_a_file_is_wrong)
{
    expect_refusal("1 2 # first\n\n3 4x\n", "matrix, line 3, column 3: '4x' is not a");
    expect_refusal("nan\n", "line 1, column 1: 'nan' is not a number");
    expect_refusal("1e999\n", "line 1, column 1: '1e999' is too large");
    expect_refusal("1,,2\n", "line 1, column 3: a number is missing before the comma");
    expect_refusal("1 2\n , 3\n", "line 2, column 2: a number is missing");
    expect_refusal("1 2 3\n4 5\n", "line 2, column 4: a row of 2 numbers after one of 3");
    expect_refusal("1 2\n4  5, 6 7\n", "line 2, column 7: a row of 4 numbers after one");
    expect_refusal("", "matrix: there is no number in it");
    expect_refusal("# 1 2\n\n", "matrix: there is no number in it");
    expect_complaint("run five-bar -f baumgarte --opt kd=@nothing", USAGE,
                     "--opt kd: nothing: cannot be read: No such file");
    expect_complaint("run five-bar -f baumgarte --opt kd=@.", USAGE,
                     "cannot be read: Is a directory");
    expect_complaint("run five-bar -f baumgarte --opt kd=@", USAGE, "there is none");
}
