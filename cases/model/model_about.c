/*
 * model_about.c - facts that a case states about its mechanism beyond the equations: its
 * drawing, printed numbers, and another case with equal motion.
 */
#include <string.h>

#include "base/memory.h"
#include "model_internal.h"

static char *text_of(const char *text)
{
    return memory_text(text, strlen(text));
}

static bool same_place(const formula a[3], const formula b[3])
{
    return same_formula(a[0], b[0]) && same_formula(a[1], b[1]) &&
           same_formula(a[2], b[2]);
}

void model_draw(struct model *model, const formula from[3], const formula to[3])
{
    for (int k = 0; k < model->segments; k++)
        if (same_place(model->segment[k].from, from) &&
            same_place(model->segment[k].to, to))
            return;
    model->segment = memory_grow(model->segment, &model->segment_room,
                                 model->segments + 1, sizeof *model->segment);
    struct segment *segment = &model->segment[model->segments++];
    for (int k = 0; k < 3; k++) {
        segment->from[k] = from[k];
        segment->to[k] = to[k];
    }
}

void model_published(struct model *model, const char *quantity, const char *value,
                     const char *source, const char *disputed)
{
    model->published = memory_grow(model->published, &model->published_room,
                                   model->publisheds + 1, sizeof *model->published);
    model->published[model->publisheds++] = (struct published){
        .quantity = text_of(quantity), .value = text_of(value),
        .source = text_of(source), .disputed = disputed ? text_of(disputed) : NULL};
}

void model_twin(struct model *model, const char *case_name, const char *names)
{
    if (model->twin) {
        model_misuse(model, "two twins");
        return;
    }
    model->twin = text_of(case_name);
    model->twin_n = model_split_names(names, &model->twin_coordinate);
    for (int i = 0; i < model->twin_n; i++)
        model_bind(model, "", model->twin_coordinate[i], "", BLOCK_TWIN, i);
}

void model_equal(struct model *model, const char *name, formula own, formula twin)
{
    model->equality = memory_grow(model->equality, &model->equality_room,
                                  model->equalities + 1, sizeof *model->equality);
    model->equality[model->equalities++] =
        (struct equality){.name = text_of(name), .own = own, .twin = twin};
}
