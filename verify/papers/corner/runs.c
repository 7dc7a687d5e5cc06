/*
 * runs.c - runs of the case study of Corner, Sandu, Sandu 2019, section 7
 * (corner.h)
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "papers/corner/corner.h"

const struct attachment corner_attachment[ATTACHMENTS] = {{"five-bar", "1-B, 2-B"},
                                                          {"five-bar-nine", "3-A, 2-B"}};
const char *const corner_length[LENGTHS] = {"L01", "L02"};
const double corner_drho = 1e-4;

enum { EVENLY = 400 };

/* --- sample times ------------------------------------------------------------------- */

/* Times beside an event, in widths of the spike of a difference: three are inside. None
   is the event time itself, where a run has both sides. */
static const double beside[] = {-1, -0.51, -0.49, 0.1, 0.49, 0.51, 1};
enum { BESIDE = sizeof beside / sizeof *beside };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times of samples: even ones, and some beside every event of the scout. Returns their
   number. */
static int choose_times(const struct paper_run *scout, double **time)
{
    const struct trajectory *motion = scout->trajectory;
    double t_end = scout->request.t_end;
    int count = 0, kept = 0;
    *time = memory_new(EVENLY + motion->events * LENGTHS * BESIDE, sizeof **time);
    for (int k = 1; k <= EVENLY; k++)
        (*time)[count++] = k < EVENLY ? t_end * k / EVENLY : t_end;
    for (int e = 0; e < motion->events; e++)
        for (int j = 0; j < LENGTHS; j++) {
            double width = corner_drho * fabs(motion->event[e].tau[j]);
            for (int i = 0; i < BESIDE; i++)
                (*time)[count++] = motion->event[e].before.t + beside[i] * width;
        }
    qsort(*time, (size_t)count, sizeof **time, by_size);
    for (int k = 0; k < count; k++)
        if ((*time)[k] > 0 && (*time)[k] <= t_end &&
            (kept == 0 || (*time)[k] > (*time)[kept - 1]))
            (*time)[kept++] = (*time)[k];
    return kept;
}

/* --- runs --------------------------------------------------------------------------- */

static void prepare(struct paper_run *run, const char *name, const char *sens)
{
    paper_run_init(run, name, "penalty", EVENLY, sens);
    paper_run_option(run, "alpha", CORNER_ALPHA);
}

/* Runs a case with one length moved by so much. */
static void run_moved(struct paper_run *run, const char *name, int j, double by,
                      const double *time, int times)
{
    prepare(run, name, "");
    if (run->status != OK)
        return;
    paper_run_set(run, corner_length[j], paper_value(run, corner_length[j]) + by);
    paper_run_times(run, time, times);
    paper_run_go(run);
}

/* Are both twins run, with as many events as the run between them? */
static bool comparable(const struct twins *twins, const struct paper_run *run)
{
    return twins->lower.status == OK && twins->upper.status == OK &&
           twins->lower.trajectory->events == run->trajectory->events &&
           twins->upper.trajectory->events == run->trajectory->events;
}

static enum status run_bars(struct bars *bars, char *why, int size)
{
    const char *name = bars->attachment->case_name;
    struct paper_run scout, *run = &bars->run;
    double *time = NULL;
    bool good = true;
    prepare(&scout, name, "L01,L02");
    prepare(run, name, "L01,L02");
    if (paper_run_go(&scout) == OK) {
        int times = choose_times(&scout, &time);
        paper_run_times(run, time, times);
        paper_run_go(run);
        paper_run_complex(run, &bars->exact);
        for (int j = 0; run->status == OK && j < LENGTHS; j++) {
            struct twins *twins = &bars->twins[j];
            run_moved(&twins->lower, name, j, -corner_drho / 2, time, times);
            run_moved(&twins->upper, name, j, corner_drho / 2, time, times);
            good = good && comparable(twins, run);
        }
    }
    enum status status = paper_run_why(scout.status != OK ? &scout : run, why, size);
    if (status == OK && !good) {
        snprintf(why, (size_t)size, "%s: twins have other events", name);
        status = NOT_APPLICABLE;
    }
    paper_run_clear(&scout);
    free(time);
    return status;
}

/* Sets `forward` and `whole`. */
static void run_whole_steps(struct case_study *study)
{
    const struct bars *bars = &study->bars[0];
    const struct trajectory *motion = bars->run.trajectory;
    const double *end = paper_end(motion)->x;
    const double t_end = bars->run.request.t_end;
    int y2 = paper_column(motion, "q.y2");
    double moved[2];
    for (int side = 0; side < 2; side++) {
        struct paper_run run;
        run_moved(&run, bars->attachment->case_name, 0,
                  side == 0 ? -corner_drho : corner_drho, &t_end, 1);
        moved[side] = run.status == OK ? run.trajectory->sample[1].x[y2] : NAN;
        paper_run_clear(&run);
    }
    double exact = end[paper_column(motion, "dq.y2/dL01")] * corner_drho;
    study->forward = (moved[1] - end[y2]) / exact;
    study->whole = (moved[1] - moved[0]) / exact;
}

enum status corner_open(struct task *task, void **study, char *why, int size)
{
    (void)task;
    struct case_study *all = *study = memory_new(1, sizeof *all);
    for (int a = 0; a < ATTACHMENTS; a++) {
        all->bars[a].attachment = &corner_attachment[a];
        enum status status = run_bars(&all->bars[a], why, size);
        if (status != OK)
            return status;
    }
    run_whole_steps(all);
    return OK;
}

void corner_close(void *study)
{
    struct case_study *all = study;
    for (int a = 0; a < ATTACHMENTS; a++) {
        for (int j = 0; j < LENGTHS; j++) {
            paper_run_clear(&all->bars[a].twins[j].lower);
            paper_run_clear(&all->bars[a].twins[j].upper);
        }
        trajectory_free(all->bars[a].exact);
        paper_run_clear(&all->bars[a].run);
    }
    free(all);
}

/* --- twins -------------------------------------------------------------------------- */

double corner_difference(const struct bars *bars, int j, int sample, int column)
{
    const struct twins *twins = &bars->twins[j];
    return (twins->upper.trajectory->sample[sample].x[column] -
            twins->lower.trajectory->sample[sample].x[column]) /
           corner_drho;
}

bool corner_between_twins(const struct bars *bars, int j, int sample)
{
    const struct trajectory *lower = bars->twins[j].lower.trajectory;
    const struct trajectory *upper = bars->twins[j].upper.trajectory;
    double t = bars->run.trajectory->sample[sample].t;
    for (int e = 0; e < lower->events; e++) {
        double a = lower->event[e].before.t, b = upper->event[e].before.t;
        if (fmin(a, b) <= t && t <= fmax(a, b))
            return true;
    }
    return false;
}
