/*
 * branches.c - branches of the periodic motion of Dankowicz (12) in the
 * amplitude of the drive and in its frequency (dankowicz.h)
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "orbits/branch_report.h"
#include "orbits/closed_impact_orbit.h"
#include "papers/dankowicz/dankowicz.h"
#include "papers/finding.h"
#include "papers/match.h"

struct branches {
    struct paper_run run;
    int parameter[2], event[3];         /* A and w; a period ends with the impact */
    struct branch *branch[2];
    double grazing, fold;               /* amplitudes of the closed form */
};
enum { BY_A, BY_W };

/* --- the study ---------------------------------------------------------------------- */

static enum status follow(struct branches *own, int by, double to)
{
    struct branch_request request = {
        .orbit = {.run = own->run.request, .events = 3, .event = own->event}, .to = to};
    request.orbit.run.parameters = 1;
    request.orbit.run.parameter = &own->parameter[by];
    return own->run.status = branch_follow(&request, &own->branch[by],
                                           &own->run.diagnosis);
}

static enum status open_study(struct task *task, void **study, char *why, int size)
{
    struct branches *own = *study = memory_new(1, sizeof *own);
    static const char *const ends[] = {"turning", "phase", "impact"};
    paper_run_init(&own->run, "impact-oscillator", "ode", 0, "");
    paper_run_until(&own->run, 200);
    if (own->run.status != OK)
        return paper_run_why(&own->run, why, size);
    const struct model *model = own->run.model;
    for (int i = 0; i < 3; i++)
        own->event[i] = event_index(model, ends[i]);
    own->parameter[BY_A] = model_parameter_index(model, "A");
    own->parameter[BY_W] = model_parameter_index(model, "w");
    own->grazing = closed_impact_grazing(model, own->run.value);
    own->fold = closed_impact_fold(model, own->run.value);
    if (follow(own, BY_A, own->grazing / 2) == OK)
        follow(own, BY_W, 1.4);
    (void)task;
    return own->run.status == OK ? OK : paper_run_why(&own->run, why, size);
}

static void close_study(void *study)
{
    struct branches *own = study;
    branch_free(own->branch[BY_A]);
    branch_free(own->branch[BY_W]);
    paper_run_clear(&own->run);
    free(own);
}

/* --- points of a branch ------------------------------------------------------------- */

static const struct branch_point *point_of_kind(const struct branch *branch,
                                                enum branch_kind kind)
{
    for (int k = 0; k < branch->points; k++)
        if (branch->point[k].kind == kind)
            return &branch->point[k];
    return NULL;
}

/* The speed with which the mass hits the wall. */
static double speed_of(const struct branches *own, const struct branch_point *point)
{
    return -point->x[1] / paper_value(&own->run, "e");
}

/* The moduli of the multipliers that are not trivial, the larger one first. */
static void moduli(const struct branch_point *point, double modulus[2])
{
    int count = 0;
    for (int i = 0; i < point->multipliers && count < 2; i++)
        if (!point->trivial[i])
            modulus[count++] = cabs(point->multiplier[i]);
}

/* The fewest digits of the product of the multipliers over a branch, and the speed of the
   impact there. */
static double digits_of_product(const struct branches *own, int by, double *speed)
{
    double e = paper_value(&own->run, "e"), least = 16;
    for (int k = 0; k < own->branch[by]->points; k++) {
        const struct branch_point *point = &own->branch[by]->point[k];
        double modulus[2], w = by == BY_W ? point->rho : paper_value(&own->run, "w");
        if (point->multipliers == 0)
            continue;
        moduli(point, modulus);
        double want = e * e * exp(-2 * M_PI * paper_value(&own->run, "c") /
                                  (paper_value(&own->run, "m") * w));
        double digits = number_digits(modulus[0] * modulus[1], want);
        if (digits < least) {
            least = digits;
            *speed = speed_of(own, point);
        }
    }
    return least;
}

/* The fewest digits of the parameter A, by the speed of the impact. */
static double digits_of_amplitude(const struct branches *own)
{
    double least = 16;
    for (int k = 0; k < own->branch[BY_A]->points; k++) {
        const struct branch_point *point = &own->branch[BY_A]->point[k];
        if (point->kind == BRANCH_GRAZING)
            continue;
        double A = closed_impact_amplitude(own->run.model, own->run.value,
                                           speed_of(own, point));
        least = fmin(least, number_digits(point->rho, A));
    }
    return least;
}

/* --- claims ------------------------------------------------------------------------- */

static void judge_branch(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    (void)claim;
    const struct branches *own = study;
    const struct branch *branch = own->branch[BY_A];
    double speed = NAN, product = digits_of_product(own, BY_A, &speed);
    finding->digits = digits_of_amplitude(own);
    finding_holds(finding, finding->digits >= 10, branch->points);
    finding_tell(finding, "Ours are the points from A = %g N on, by pseudo-arclength; A "
                 "as a function of the speed of the impact has a closed form. The "
                 "product of the multipliers has %.1f digits at a speed of %.2g m/s, "
                 "elsewhere more.", branch->point[0].rho, product, speed);
}

static void judge_fold(const void *study, const struct claim *claim,
                       struct finding *finding)
{
    (void)claim;
    const struct branches *own = study;
    const struct branch *branch = own->branch[BY_A];
    const struct branch_point *fold = point_of_kind(branch, BRANCH_FOLD);
    int stable = 0, unstable = 0, other = 0;
    double modulus[2];
    for (int k = 0; fold && k < branch->points; k++) {
        const struct branch_point *point = &branch->point[k];
        bool outside = branch_report_outside(point) > 0;
        if (point->kind != BRANCH_REGULAR)
            continue;
        other += outside != (point > fold);
        stable += point < fold && !outside;
        unstable += point > fold && outside;
    }
    finding_holds(finding, fold && other == 0, NAN);
    if (!fold)
        return;
    moduli(fold, modulus);
    finding->digits = number_digits(fold->rho, own->fold);
    finding_ours(finding, fold->rho, 10);
    finding_tell(finding, "Ours is A of the fold, in N, %.3g N below grazing; a closed "
                 "form gives %.10g. A multiplier is 1 to %.1g. Before it %d points are "
                 "stable, behind it %d are unstable, and %d are otherwise.",
                 own->grazing - fold->rho, own->fold, fabs(modulus[0] - 1), stable,
                 unstable, other);
}

static void judge_grazing(const void *study, const struct claim *claim,
                          struct finding *finding)
{
    (void)claim;
    const struct branches *own = study;
    const struct branch *branch = own->branch[BY_A];
    const struct branch_point *end = point_of_kind(branch, BRANCH_GRAZING);
    double digits = end ? number_digits(end->rho, own->grazing) : NAN;
    finding_holds(finding, branch->end == BRANCH_AT_GRAZING && digits >= 10, NAN);
    if (!end)
        return;
    finding->digits = digits;
    finding_ours(finding, end->rho, 10);
    finding_tell(finding, "Ours is A at a transversality of zero, in N, extrapolated; "
                 "its estimated error is %.1g.", end->error);
}

static void judge_frequency(const void *study, const struct claim *claim,
                            struct finding *finding)
{
    (void)claim;
    const struct branches *own = study;
    const struct branch *branch = own->branch[BY_W];
    double least = 16;
    for (int k = 0; k < branch->points; k++)
        least = fmin(least, number_digits(branch->point[k].period,
                                      2 * M_PI / branch->point[k].rho));
    double speed = NAN, product = digits_of_product(own, BY_W, &speed);
    finding->digits = fmin(least, product);
    finding_holds(finding, finding->digits >= 10, branch->points);
    finding_tell(finding, "Ours are the points from w = %g to %g rad/s, to %s: the "
                 "period has %.1f digits, the product of the multipliers %.1f.",
                 branch->point[0].rho, branch->point[branch->points - 1].rho,
                 branch_report_end(branch), least, product);
}

static const struct claim claims[] = {
    {"ours", "the motion can be followed in A, by the speed of its impact", "", "",
     judge_branch, 0},
    {"ours", "a fold before grazing, where stability ends", "", "", judge_fold, 0},
    {"ours", "it grazes at A = q_c sqrt((k - m w^2)^2 + (c w)^2)", "", "", judge_grazing,
     0},
    {"ours", "followed in w, it keeps its period 2 pi/w and product", "", "",
     judge_frequency, 0},
    {0}};

/* --- figures ------------------------------------------------------------------------ */

/* The curve A(u) of the closed form between two speeds, densely. */
static void print_closed(FILE *gnuplot, const struct branches *own, const char *name,
                         double from, double to)
{
    enum { POINTS = 400 };
    fprintf(gnuplot, "$%s << END\n", name);
    for (int k = 0; k <= POINTS; k++) {
        double part = (double)k / POINTS, speed = from + (to - from) * part * part;
        fprintf(gnuplot, "%.12g %.9g\n",
                closed_impact_amplitude(own->run.model, own->run.value, speed), speed);
    }
    fputs("END\n", gnuplot);
}

static void print_points(FILE *gnuplot, const struct branches *own)
{
    fputs("$points << END\n", gnuplot);
    for (int k = 0; k < own->branch[BY_A]->points; k++) {
        const struct branch_point *point = &own->branch[BY_A]->point[k];
        if (point->kind == BRANCH_REGULAR)
            fprintf(gnuplot, "%.12g %.9g\n", point->rho, speed_of(own, point));
    }
    fputs("END\n", gnuplot);
}

/* Speeds over amplitudes; `using` makes both of columns A and u. */
static void plot_branch(FILE *gnuplot, const char *using)
{
    fprintf(gnuplot,
            "plot $stable using %s with lines lt 1, \\\n"
            "     $unstable using %s with lines lt 2, \\\n"
            "     $points using %s with points lt 3 pt 6 ps 0.35, \\\n"
            "     $ends using %s with points lt 3 pt 7 ps 0.6\n", using, using, using,
            using);
}

static void draw_branch(FILE *gnuplot, const void *study)
{
    const struct branches *own = study;
    const struct branch *branch = own->branch[BY_A];
    const struct branch_point *fold = point_of_kind(branch, BRANCH_FOLD);
    double speed = speed_of(own, fold), gap = 1e6 * (own->grazing - own->fold);
    char shifted[60];
    print_closed(gnuplot, own, "stable", speed, speed_of(own, &branch->point[0]));
    print_closed(gnuplot, own, "unstable", speed, 0);
    print_points(gnuplot, own);
    fprintf(gnuplot, "$ends << END\n%.12g %.9g\n%.12g 0\nEND\n", fold->rho, speed,
            own->grazing);
    fputs("set multiplot layout 1,2\nunset key\n"
          "set xlabel 'A [N]'\nset ylabel 'speed of the impact [m/s]'\n"
          "set xrange [0:*]\nset yrange [0:*]\nset xtics 0.5\nset ytics 0.5\n",
          gnuplot);
    plot_branch(gnuplot, "1:2");
    fprintf(gnuplot, "set xlabel 'A - %.4g N [1e-6 N]'\n"
            "set ylabel 'speed of the impact [mm/s]'\n"
            "set xrange [%.6g:%.6g]\nset yrange [0:%.6g]\nset xtics 50\nset ytics 5\n"
            "set label 'fold' at %.6g, %.6g offset 0.8, 0\n"
            "set label 'grazing' at 0, 0 offset 0.8, 0.6\n"
            "set label 'stable' at %.6g, %.6g left tc lt 1\n"
            "set label 'unstable' at %.6g, %.6g left tc lt 2\n", own->grazing,
            -2 * gap, 4 * gap, 4e3 * speed, -gap, 1e3 * speed, gap, 2e3 * speed,
            0.9 * gap, 0.6e3 * speed);
    snprintf(shifted, sizeof shifted, "(1e6*($1 - %.12g)):(1e3*$2)",
             own->grazing);
    plot_branch(gnuplot, shifted);
    fputs("unset multiplot\n", gnuplot);
}

static void draw_multipliers(FILE *gnuplot, const void *study)
{
    const struct branches *own = study;
    const struct branch *branch = own->branch[BY_A];
    fputs("$moduli << END\n", gnuplot);
    for (int k = 0; k < branch->points; k++) {
        const struct branch_point *point = &branch->point[k];
        double modulus[2];
        if (point->multipliers == 0)
            continue;
        moduli(point, modulus);
        fprintf(gnuplot, "%.9g %.9g %.9g\n", speed_of(own, point), modulus[0],
                modulus[1]);
    }
    fprintf(gnuplot, "END\n"
            "set logscale xy\nset format xy '%%.0e'\n"
            "set xlabel 'speed of the impact [m/s]'\n"
            "set ylabel 'modulus of a multiplier [1]'\n"
            "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead ls 100\n"
            "set label 'fold' at %.9g, graph 0.08 offset 0.5, 0\n"
            "plot $moduli using 1:2 with linespoints lt 1 pt 6 ps 0.35 title 'larger', "
            "\\\n     $moduli using 1:3 with linespoints lt 2 pt 6 ps 0.35 "
            "title 'smaller', \\\n     1 with lines ls 100 notitle\n",
            speed_of(own, point_of_kind(branch, BRANCH_FOLD)),
            speed_of(own, point_of_kind(branch, BRANCH_FOLD)),
            speed_of(own, point_of_kind(branch, BRANCH_FOLD)));
}

static const struct figure figures[] = {
    {"dankowicz-branch-A", "ours", "periodic motions over the amplitude of the drive",
     "Left: the speed of the impact grows with the amplitude, nearly along a line from a "
     "point on the axis. Right: around that point the curve turns back at a fold, and "
     "ends at speed zero at a larger amplitude, unstable from the fold on. Circles, the "
     "points of the continuation, lie on the curve.", 0, 0,
     draw_branch},
    {"dankowicz-multipliers", "ours", "multipliers along the branch in A",
     "Over the speed of the impact both moduli are equal at large speeds; below, one "
     "grows, passes 1 at the fold and grows like the inverse of the speed, and the other "
     "one falls.", 0, 0, draw_multipliers},
    {0}};

const struct study dankowicz_branches = {
    .name = "dankowicz, branches", .weight = 1, .open = open_study, .close = close_study,
    .claim = claims, .figure = figures};
