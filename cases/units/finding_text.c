/*
 * finding_text.c - findings of the dimensional analysis as text (analysis.h)
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/tape.h"
#include "model_internal.h"
#include "units/analysis.h"

/* More unknowns than these in one dimension are not written. */
enum { MOST_UNKNOWNS = 6, NAME_TEXT = 40 };

static const char *name_of(const struct analysis *analysis, int unknown)
{
    const struct model *model = analysis->model;
    if (unknown >= analysis->named || unknown < analysis->rho)
        return unknown < analysis->rho ? "time" : "?";
    if (unknown < analysis->q)
        return model->parameter[unknown - analysis->rho].name;
    if (unknown < analysis->s)
        return model->coordinate[unknown - analysis->q];
    return unknown < analysis->z ? model->auxiliary[unknown - analysis->s]
                                 : model->cost[unknown - analysis->z];
}

void form_text(struct analysis *analysis, const struct form *form,
               char text[DIMENSION_TEXT])
{
    struct form now = form_now(&analysis->equations, form);
    char bracket[MOST_UNKNOWNS][NAME_TEXT];
    const char *name[BASE_UNITS + MOST_UNKNOWNS];
    struct rational times[BASE_UNITS + MOST_UNKNOWNS];
    int count = BASE_UNITS;
    for (int k = 0; k < BASE_UNITS; k++) {
        name[k] = base_unit_name[k];
        times[k] = now.known.of[k];
    }
    for (int k = 0; k < now.count && k < MOST_UNKNOWNS; k++) {
        snprintf(bracket[k], NAME_TEXT, "[%.36s]",
                 name_of(analysis, now.term[k].unknown));
        name[count] = bracket[k];
        times[count++] = now.term[k].times;
    }
    powers_text(name, times, count, text, DIMENSION_TEXT);
}

static formula formula_of(const struct analysis *analysis, int row)
{
    return (formula){analysis->model->tape, row};
}

void short_text(const struct analysis *analysis, int row, char text[FORMULA_TEXT])
{
    formula_print(formula_of(analysis, row), analysis->model->names, text, FORMULA_TEXT);
}

void sum_text(const struct analysis *analysis, int row, char text[FORMULA_TEXT])
{
    short_text(analysis, row, text);
    if (strlen(text) + 1 < FORMULA_TEXT)
        return;
    struct tape_row sum = tape_row(analysis->model->tape, row);
    enum op last = tape_row(analysis->model->tape, sum.b).op;
    bool bracket = sum.op == OP_SUB && (last == OP_ADD || last == OP_SUB);
    char term[FORMULA_TEXT - 10];
    formula_print(formula_of(analysis, sum.b), analysis->model->names, term, sizeof term);
    snprintf(text, FORMULA_TEXT, "... %s %s%s%s", sum.op == OP_ADD ? "+" : "-",
             bracket ? "(" : "", term, bracket ? ")" : "");
}

void finding_say(struct analysis *analysis, const char *format, ...)
{
    struct finding_list *list = &analysis->findings;
    char place[200] = "", detail[600], text[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    if (analysis->at.tape)
        model_lines(analysis->model, analysis->at, place, sizeof place);
    snprintf(text, sizeof text, "%s%s: %s", analysis->where, analysis->what, detail);
    list->finding = memory_grow(list->finding, &list->room, list->count + 1,
                                sizeof *list->finding);
    list->finding[list->count++] = (struct unit_finding){
        memory_text(place, strlen(place)), memory_text(text, strlen(text))};
}
