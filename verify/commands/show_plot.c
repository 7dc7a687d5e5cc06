/*
 * show_plot.c - `saltus show --plot`: the mechanism, or its coordinates, on a motion.
 */
#include "commands/picture.h"
#include "commands/setup.h"
#include "commands/show.h"
#include "drawings/motion.h"
#include "drawings/shown_motion.h"

enum { POINTS = 400 };

/* A motion that is drawn, and the words about it. */
struct picture {
    const struct model *model;
    struct shown_motion shown;
    struct motion_plot plot;    /* its curves, where the model has no segments */
    struct motion_choice choice;
    char note[200];
};

/* --- the picture -------------------------------------------------------------------- */

static void draw(FILE *gnuplot, const void *context)
{
    const struct picture *picture = context;
    if (picture->model->segments > 0)
        mechanism_draw(gnuplot, picture->shown.trajectory, picture->note);
    else
        motion_plot_draw(gnuplot, &picture->plot);
}

static enum exit_status write(const struct args *args, struct picture *picture)
{
    char why[400];
    picture->plot = (struct motion_plot){picture->shown.trajectory, &picture->choice};
    motion_choose(&picture->choice, &picture->shown.trajectory->columns, NULL, NULL, why,
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
    struct picture picture = {.model = model};
    enum exit_status status;
    shown_motion_run(&picture.shown, model, value, POINTS);
    const struct diagnosis *diagnosis = &picture.shown.diagnosis;
    if (!picture.shown.trajectory || picture.shown.trajectory->samples == 0) {
        status = complain_refusal(args, model->desc->name, diagnosis);
    } else {
        if (picture.shown.status != OK)
            snprintf(picture.note, sizeof picture.note, "until t = %.6g s: %s",
                     diagnosis->t, status_text(picture.shown.status));
        status = write(args, &picture);
    }
    shown_motion_clear(&picture.shown);
    return status;
}
