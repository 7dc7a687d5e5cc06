/*
 * test_pictures.c - pictures of `saltus run --plot`: what is drawn, SVG and PDF, their
 * commands; and the style of all pictures.
 */
#include <math.h>

#include "running.h"

TestSuite(pictures, .init = make_folder_with_code, .fini = remove_folder);

static void need_gnuplot(void)
{
    if (system("command -v gnuplot > /dev/null") != 0)
        cr_skip_test("no gnuplot");
}

static int count_text(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        count++;
    return count;
}

Test(pictures, columns_and_a_parameter_choose_the_curves)
{
    need_gnuplot();
    cr_assert_eq(run_command("run slack-rope --columns y,v.x,dq --param l --plot x.svg "
                             "--keep-script -o x.csv"), HELD);
    char *script = contents("x.gnuplot");
    cr_assert_not_null(script);
    cr_expect_eq(count_text(script, "title \"q.y\""), 1);
    cr_expect_eq(count_text(script, "title \"v.x\""), 1);
    cr_expect_eq(count_text(script, "title \"v.y\""), 0);
    cr_expect_eq(count_text(script, "title \"dq.x/dl\""), 1);
    cr_expect_eq(count_text(script, "title \"dq.y/dl\""), 1);
    cr_expect_eq(count_text(script, "layout 3,1"), 1, "a panel for each kind");
    free(script);
}

Test(pictures, what_cannot_be_drawn_is_said_before_the_run)
{
    expect_complaint("run slack-rope --plot x.svg --columns t,Phi", USAGE,
                     "--plot draws neither t nor residuals alone");
    expect_complaint("run slack-rope --keep-script", USAGE, "give --plot FILE");
    expect_complaint("run slack-rope --plot x.svg --keep-script -o x.gnuplot", USAGE,
                     "the commands of --keep-script are written there");
    expect_complaint("run slack-rope --plot x.svg --columns y,w", USAGE,
                     "no column 'w'");
    expect_complaint("run slack-rope --plot x.svg --sens m --param l", USAGE,
                     "--param l: the run is not differentiated by it");
    expect_complaint("run slack-rope --plot x.png", USAGE, "pictures are SVG or PDF");
}

/* The name has a letter that ends a string of gnuplot, and one that begins a comment. */
Test(pictures, the_commands_that_are_kept_draw_the_picture_again)
{
    need_gnuplot();
    cr_assert_eq(run_command("run slack-rope --plot \"x'#.svg\" --keep-script -o x.csv"),
                 HELD);
    cr_assert_eq(shell("mv \"x'#.svg\" first.svg && gnuplot -d \"x'#.gnuplot\""), HELD);
    expect_same_files("first.svg", "x'#.svg", "drawn again");
}

Test(pictures, half_a_picture_is_none)
{
    put_program("gnuplot", "#!/bin/sh\ncat > /dev/null\necho '<svg><path'\n");
    expect_complaint("run slack-rope --plot x.svg -o x.csv", USAGE, "has no end");
    put_program("gnuplot", "#!/bin/sh\ncat > /dev/null\necho '<svg></svg>'\n");
    cr_expect_eq(run_command("run slack-rope --plot x.svg -o x.csv"), HELD);
    expect_complaint("run slack-rope --plot y.pdf -o x.csv", USAGE, "has no end");
}

/* In two time zones, in different seconds. */
Test(pictures, two_runs_give_the_same_bytes_as_svg_and_as_pdf)
{
    need_gnuplot();
    cr_assert_eq(shell("for k in 1 2; do for e in svg pdf; do\n"
                       "TZ=UTC-$k '%s' run slack-rope --plot $k.$e -o $k.csv > costs || "
                       "exit 9\n"
                       "done; sleep 1.1; done", command_path()), HELD);
    expect_same_files("1.svg", "2.svg", "SVG");
    expect_same_files("1.pdf", "2.pdf", "PDF");
    cr_assert_eq(shell("head -c 5 1.pdf | grep -q '^%%PDF-'"), 0);
}

/* --- the style of all pictures ------------------------------------------------------ */

/* Lab of a linear colour, white D65. */
static void lab_of(const double rgb[3], double lab[3])
{
    static const double M[3][3] = {{0.4124, 0.3576, 0.1805},
                                   {0.2126, 0.7152, 0.0722},
                                   {0.0193, 0.1192, 0.9505}};
    static const double white[3] = {0.95047, 1, 1.08883};
    double f[3];
    for (int i = 0; i < 3; i++) {
        double x = (M[i][0] * rgb[0] + M[i][1] * rgb[1] + M[i][2] * rgb[2]) / white[i];
        f[i] = x > 216.0 / 24389 ? cbrt(x) : (24389.0 / 27 * x + 16) / 116;
    }
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

/* Matrices of linear RGB as it is seen by all readers, and by protan, deutan and tritan
   ones (Machado, Oliveira, Fernandes 2009, severity 1). */
static const double seen_by[4][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}}};

/* Linear RGB of '#rrggbb'. */
static void colour_of(const char *text, double rgb[3])
{
    unsigned part[3];
    cr_assert_eq(sscanf(text, "#%2x%2x%2x", &part[0], &part[1], &part[2]), 3);
    for (int i = 0; i < 3; i++) {
        double c = part[i] / 255.0;
        rgb[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
}

enum { COLOURS = 8 };

static void read_palette(double rgb[COLOURS][3])
{
    char path[PATH_MAX + 40];
    snprintf(path, sizeof path, "%s/verify/drawings/style.gnuplot", top());
    char *style = contents(path);
    cr_assert_not_null(style);
    const char *at = strstr(style, "array colour[8]");
    for (int k = 0; k < COLOURS; k++) {
        cr_assert(at && (at = strchr(at, '#')), "the style has eight colours");
        colour_of(at++, rgb[k]);
    }
    free(style);
}

/* Two colours of one luminance are one in grey; a distance of ten in Lab is seen at a
   glance on a thin line. */
Test(pictures, colours_differ_for_every_reader_and_in_grey)
{
    double rgb[COLOURS][3], lab[4][COLOURS][3];
    read_palette(rgb);
    for (int reader = 0; reader < 4; reader++)
        for (int k = 0; k < COLOURS; k++) {
            double own[3];
            for (int i = 0; i < 3; i++) {
                const double *row = seen_by[reader][i];
                double x = row[0] * rgb[k][0] + row[1] * rgb[k][1] + row[2] * rgb[k][2];
                own[i] = fmin(fmax(x, 0), 1);
            }
            lab_of(own, lab[reader][k]);
        }
    for (int a = 0; a < COLOURS; a++)
        for (int b = 0; b < a; b++) {
            cr_expect_gt(fabs(lab[0][a][0] - lab[0][b][0]), 5, "colours %d, %d in grey",
                         a, b);
            for (int reader = 0; reader < 4; reader++) {
                const double *x = lab[reader][a], *y = lab[reader][b];
                double distance = sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) +
                                       pow(x[2] - y[2], 2));
                cr_expect_gt(distance, 15, "colours %d, %d, reader %d: %.1f", a, b,
                             reader, distance);
            }
        }
}
