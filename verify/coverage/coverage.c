/*
 * coverage.c - the cases of the catalogue, counted by event and mechanism (coverage.h)
 */
#include "coverage/coverage.h"

#include <stdlib.h>

#include "base/memory.h"

const char *const coverage_column_text[COVERAGE_COLUMNS] = {
    "unconstrained", "constrained", "redundant", "singular"};

#define SET(ID) (1u << CLASS_##ID)

/* Simultaneous events are two events of a case: no single one shows them. */
enum { OF_THE_CASE = SET(SIMULTANEOUS_EVENTS) };

const struct coverage_row coverage_row[COVERAGE_ROWS] = {
    {"velocity jump", 0, SET(VELOCITY_JUMP)},
    {"force or mass change", 0, SET(FORCE_CHANGE) | SET(MASS_CHANGE)},
    {"constraint change with impulse", SET(CONSTRAINT_CHANGE), SET(IMPULSE)},
    {"identity reset across a corner", SET(IDENTITY_RESET),
     SET(FORCE_CHANGE) | SET(MASS_CHANGE) | SET(CONSTRAINT_CHANGE)},
    {"time- and parameter-dependent guard", SET(TIME_GUARD), SET(PARAMETER_GUARD)},
    {"state-dependent guard", 0, SET(STATE_GUARD)},
    {"simultaneous events", 0, SET(SIMULTANEOUS_EVENTS)},
};

/* The column of the mechanism that an event meets. */
static enum coverage_column column_of(const struct event *event, class_set whole)
{
    return event->from->m == 0        ? ON_UNCONSTRAINED
           : whole & SET(SINGULAR_POINTS) ? ON_SINGULAR
           : whole & SET(REDUNDANT)       ? ON_REDUNDANT
                                          : ON_CONSTRAINED;
}

/* Adds a case once, however many events of the kind it has. */
static void add_case(struct coverage_cell *cell, const struct case_desc *desc)
{
    if (cell->count > 0 && cell->of[cell->count - 1] == desc)
        return;
    cell->of = memory_grow(cell->of, &cell->room, cell->count + 1, sizeof *cell->of);
    cell->of[cell->count++] = desc;
}

static void add_model(struct coverage *coverage, const struct model *model)
{
    class_set whole = classes_of_model(model);
    for (int k = 0; k < model->events; k++) {
        const struct event *event = model->event[k];
        class_set set = classes_of_event(model, event) | (whole & OF_THE_CASE);
        for (int i = 0; i < COVERAGE_ROWS; i++) {
            const struct coverage_row *row = &coverage_row[i];
            if ((set & row->all) == row->all && (set & row->any))
                add_case(&coverage->cell[i][column_of(event, whole)], model->desc);
        }
    }
}

struct coverage *coverage_new(const struct case_desc *const *list,
                              struct diagnosis *diagnosis)
{
    struct coverage *coverage = memory_new(1, sizeof *coverage);
    enum status status = OK;
    for (int k = 0; list[k] && status == OK; k++) {
        struct model *model = model_new(list[k], diagnosis);
        status = model ? classes_check(model, diagnosis) : BAD_INPUT;
        if (status == OK)
            add_model(coverage, model);
        if (model)
            model_free(model);
    }
    for (int i = 0; i < COVERAGE_ROWS; i++)
        for (int j = 0; j < COVERAGE_COLUMNS; j++)
            coverage->empty += coverage->cell[i][j].count == 0;
    if (status == OK)
        return coverage;
    coverage_free(coverage);
    return NULL;
}

void coverage_free(struct coverage *coverage)
{
    for (int i = 0; coverage && i < COVERAGE_ROWS; i++)
        for (int j = 0; j < COVERAGE_COLUMNS; j++)
            free(coverage->cell[i][j].of);
    free(coverage);
}
