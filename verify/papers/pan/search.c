/*
 * search.c - Pan, Ding, Wang 2004, section 5: a start at rest that gives the printed
 * cost and gradient is sought on a grid, and near its best places by Levenberg-Marquardt
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "jobs/pool.h"
#include "papers/pan/pan.h"

/* Both angles are taken every STEP degrees; a start and its mirror image about the
   vertical have one psi, so that bar 1 needs half a turn. */
enum { STEP = 5, FIRST = 180 / STEP + 1, SECOND = 360 / STEP, GRID = FIRST * SECOND };
enum { GRAVITIES = 3, TRIED = 48, UNKNOWNS = 3, ITERATIONS = 30 };

static const double gravity[GRAVITIES] = {9.8, 9.81, 10};

/* A start at rest, and how far it is from the printed numbers. */
struct candidate {
    double th1, th2, g;         /* rad, rad, m/s^2 */
    double number[PAN_NUMBERS]; /* psi and its gradient */
    double miss;                /* largest difference from a printed number, in units of
                                   its last place */
};

struct search {
    struct paper_run plain;     /* requests: of psi; of psi and its gradient */
    struct paper_run direct;
    struct paper_run fine;      /* the same to more digits */
    double printed[PAN_NUMBERS], unit[PAN_NUMBERS];
    int near, tried;            /* grid starts with psi near the printed one; all */
    double closest;             /* smallest difference of psi on the grid */
    struct candidate grid[TRIED];       /* best first */
    struct candidate fixed, free;       /* refined with g as it is, and with g free */
};

/* --- candidates --------------------------------------------------------------------- */

static void measure(const struct search *search, struct candidate *candidate)
{
    candidate->miss = 0;
    for (int k = 0; k < PAN_NUMBERS; k++)
        candidate->miss = fmax(candidate->miss,
                               fabs(candidate->number[k] - search->printed[k]) /
                                   search->unit[k]);
}

/* Keeps the candidate if it is one of the TRIED best. */
static void keep(struct search *search, const struct candidate *candidate)
{
    int k = TRIED - 1;
    if (!(candidate->miss < search->grid[k].miss))
        return;
    for (; k > 0 && candidate->miss < search->grid[k - 1].miss; k--)
        search->grid[k] = search->grid[k - 1];
    search->grid[k] = *candidate;
}

static void set_start(struct paper_run *run, const struct candidate *candidate)
{
    paper_run_set(run, "start1", candidate->th1);
    paper_run_set(run, "start2", candidate->th2);
    paper_run_set(run, "g", candidate->g);
}

/* --- the grid ----------------------------------------------------------------------- */

/* Takes psi of a start, and its gradient where psi is within 1 of the printed one. */
static void look(struct search *search, struct runner *plain, struct runner *direct,
                 struct candidate *candidate)
{
    struct trajectory *run = NULL;
    struct diagnosis diagnosis;
    set_start(&search->plain, candidate);
    search->tried++;
    if (runner_run(plain, search->plain.value, &run, &diagnosis) != OK) {
        trajectory_free(run);
        return;
    }
    double gap = fabs(run->psi[0] - search->printed[0]);
    trajectory_free(run);
    search->closest = fmin(search->closest, gap);
    if (gap > 1 || runner_run(direct, search->plain.value, &run, &diagnosis) != OK)
        return;
    search->near++;
    memory_copy(candidate->number, run->psi, PAN_NUMBERS, sizeof *run->psi);
    trajectory_free(run);
    measure(search, candidate);
    keep(search, candidate);
}

static enum status search_grid(struct search *search, struct task *task)
{
    struct runner *plain = runner_new(&search->plain.request, &search->plain.diagnosis);
    struct runner *direct = runner_new(&search->direct.request,
                                       &search->direct.diagnosis);
    for (int k = 0; plain && direct && k < GRAVITIES * GRID; k++) {
        struct candidate candidate = {
            .th1 = (k % GRID / SECOND * STEP - 90) * M_PI / 180,
            .th2 = (k % SECOND * STEP - 180) * M_PI / 180, .g = gravity[k / GRID]};
        look(search, plain, direct, &candidate);
        if (task && k % SECOND == 0)
            task_progress(task, 0.3 * k / (GRAVITIES * GRID));
    }
    enum status status = !plain  ? search->plain.diagnosis.status
                         : !direct ? search->direct.diagnosis.status
                                   : OK;
    runner_free(direct);
    runner_free(plain);
    return status;
}

/* --- refined ------------------------------------------------------------------------ */

/* A start in hand: unknowns th1, th2 and, if it is free, g. */
struct refined {
    struct search *search;
    struct runner *runner;      /* of search->fine */
    struct candidate candidate;
};

/* Sets the start, and takes its numbers as differences from the printed ones. */
static int differences(const gsl_vector *x, void *context, gsl_vector *f)
{
    struct refined *refined = context;
    struct candidate *c = &refined->candidate;
    double *const unknown[UNKNOWNS] = {&c->th1, &c->th2, &c->g};
    struct paper_run *fine = &refined->search->fine;
    struct trajectory *run = NULL;
    struct diagnosis diagnosis;
    for (size_t i = 0; i < x->size; i++)
        *unknown[i] = gsl_vector_get(x, i);
    set_start(fine, c);
    bool good = runner_run(refined->runner, fine->value, &run, &diagnosis) == OK;
    for (int k = 0; good && k < PAN_NUMBERS; k++) {
        c->number[k] = run->psi[k];
        gsl_vector_set(f, (size_t)k, run->psi[k] - refined->search->printed[k]);
    }
    trajectory_free(run);
    return good ? GSL_SUCCESS : GSL_EFAILED;
}

/* The nearest start that least squares find from one, by differences of runs. */
static struct candidate refine(struct search *search, struct runner *runner,
                               const struct candidate *from, int unknowns)
{
    struct refined refined = {search, runner, *from};
    gsl_multifit_nlinear_parameters choice = gsl_multifit_nlinear_default_parameters();
    choice.h_df = 1e-5;         /* runs are good to 1e-10 and vary over 0.01 rad */
    gsl_multifit_nlinear_fdf system = {
        .f = differences, .n = PAN_NUMBERS, .p = (size_t)unknowns, .params = &refined};
    gsl_multifit_nlinear_workspace *work = gsl_multifit_nlinear_alloc(
        gsl_multifit_nlinear_trust, &choice, PAN_NUMBERS, (size_t)unknowns);
    double start[UNKNOWNS] = {from->th1, from->th2, from->g};
    gsl_vector_view x = gsl_vector_view_array(start, (size_t)unknowns);
    gsl_vector *f = gsl_vector_alloc(PAN_NUMBERS);
    int info;
    if (gsl_multifit_nlinear_init(&x.vector, &system, work) == GSL_SUCCESS)
        gsl_multifit_nlinear_driver(ITERATIONS, 1e-8, 1e-8, 0, NULL, NULL, &info, work);
    bool good = differences(gsl_multifit_nlinear_position(work), &refined, f) ==
                GSL_SUCCESS;
    gsl_vector_free(f);
    gsl_multifit_nlinear_free(work);
    measure(search, &refined.candidate);
    return good ? refined.candidate : *from;
}

static enum status refine_all(struct search *search, struct task *task)
{
    struct runner *runner = runner_new(&search->fine.request, &search->fine.diagnosis);
    if (!runner)
        return search->fine.diagnosis.status;
    search->fixed.miss = search->free.miss = INFINITY;
    for (int k = 0; k < TRIED && isfinite(search->grid[k].miss); k++) {
        struct candidate fixed = refine(search, runner, &search->grid[k], UNKNOWNS - 1);
        struct candidate free = refine(search, runner, &fixed, UNKNOWNS);
        if (fixed.miss < search->fixed.miss)
            search->fixed = fixed;
        if (free.miss < search->free.miss)
            search->free = free;
        if (task)
            task_progress(task, 0.3 + 0.7 * (k + 1) / TRIED);
    }
    runner_free(runner);
    return OK;
}

/* --- the study ---------------------------------------------------------------------- */

static enum status prepare(struct search *search, char *why, int size)
{
    static const char *const sens[] = {"", "l1,l2,m1,m2", "l1,l2,m1,m2"};
    struct paper_run *const run[] = {&search->plain, &search->direct, &search->fine};
    const double rtol[] = {1e-6, 1e-6, 1e-10};
    for (int k = 0; k < 3; k++) {
        if (paper_run_init(run[k], "two-link", "ode", 0, sens[k]) != OK)
            return paper_run_why(run[k], why, size);
        paper_run_tolerance(run[k], rtol[k]);
        run[k]->request.without_unknowns = true;
    }
    for (int k = 0; k < PAN_NUMBERS; k++)
        search->printed[k] = pan_number(k, &search->unit[k]);
    for (int k = 0; k < TRIED; k++)
        search->grid[k].miss = INFINITY;
    search->closest = INFINITY;
    return OK;
}

static enum status open_search(struct task *task, void **study, char *why, int size)
{
    struct search *search = *study = memory_new(1, sizeof *search);
    gsl_set_error_handler_off();
    enum status status = prepare(search, why, size);
    if (status == OK && (status = search_grid(search, task)) != OK)
        snprintf(why, (size_t)size, "grid: %s", status_text(status));
    if (status == OK && (status = refine_all(search, task)) != OK)
        snprintf(why, (size_t)size, "least squares: %s", search->fine.diagnosis.place);
    return status;
}

static void close_search(void *study)
{
    struct search *search = study;
    paper_run_clear(&search->plain);
    paper_run_clear(&search->direct);
    paper_run_clear(&search->fine);
    free(search);
}

/* --- claims ------------------------------------------------------------------------- */

static void tell_candidate(struct finding *finding, const char *which,
                           const struct candidate *c)
{
    finding_tell(finding, "%s: th = (%.2f, %.2f) degrees, g = %.4g m/s^2: %.4f, %.4f, "
                 "%.4f, %.4f, %.4f.", which, c->th1 * 180 / M_PI, c->th2 * 180 / M_PI,
                 c->g, c->number[0], c->number[1], c->number[2], c->number[3],
                 c->number[4]);
}

static void judge_search(const void *study, const struct claim *claim,
                         struct finding *finding)
{
    const struct search *search = study;
    (void)claim;
    finding_reaches(finding, search->fixed.miss, 1);
    finding_tell(finding, "Ours is the largest miss of the nearest start found, in units "
                 "of the last printed place. Sought: %d starts, angles every %d degrees, "
                 "g = %g, %g, %g m/s^2; psi is within 1 of the printed one for %d, "
                 "within %.2g for one. Then least squares.", search->tried, STEP,
                 gravity[0], gravity[1], gravity[2], search->near, search->closest);
    tell_candidate(finding, "Grid", &search->grid[0]);
    tell_candidate(finding, "Refined", &search->fixed);
    tell_candidate(finding, "With g free", &search->free);
}

static const struct claim claims[] = {
    {"ours", "one start at rest gives all five printed numbers", "", "", judge_search, 0},
    {0}};

const struct study pan_search_study = {
    .name = "pan, search for the start", .weight = 10, .open = open_search,
    .close = close_search, .claim = claims};
