/*
 * show_plot.c - `saltus show --plot`: the mechanism, or its coordinates, on a motion.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "commands/picture.h"
#include "commands/setup.h"
#include "commands/show.h"
#include "coverage/classes.h"
#include "drawings/motion.h"
#include "motion/reference_motion.h"
#include "motion/run_exact.h"

enum { POINTS = 400 };

/* A motion that is drawn, and the words about it. */
struct picture {
    const struct model *model;
    struct trajectory *trajectory;
    struct motion_plot plot;    /* its curves, where the model has no segments */
    struct motion_choice choice;
    struct diagnosis diagnosis;
    enum status status;
    bool singular;              /* the motion goes through singular points */
    char note[200];
};

/* --- the motion --------------------------------------------------------------------- */

/* Is the motion good enough to be looked at? At singular points an ALGEBRAIC formulation
   may go on along another branch without a word. */
static bool good(const struct picture *picture, const struct formulation *formulation)
{
    return picture->status == OK && picture->trajectory->worst_Phi < 1e-5 &&
           (formulation->kind == DAE || !picture->singular);
}

/* Runs another formulation of the exact motion, where the default one refuses or does not
   keep to the motion. */
static void run_others(struct picture *picture, const struct run_request *like)
{
    bool found = false;
    const char *option[MAX_OPTIONS];
    struct run_request request = *like;
    request.option = option;
    for (int k = 0; formulations[k] && !found; k++) {
        struct picture other = {.model = picture->model, .singular = picture->singular};
        request.formulation = formulations[k];
        if (!(formulations[k]->capabilities & KEEPS_CONSTRAINTS) ||
            !formulation_applies(formulations[k], like->model, NULL))
            continue;
        options_nominal(formulations[k], option);
        other.status = run_once(&request, &other.trajectory, &other.diagnosis);
        found = good(&other, formulations[k]);
        if (found) {
            trajectory_free(picture->trajectory);
            *picture = other;
        } else {
            trajectory_free(other.trajectory);
        }
    }
}

static void move(struct picture *picture, const double *value)
{
    double t0, t_end, *sample = memory_new(POINTS, sizeof *sample);
    struct run_request request = {.model = picture->model, .value = value, .rtol = 1e-9,
                                  .atol = 1e-12, .t_end = NAN, .samples = POINTS,
                                  .sample = sample};
    picture->status = model_times(picture->model, value, &t0, &t_end,
                                  &picture->diagnosis);
    for (int k = 0; k < POINTS; k++)
        sample[k] = k + 1 < POINTS ? t0 + (t_end - t0) * (k + 1) / POINTS : t_end;
    if (picture->status == OK)
        picture->status = run_exact(&request, &picture->trajectory, &picture->diagnosis);
    if (picture->trajectory && !good(picture, formulation_default(picture->model)))
        run_others(picture, &request);
    free(sample);
}

/* --- the picture -------------------------------------------------------------------- */

static void draw(FILE *gnuplot, const void *context)
{
    const struct picture *picture = context;
    if (picture->model->segments > 0)
        mechanism_draw(gnuplot, picture->trajectory, picture->note);
    else
        motion_plot_draw(gnuplot, &picture->plot);
}

static enum exit_status write(const struct args *args, struct picture *picture)
{
    char why[400];
    picture->plot = (struct motion_plot){picture->trajectory, &picture->choice};
    motion_choose(&picture->choice, &picture->trajectory->columns, NULL, NULL, why,
                  sizeof why);
    double height =
        picture->model->segments > 0 ? 125 : motion_plot_height(&picture->plot);
    const struct drawing drawing = {PAGE_WIDTH, height, draw, picture};
    bool there = picture_write(args, &drawing);
    motion_choice_clear(&picture->choice);
    return there ? EXIT_HELD : EXIT_USAGE;
}

enum exit_status show_plot(const struct args *args, const struct model *model,
                           const double *value)
{
    struct picture picture = {.model = model, .diagnosis = {.t = NAN}};
    enum exit_status status;
    picture.singular = classes_declared(model->desc) & 1u << CLASS_SINGULAR_POINTS;
    move(&picture, value);
    if (!picture.trajectory || picture.trajectory->samples == 0) {
        status = complain_refusal(args, model->desc->name, &picture.diagnosis);
    } else {
        if (picture.status != OK)
            snprintf(picture.note, sizeof picture.note, "until t = %.6g s: %s",
                     picture.diagnosis.t, status_text(picture.status));
        status = write(args, &picture);
    }
    trajectory_free(picture.trajectory);
    return status;
}
