/*
 * mechanism.c - a mechanism and its motion as commands for gnuplot: its segments at the
 * start and later, the paths of its points, and their places at events.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "drawings/gnuplot.h"
#include "drawings/motion.h"
#include "drawings/scene.h"

enum {
    LATER = 10,             /* number of configurations after the first */
    MOST_PATHS = 16         /* number of paths: more would be a thicket */
};

/* --- data --------------------------------------------------------------------------- */

static void print_segments(FILE *gnuplot, const struct scene *scene)
{
    for (int i = 0; i < scene->ends; i += 2) {
        const double *r = scene->place + 2 * i;
        fprintf(gnuplot, "%.6g %.6g\n%.6g %.6g\n\n", r[0], r[1], r[2], r[3]);
    }
}

/* Prints the segments that are points. */
static void print_marks(FILE *gnuplot, const struct scene *scene)
{
    for (int i = 0; i < scene->ends; i += 2) {
        const double *r = scene->place + 2 * i;
        if (r[0] == r[2] && r[1] == r[3])
            fprintf(gnuplot, "%.6g %.6g\n", r[0], r[1]);
    }
}

static void print_start(FILE *gnuplot, struct scene *scene)
{
    scene_set(scene, &scene->trajectory->sample[0]);
    fputs("$start << END\n", gnuplot);
    print_segments(gnuplot, scene);
    fputs("END\n$marks << END\nNaN NaN\n", gnuplot);
    print_marks(gnuplot, scene);
    fputs("END\n", gnuplot);
}

/* Prints later configurations; returns the time between two of them. */
static double print_later(FILE *gnuplot, struct scene *scene)
{
    const struct trajectory *trajectory = scene->trajectory;
    int last = trajectory->samples - 1;
    fputs("$later << END\nNaN NaN\n\n", gnuplot);
    for (int k = 1; k <= LATER && last >= LATER; k++) {
        scene_set(scene, &trajectory->sample[(long)last * k / LATER]);
        print_segments(gnuplot, scene);
    }
    fputs("END\n", gnuplot);
    return (trajectory->sample[last].t - trajectory->sample[0].t) / LATER;
}

/* Prints the path of one end in order of time, broken where an event moves the end. */
static void print_path(FILE *gnuplot, struct scene *scene, int end)
{
    const struct trajectory *trajectory = scene->trajectory;
    double last[2] = {NAN, NAN};
    for (int k = 0, next = 0; k < trajectory->samples; k++) {
        const struct run_point *sample = &trajectory->sample[k];
        for (; next < trajectory->events &&
               trajectory->event[next].before.t <= sample->t; next++) {
            const double *r = scene->place + 2 * end;
            scene_set(scene, &trajectory->event[next].before);
            fprintf(gnuplot, "%.6g %.6g\n", r[0], r[1]);
            last[0] = r[0];
            last[1] = r[1];
            scene_set(scene, &trajectory->event[next].after);
            if (hypot(r[0] - last[0], r[1] - last[1]) > 1e-9)
                fputs("\n", gnuplot);
            fprintf(gnuplot, "%.6g %.6g\n", r[0], r[1]);
        }
        scene_set(scene, sample);
        fprintf(gnuplot, "%.6g %.6g\n", scene->place[2 * end], scene->place[2 * end + 1]);
    }
    fputs("\n\n", gnuplot);
}

static void print_paths(FILE *gnuplot, struct scene *scene)
{
    int paths = 0;
    fputs("$paths << END\nNaN NaN\n\n\n", gnuplot);
    for (int end = 0; end < scene->ends && paths < MOST_PATHS; end++)
        if (scene->path[end]) {
            print_path(gnuplot, scene, end);
            paths++;
        }
    fputs("END\n", gnuplot);
}

/* Prints the moving ends just before every event of this kind; false: none has
   happened. */
static bool print_event(FILE *gnuplot, struct scene *scene, const struct event *event)
{
    const struct trajectory *trajectory = scene->trajectory;
    bool happened = false;
    for (int k = 0; k < trajectory->events; k++) {
        if (trajectory->event[k].event != event)
            continue;
        if (!happened)
            fprintf(gnuplot, "$event%d << END\n", event->index);
        happened = true;
        scene_set(scene, &trajectory->event[k].before);
        for (int end = 0; end < scene->ends; end++)
            if (scene->path[end])
                fprintf(gnuplot, "%.6g %.6g\n", scene->place[2 * end],
                        scene->place[2 * end + 1]);
    }
    if (happened)
        fputs("END\n", gnuplot);
    return happened;
}

/* --- the picture -------------------------------------------------------------------- */

/* Prints a corner with the directions of x, y, z, for a mechanism in space. */
static void print_axes(FILE *gnuplot, const struct scene *scene)
{
    static const char *const name[] = {"x", "y", "z"};
    const double size = 0.07, at[2] = {0.88, 0.15};
    fputs("unset xlabel\nunset ylabel\nunset xtics\nunset ytics\nunset grid\n", gnuplot);
    for (int k = 0; k < 3; k++) {
        double x = at[0] + size * scene->view[0][k];
        double y = at[1] + size * scene->view[1][k] * 1000 / 700;
        fprintf(gnuplot, "set arrow from screen %.3f, screen %.3f "
                "to screen %.3f, screen %.3f "
                "lw 1.5 front\nset label \"%s\" at screen %.3f, screen %.3f front\n",
                at[0], at[1], x, y, name[k], x + 0.012, y);
    }
}

static void print_style(FILE *gnuplot, const struct scene *scene, const char *note)
{
    if (note) {
        fputs("set title ", gnuplot);
        motion_case_text(gnuplot, scene->model);
        if (*note)
            fputs(" . \"\\n\" . ", gnuplot);
        if (*note)
            gnuplot_text(gnuplot, note);
        fputs(" noenhanced\nset key outside right top vertical\n", gnuplot);
    }
    fputs("set size ratio -1\n"
          "set xlabel 'x [m]'\nset ylabel 'y [m]'\n"
          "set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n", gnuplot);
    if (scene->space)
        print_axes(gnuplot, scene);
}

static void print_plot(FILE *gnuplot, const struct model *model, double between,
                       double start, const bool *happened)
{
    static const char *const colour[] = {"#c00000", "#007000", "#7000a0", "#c06000",
                                         "#007090", "#606000"};
    enum { COLOURS = 6, FIRST_MARK = 4, MARKS = 10 };   /* open and full shapes */
    fprintf(gnuplot, "plot $later with lines lw 1 lc rgb '#a8c4e0' "
            "title \"later, every %.3g s\", \\\n"
            "$paths with lines lw 1.4 lc rgb '#808080' dt 3 "
            "title \"paths of points\", \\\n"
            "$start with lines lw 3.5 lc rgb '#202020' title \"at t = %.3g s\", \\\n"
            "$marks with points pt 7 ps 0.9 lc rgb '#202020' notitle", between, start);
    for (int k = 0, shown = 0; k < model->events; k++)
        if (happened[k]) {
            fprintf(gnuplot, ", \\\n$event%d with points pt %d ps 0.8 lw 1.5 lc rgb '%s' "
                    "title \"event %s\"", k, FIRST_MARK + shown % MARKS,
                    colour[shown % COLOURS], model->event[k]->name);
            shown++;
        }
    fputs("\n", gnuplot);
}

void mechanism_draw(FILE *gnuplot, const struct trajectory *trajectory, const char *note)
{
    const struct model *model = trajectory->columns.model;
    struct scene scene;
    bool *happened = memory_new(model->events, sizeof *happened);
    scene_init(&scene, trajectory);
    print_start(gnuplot, &scene);
    double between = print_later(gnuplot, &scene);
    print_paths(gnuplot, &scene);
    for (int k = 0; k < model->events; k++)
        happened[k] = print_event(gnuplot, &scene, model->event[k]);
    print_style(gnuplot, &scene, note);
    print_plot(gnuplot, model, between, trajectory->sample[0].t, happened);
    scene_clear(&scene);
    free(happened);
}
