/*
 * scene.c - the projection of a mechanism onto a picture (scene.h)
 */
#include "drawings/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const formula *end_of(const struct scene *scene, int end)
{
    const struct segment *segment = &scene->model->segment[end / 2];
    return end % 2 ? segment->to : segment->from;
}

/* Evaluates the ends at a point, in space: r [ends][3]. */
static void evaluate(struct scene *scene, const struct run_point *point, double *r)
{
    const int *begin = scene->trajectory->columns.begin;
    struct program *program = scene->program;
    program_load(program, BLOCK_T, &point->t, scene->w);
    program_load(program, BLOCK_Q, point->x + begin[GROUP_Q], scene->w);
    program_load(program, BLOCK_S, point->x + begin[GROUP_S], scene->w);
    program_run(program, 1, scene->w);
    for (int k = 0; k < 3 * scene->ends; k++)
        r[k] = scene->w[program->output[k]];
}

static void project(const struct scene *scene, const double *r, double *place)
{
    for (int i = 0; i < scene->ends; i++)
        for (int k = 0; k < 2; k++)
            place[2 * i + k] = scene->view[k][0] * r[3 * i] +
                               scene->view[k][1] * r[3 * i + 1] +
                               scene->view[k][2] * r[3 * i + 2];
}

/* --- the view ----------------------------------------------------------------------- */

/* Sets the view from the azimuth and elevation of the eye, in degrees; z is up. */
static void look_from(struct scene *scene, double azimuth, double elevation)
{
    double a = azimuth * M_PI / 180, e = elevation * M_PI / 180;
    const double view[2][3] = {{-sin(a), cos(a), 0},
                               {-sin(e) * cos(a), -sin(e) * sin(a), cos(e)}};
    memcpy(scene->view, view, sizeof view);
}

/* The covariance of the ends over the motion: sums of r, r r' over all points. */
static void covariance(struct scene *scene, double C[3][3])
{
    const struct trajectory *trajectory = scene->trajectory;
    double *r = memory_new(3 * scene->ends, sizeof *r), mean[3] = {0}, count = 0;
    memset(C, 0, 9 * sizeof(double));
    for (int k = 0; k < trajectory->samples; k++) {
        evaluate(scene, &trajectory->sample[k], r);
        for (int i = 0; i < scene->ends; i++, count++)
            for (int a = 0; a < 3; a++) {
                mean[a] += r[3 * i + a];
                for (int b = 0; b < 3; b++)
                    C[a][b] += r[3 * i + a] * r[3 * i + b];
            }
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            C[a][b] = C[a][b] / count - mean[a] / count * (mean[b] / count);
    free(r);
}

/* The determinant of the covariance in the picture: an area squared. */
static double seen(const struct scene *scene, double C[3][3])
{
    double S[2][2] = {{0}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    S[i][j] += scene->view[i][a] * C[a][b] * scene->view[j][b];
    return S[0][0] * S[1][1] - S[0][1] * S[1][0];
}

/* Chooses among oblique directions: along an axis the picture would not look like
   space. */
static void choose_view(struct scene *scene)
{
    static const double azimuth[] = {30, 60, -30, -60}, elevation[] = {20, 35};
    double C[3][3], best = -1, at[2] = {30, 20};
    covariance(scene, C);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            look_from(scene, azimuth[i], elevation[j]);
            double area = seen(scene, C);
            if (area > best * (1 + 1e-6)) {
                best = area;
                at[0] = azimuth[i];
                at[1] = elevation[j];
            }
        }
    look_from(scene, at[0], at[1]);
}

/* --- paths -------------------------------------------------------------------------- */

/* Does a formula depend on time or state? */
static bool moves(const struct model *model, const formula f[3])
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    struct program *program = program_seal(model->tape, f, 3, stage);
    bool moving = program_uses(program, BLOCK_T) || program_uses(program, BLOCK_Q) ||
                  program_uses(program, BLOCK_S);
    program_free(program);
    return moving;
}

static void find_paths(struct scene *scene)
{
    scene->path = memory_new(scene->ends, sizeof *scene->path);
    for (int end = 0; end < scene->ends; end++) {
        const formula *f = end_of(scene, end);
        bool seen_before = false;
        for (int i = 0; i < end && !seen_before; i++) {
            const formula *g = end_of(scene, i);
            seen_before = same_formula(f[0], g[0]) && same_formula(f[1], g[1]) &&
                          same_formula(f[2], g[2]);
        }
        scene->path[end] = !seen_before && moves(scene->model, f);
    }
}

/* --- a scene ------------------------------------------------------------------------ */

void scene_init(struct scene *scene, const struct trajectory *trajectory)
{
    static const unsigned char stage[BLOCK_LIMIT] = {
        [BLOCK_T] = 1, [BLOCK_Q] = 1, [BLOCK_S] = 1, [BLOCK_RHO] = 1};
    const struct model *model = trajectory->columns.model;
    *scene = (struct scene){.trajectory = trajectory, .model = model,
                            .ends = 2 * model->segments, .view = {{1, 0, 0}, {0, 1, 0}}};
    formula *r = memory_new(3 * scene->ends, sizeof *r);
    for (int i = 0; i < scene->ends; i++) {
        memory_copy(r + 3 * i, end_of(scene, i), 3, sizeof *r);
        scene->space = scene->space || !is_zero(r[3 * i + 2]);
    }
    scene->program = program_seal(model->tape, r, 3 * scene->ends, stage);
    scene->w = memory_new(scene->program->slots, sizeof *scene->w);
    program_init(scene->program, scene->w);
    program_load(scene->program, BLOCK_RHO, trajectory->value, scene->w);
    scene->place = memory_new(2 * scene->ends, sizeof *scene->place);
    free(r);
    find_paths(scene);
    if (scene->space)
        choose_view(scene);
}

void scene_clear(struct scene *scene)
{
    program_free(scene->program);
    free(scene->w);
    free(scene->place);
    free(scene->path);
}

void scene_set(struct scene *scene, const struct run_point *point)
{
    double *r = memory_new(3 * scene->ends, sizeof *r);
    evaluate(scene, point, r);
    project(scene, r, scene->place);
    free(r);
}
