/*
 * test_animation.c - frames of motions are those motions.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawings/shown_motion.h"
#include "mechanisms/catalogue.h"
#include "report/animation.h"

/* A case, its motion, and the frames of it. */
struct film {
    struct model *model;
    struct shown_motion shown;
    struct animation animation;
};

static void film_init(struct film *film, const char *name)
{
    film->model = model_new(case_find(name), NULL);
    cr_assert_not_null(film->model);
    double *value = memory_new(film->model->p, sizeof *value);
    cr_assert_eq(model_nominal_values(film->model, value, NULL), OK);
    shown_motion_run(&film->shown, film->model, value, MOTION_FRAMES);
    free(value);
    cr_assert_not_null(film->shown.trajectory);
    animation_init(&film->animation, film->shown.trajectory);
}

static void film_clear(struct film *film)
{
    animation_clear(&film->animation);
    shown_motion_clear(&film->shown);
    model_free(film->model);
}

static const int *place(const struct animation *animation, int frame, int point)
{
    return point < animation->points
               ? animation->frame[frame].place + 2 * point
               : animation->still + 2 * (point - animation->points);
}

/* The largest change of the length of a line over the frames, in units of the picture. */
static double stretch(const struct animation *animation, int line)
{
    double least = INFINITY, most = 0;
    for (int k = 0; k < animation->frames; k++) {
        const int *a = place(animation, k, animation->line[line].from);
        const int *b = place(animation, k, animation->line[line].to);
        double length = hypot(a[0] - b[0], a[1] - b[1]);
        least = fmin(least, length);
        most = fmax(most, length);
    }
    return most - least;
}

Test(animation, bars_of_a_plane_mechanism_keep_their_lengths_in_the_picture)
{
    struct film film;
    film_init(&film, "five-bar");
    const struct animation *animation = &film.animation;
    cr_expect(animation->mechanism && !animation->space);
    cr_expect_eq(animation->points, 3);
    cr_expect_eq(animation->stills, 2);
    cr_expect_eq(animation->frames,
                 MOTION_FRAMES + 1 + 2 * film.shown.trajectory->events);
    for (int k = 0; k < animation->lines; k++)
        cr_expect_lt(stretch(animation, k), 3, "line %d", k);
    film_clear(&film);
    film_init(&film, "slider-crank-equal-arms");
    bool moved = false;
    for (int k = 0; k < film.animation.frames; k++)
        moved = moved || abs(place(&film.animation, k, 0)[0] -
                             place(&film.animation, 0, 0)[0]) > 100;
    cr_expect(moved);
    film_clear(&film);
}

Test(animation, events_are_marked_where_and_when_they_happen)
{
    struct film film;
    film_init(&film, "five-bar");
    const struct animation *animation = &film.animation;
    cr_assert_eq(animation->marks, film.shown.trajectory->events);
    cr_assert_gt(animation->marks, 1);
    int bottom = 0;
    for (int k = 0; k < animation->frames; k++)
        for (int i = 0; i < animation->points; i++)
            bottom = place(animation, k, i)[1] > bottom ? place(animation, k, i)[1]
                                                        : bottom;
    for (int k = 0; k < animation->marks; k++) {
        const struct mark *mark = &animation->mark[k];
        cr_expect_str_eq(mark->name, "ground");
        cr_expect_eq(animation->frame[mark->frame].t, mark->t);
        cr_expect_eq(animation->frame[mark->frame + 1].t, mark->t);
        cr_assert_eq(mark->points, 1, "the ground meets point 2 alone");
        cr_expect_leq(bottom - place(animation, mark->frame, mark->point[0])[1], 1);
    }
    film_clear(&film);
}

Test(animation, a_case_without_segments_shows_its_coordinates)
{
    struct film film;
    film_init(&film, "bouncing-ball");
    const struct animation *animation = &film.animation;
    cr_expect(!animation->mechanism);
    cr_assert_eq(animation->panels, 1);
    cr_expect_str_eq(animation->panel[0].name, "y");
    cr_expect_eq(animation->panel[0].most, 50);
    int last = animation->frames - 1;
    cr_expect_gt(place(animation, last, 0)[0], place(animation, 0, 0)[0] + 3000);
    for (int k = 0; k < animation->marks; k++)
        cr_expect_leq(abs(place(animation, animation->mark[k].frame, 0)[1] -
                          animation->panel[0].bottom), 1);
    film_clear(&film);
}

/* The data of the page are differences; their sums are the frames again. */
Test(animation, the_data_of_the_page_are_the_frames)
{
    struct film film;
    film_init(&film, "rope-catch");
    const struct animation *animation = &film.animation;
    cJSON *data = animation_json(animation);
    const cJSON *steps = cJSON_GetObjectItem(data, "p");
    cr_assert_eq(cJSON_GetArraySize(steps), animation->frames);
    int sum[2 * 16] = {0}, frame = 0;
    cr_assert_leq(animation->points, 16);
    const cJSON *step, *item;
    cJSON_ArrayForEach(step, steps) {
        int i = 0;
        cJSON_ArrayForEach(item, step)
            sum[i++] += item->valueint;
        cr_assert_eq(i, 2 * animation->points);
        for (int k = 0; k < i; k++)
            cr_expect_eq(sum[k], animation->frame[frame].place[k]);
        frame++;
    }
    cJSON_Delete(data);
    film_clear(&film);
}
