/*
 * contact.c - what guards and points have in common (contact.h)
 */
#include "report/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "program/program.h"

void contact_coordinates(const struct model *model, const formula *f, int count,
                         bool *set)
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    memset(set, 0, (size_t)model->n * sizeof *set);
    struct program *program = program_seal(model->tape, f, count, stage);
    for (int k = 0; k < program->inputs; k++) {
        const struct program_input *input = &program->input[k];
        if ((input->block == BLOCK_Q || input->block == BLOCK_V) &&
            input->index < model->n)
            set[input->index] = true;
    }
    program_free(program);
}

/* How much two sets of coordinates [n] have in common: the size of their intersection by
   that of their union; 0 where both are empty. */
static double score_of(const bool *one, const bool *other, int n)
{
    int both = 0, either = 0;
    for (int k = 0; k < n; k++) {
        both += one[k] && other[k];
        either += one[k] || other[k];
    }
    return either > 0 ? (double)both / either : 0;
}

static void add_point(struct mark *mark, int point, int room)
{
    bool there = false;
    for (int k = 0; k < mark->points; k++)
        there = there || mark->point[k] == point;
    if (!there && mark->points < room)
        mark->point[mark->points++] = point;
}

/* Marks the event at those of `count` points with the highest score, if any has one. */
static void mark_best(struct mark *mark, int count, const double *score,
                      const int *point, int room)
{
    double best = 0;
    for (int k = 0; k < count; k++)
        best = fmax(best, score[k]);
    for (int k = 0; k < count && best > 0; k++)
        if (score[k] == best)
            add_point(mark, point[k], room);
}

void contact_mark(struct animation *animation, const struct model *model, int count,
                  const bool *set, const int *point, int most)
{
    bool *guard = memory_new(model->n, sizeof *guard);
    double *score = memory_new(count, sizeof *score);
    int room = animation->marks >= MANY_MARKS ? 1 : MOST_MARKED;
    for (int k = 0; k < animation->marks; k++) {
        struct mark *mark = &animation->mark[k];
        contact_coordinates(model, &model->event[mark->kind]->guard, 1, guard);
        for (int i = 0; i < count; i++)
            score[i] = point[i] < animation->points
                           ? score_of(set + (long)i * model->n, guard, model->n)
                           : 0;
        mark_best(mark, count, score, point, room);
        bool about_none = mark->points == 0;
        for (int i = 0; i < most && about_none; i++)
            add_point(mark, animation->trace[i], room);
    }
    free(guard);
    free(score);
}
