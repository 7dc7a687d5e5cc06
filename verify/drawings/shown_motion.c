/*
 * shown_motion.c - a motion by the first formulation that keeps to it (shown_motion.h)
 */
#include "drawings/shown_motion.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coverage/classes.h"
#include "motion/reference_motion.h"
#include "motion/run_exact.h"
#include "motion/samples.h"

/* Is the motion good enough to be looked at? At singular points an ALGEBRAIC formulation
   may go on along another branch without a word. */
static bool good(const struct shown_motion *shown, const struct formulation *formulation,
                 bool singular)
{
    return shown->status == OK && shown->trajectory->worst_Phi < 1e-5 &&
           (formulation->kind == DAE || !singular);
}

static void run_others(struct shown_motion *shown, const struct run_request *like,
                       bool singular)
{
    bool found = false;
    const char *option[MAX_OPTIONS];
    struct run_request request = *like;
    request.option = option;
    for (int k = 0; formulations[k] && !found; k++) {
        struct shown_motion other = {.diagnosis = {.t = NAN}};
        request.formulation = formulations[k];
        if (!(formulations[k]->capabilities & KEEPS_CONSTRAINTS) ||
            !formulation_applies(formulations[k], like->model, NULL))
            continue;
        options_nominal(formulations[k], option);
        other.status = run_once(&request, &other.trajectory, &other.diagnosis);
        found = good(&other, formulations[k], singular);
        if (found) {
            trajectory_free(shown->trajectory);
            *shown = other;
        } else {
            trajectory_free(other.trajectory);
        }
    }
}

void shown_motion_run(struct shown_motion *shown, const struct model *model,
                      const double *value, int points)
{
    double t0, t_end, *sample = memory_new(points, sizeof *sample);
    struct run_request request = {.model = model, .value = value, .rtol = 1e-9,
                                  .atol = 1e-12, .t_end = NAN, .samples = points,
                                  .sample = sample};
    bool singular = classes_declared(model->desc) & 1u << CLASS_SINGULAR_POINTS;
    *shown = (struct shown_motion){.diagnosis = {.t = NAN}};
    shown->status = model_times(model, value, &t0, &t_end, &shown->diagnosis);
    if (shown->status == OK)
        even_times(t0, t_end, points, sample);
    if (shown->status == OK)
        shown->status = run_exact(&request, &shown->trajectory, &shown->diagnosis);
    if (shown->trajectory && !good(shown, formulation_default(model), singular))
        run_others(shown, &request, singular);
    free(sample);
}

void shown_motion_clear(struct shown_motion *shown)
{
    trajectory_free(shown->trajectory);
    shown->trajectory = NULL;
}
