/*
 * read_start.c - start, end and everything that a model file says beyond the equations
 * (reader.h).
 */
#include <stdlib.h>

#include "file/element.h"
#include "model_internal.h"

/* --- start and end ------------------------------------------------------------------ */

void read_t0(struct reader *reader, const struct node *value)
{
    reader->model->t0 = yaml_formula(reader, value);
}

void read_start_mode(struct reader *reader, const struct node *value)
{
    struct mode *mode = yaml_mode(reader, value);
    if (mode)
        reader->model->start = mode;
}

/* Values by the names of coordinates, velocities and states. */
static void read_values(struct reader *reader, const struct node *table, const char *what,
                        formula *q, formula *v, formula *s)
{
    static const int of_state[] = {BLOCK_Q, BLOCK_V, BLOCK_S};
    if (!yaml_is(reader, table, NODE_TABLE, what))
        return;
    for (int k = 0; k < table->count; k++) {
        int block, i;
        if (!yaml_variable(reader, table->key[k], what, of_state, 3, &block, &i))
            continue;
        formula *out = block == BLOCK_Q ? q : block == BLOCK_V ? v : s;
        out[i] = yaml_formula(reader, table->item[k]);
    }
}

void read_state(struct reader *reader, const struct node *value)
{
    const struct model *model = reader->model;
    read_values(reader, value, "the state", model->q0, model->v0, model->s0);
}

void read_guess(struct reader *reader, const struct node *value)
{
    const struct model *model = reader->model;
    read_values(reader, value, "the guess", model->q_guess, model->v_guess,
                model->s_guess);
}

void read_rows(struct reader *reader, const struct node *value)
{
    if (yaml_is(reader, value, NODE_LIST, "rows"))
        for (int i = 0; i < value->count; i++)
            model_start_row(reader->model, yaml_formula(reader, value->item[i]));
}

void read_initial(struct reader *reader, const struct node *value)
{
    yaml_section(reader, SECTION_INITIAL, value, "initial");
}

void read_end(struct reader *reader, const struct node *value)
{
    reader->model->t_end = yaml_formula(reader, value);
}

void read_stops(struct reader *reader, const struct node *value)
{
    if (yaml_is(reader, value, NODE_LIST, "stops"))
        for (int i = 0; i < value->count; i++)
            model_stop(reader->model, yaml_formula(reader, value->item[i]));
}

void read_at_ends(struct reader *reader, const struct node *value)
{
    int word = yaml_word(reader, value, "at_ends", at_ends_text);
    if (word >= 0)
        reader->model->at_ends = (enum at_ends)word;
}

void read_terminal_cost(struct reader *reader, const struct node *value)
{
    yaml_costs(reader, value, "terminal_cost", reader->model->w);
}

/* --- facts about the mechanism ------------------------------------------------------ */

void read_format(struct reader *reader, const struct node *value)
{
    static const char *const versions[] = {"1", NULL};
    yaml_word(reader, value, "format of this version of saltus", versions);
}

void read_energy(struct reader *reader, const struct node *value)
{
    reader->names = elements_names(reader, reader->model->mode[0]);
    reader->model->energy = yaml_formula(reader, value);
    reader->names = NULL;
}

void read_draw(struct reader *reader, const struct node *value)
{
    if (!yaml_is(reader, value, NODE_LIST, "draw"))
        return;
    for (int i = 0; i < value->count; i++) {
        const struct node *line = value->item[i];
        if (line->kind != NODE_LIST || line->count < 1 || line->count > 2) {
            yaml_refuse(reader, line, "what is drawn is a place, [[x, y]] or [A], or a "
                        "line, [[x1, y1], [x2, y2]] or [A, B]");
            continue;
        }
        struct place from = yaml_place(reader, line->item[0], "draw");
        struct place to = yaml_place(reader, line->item[line->count - 1], "draw");
        model_draw(reader->model, from.point.r, to.point.r);
    }
}

void read_published(struct reader *reader, const struct node *value)
{
    if (!yaml_is(reader, value, NODE_LIST, "published"))
        return;
    for (int i = 0; i < value->count; i++) {
        const struct node *part = value->item[i];
        yaml_section(reader, SECTION_PUBLISHED, part, "a published number");
        const struct node *quantity = node_find(part, "quantity");
        const struct node *number = node_find(part, "value");
        const struct node *source = node_find(part, "source");
        const struct node *why = node_find(part, "disputed");
        if (!quantity || !number || !source)
            yaml_refuse(reader, part, "a published number has `quantity`, `value` and "
                          "`source`");
        else
            model_published(reader->model, yaml_text(reader, quantity, "quantity"),
                            yaml_text(reader, number, "value"),
                            yaml_text(reader, source, "source"),
                            why ? yaml_text(reader, why, "disputed") : NULL);
    }
}

/* --- twins -------------------------------------------------------------------------- */

static void read_equality(struct reader *reader, const struct node *part)
{
    yaml_section(reader, SECTION_EQUALITY, part, "an equality");
    const struct node *name = node_find(part, "name");
    const struct node *own = node_find(part, "own"), *twin = node_find(part, "twin");
    if (!name || !own || !twin)
        yaml_refuse(reader, part, "an equality has `name`, `own` and `twin`");
    else
        model_equal(reader->model, yaml_text(reader, name, "name"),
                    yaml_formula(reader, own), yaml_formula(reader, twin));
}

void read_twin(struct reader *reader, const struct node *value)
{
    yaml_section(reader, SECTION_TWIN, value, "twin");
    const struct node *name = node_find(value, "case");
    const struct node *coordinates = node_find(value, "coordinates");
    const struct node *equal = node_find(value, "equal");
    if (!name || !coordinates || !equal || equal->kind != NODE_LIST) {
        yaml_refuse(reader, value, "a twin has `case`, `coordinates` and a list `equal`");
        return;
    }
    char *names = yaml_words(reader, coordinates, "coordinates");
    model_twin(reader->model, yaml_text(reader, name, "case"), names);
    free(names);
    for (int i = 0; i < equal->count; i++)
        read_equality(reader, equal->item[i]);
}
