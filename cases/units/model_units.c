/*
 * model_units.c - dimensional analysis of a model (model_units.h)
 */
#include "units/model_units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/tape.h"
#include "model_internal.h"
#include "units/model_equations.h"

/* The formula and the parameter at fault are looked for by one more analysis for each,
   which together look at so many rows of the tape at most. */
enum { MOST_ROWS = 500000 };

/* --- one analysis ------------------------------------------------------------------- */

static bool unit_is_given(const struct parameter *parameter)
{
    return !parameter->unit_assumed && parameter->unit[0];
}

/* Has a unit of the model a dimension? Else the model may be one in numbers alone, whose
   time is a number, too. */
static bool has_dimensions(const struct model *model)
{
    for (int j = 0; j < model->p; j++) {
        struct dimension dimension;
        const struct parameter *parameter = &model->parameter[j];
        if (unit_is_given(parameter) && unit_read(parameter->unit, &dimension) &&
            !dimension_is_one(&dimension))
            return true;
    }
    return false;
}

static int add_unknowns(struct equations *equations, int count)
{
    int first = equations->unknowns;
    for (int k = 0; k < count; k++)
        equations_unknown(equations);
    return first;
}

static void begin_time(struct analysis *analysis)
{
    struct dimension second;
    int unknown = add_unknowns(&analysis->equations, 1);
    if (has_dimensions(analysis->model) && unit_read("s", &second))
        analysis->time = form_known(&second);
    else
        analysis->time = form_of(&analysis->equations, unknown);
}

static void begin_parameters(struct analysis *analysis)
{
    const struct model *model = analysis->model;
    analysis->rho = add_unknowns(&analysis->equations, model->p);
    analysis->parameter = memory_new(model->p, sizeof *analysis->parameter);
    for (int j = 0; j < model->p; j++) {
        struct dimension dimension;
        const struct parameter *parameter = &model->parameter[j];
        bool known = j != analysis->freed && unit_is_given(parameter) &&
                     unit_read(parameter->unit, &dimension);
        analysis->parameter[j] = known ? form_known(&dimension)
                                       : form_of(&analysis->equations, analysis->rho + j);
    }
}

/* Begins the analysis of a recorded model. To be ended by end(). */
static void begin(struct analysis *analysis, const struct model *model, int freed,
                  int left_out)
{
    int rows = tape_rows(model->tape);
    *analysis = (struct analysis){
        .model = model, .freed = freed, .left_out = left_out,
        .row = memory_new(rows, sizeof *analysis->row),
        .visit = memory_new(rows, sizeof *analysis->visit),
        .stack = memory_new(rows, sizeof *analysis->stack),
        .lambda = memory_new(model->modes, sizeof *analysis->lambda),
        .impulse = memory_new(model->events, sizeof *analysis->impulse)};
    struct equations *equations = &analysis->equations;
    equations_begin(equations);
    begin_time(analysis);
    begin_parameters(analysis);
    analysis->q = add_unknowns(equations, model->n);
    analysis->s = add_unknowns(equations, model->ns);
    analysis->z = add_unknowns(equations, model->nz);
    analysis->named = equations->unknowns;
    for (int k = 0; k < model->modes; k++)
        analysis->lambda[k] = add_unknowns(equations, model->mode[k]->m);
    for (int k = 0; k < model->events; k++) {
        const struct event *event = model->event[k];
        int joints = event->joints ? event->to->m : 0;
        analysis->impulse[k] = add_unknowns(equations, event->impulses + joints);
    }
}

static void free_findings(struct unit_finding *finding, int count)
{
    for (int k = 0; k < count; k++) {
        free(finding[k].place);
        free(finding[k].text);
    }
    free(finding);
}

static void end(struct analysis *analysis)
{
    free_findings(analysis->findings.finding, analysis->findings.count);
    free(analysis->parameter);
    free(analysis->lambda);
    free(analysis->impulse);
    free(analysis->row);
    free(analysis->visit);
    free(analysis->stack);
    free(analysis->root);
    equations_clear(&analysis->equations);
}

/* Is there time for so many more analyses? */
static bool is_cheap(const struct model *model, int runs)
{
    return runs <= MOST_ROWS / tape_rows(model->tape);
}

/* --- where the slip is -------------------------------------------------------------- */

/* The analysis with fewer findings becomes *best, of equal ones *best stays; the other is
   ended. */
static void keep_better(struct analysis *best, struct analysis *other)
{
    if (other->findings.count < best->findings.count) {
        struct analysis worse = *best;
        *best = *other;
        *other = worse;
    }
    end(other);
}

/* Looks for one formula without which all the others fit: the slip is there, whatever it
   contradicts. It is looked at once the others have told what everything is. */
static void find_formula(struct analysis *best)
{
    const struct model *model = best->model;
    int roots = is_cheap(model, best->roots) ? best->roots : 0;
    int *root = memory_new(roots, sizeof *root);
    memory_copy(root, best->root, roots, sizeof *root);
    for (int k = 0; k < roots && best->findings.count > 1; k++) {
        struct analysis other;
        begin(&other, model, -1, root[k]);
        model_equations_add(&other, true);
        bool others_fit = other.findings.count == 0;
        other.left_out = -1;
        if (others_fit)
            model_equations_add(&other, true);
        if (others_fit)
            keep_better(best, &other);
        else
            end(&other);
    }
    free(root);
}

/* Analyses a model so that as few findings as possible tell of one slip: a slip of the
   start contradicts much where the start comes first, and a slip of the motion where that
   does. Between equal ones the order from the start is taken, whose findings tell of
   units that are given. */
static void run(struct analysis *analysis, const struct model *model)
{
    struct analysis other;
    begin(analysis, model, -1, -1);
    model_equations_add(analysis, true);
    if (analysis->findings.count == 0)
        return;
    begin(&other, model, -1, -1);
    model_equations_add(&other, false);
    keep_better(analysis, &other);
    find_formula(analysis);
}

/* --- results ------------------------------------------------------------------------ */

/* The unit of an unknown, as far as it is known; else NULL. */
static char *unit_of(struct analysis *analysis, int unknown)
{
    char text[DIMENSION_TEXT];
    struct form form = form_of(&analysis->equations, unknown);
    if (form.count > 0)
        return NULL;
    form_text(analysis, &form, text);
    return memory_text(text, strlen(text));
}

static char **units_of(struct analysis *analysis, int first, int count)
{
    char **unit = memory_new(count, sizeof *unit);
    for (int k = 0; k < count; k++)
        unit[k] = unit_of(analysis, first + k);
    return unit;
}

/* A unit of the parameter j alone with which all fits, or NULL. */
static char *other_unit(const struct model *model, int j)
{
    struct dimension dimension;
    const struct parameter *parameter = &model->parameter[j];
    if (!unit_is_given(parameter) || !unit_read(parameter->unit, &dimension))
        return NULL;
    struct analysis analysis;
    begin(&analysis, model, j, -1);
    model_equations_add(&analysis, true);
    char *unit = analysis.findings.count == 0 ? unit_of(&analysis, analysis.rho + j)
                                              : NULL;
    end(&analysis);
    return unit;
}

/* The remedy, if one of at most two parameters has it: of more nobody knows which. */
static char *find_remedy(const struct model *model)
{
    char text[2 * (DIMENSION_TEXT + 100)] = "";
    int remedies = 0, parameters = is_cheap(model, model->p) ? model->p : 0;
    for (int j = 0; j < parameters && remedies < 3; j++) {
        char *unit = other_unit(model, j);
        size_t used = strlen(text);
        if (unit && !strstr(unit, "^("))    /* a fractional power is no unit */
            snprintf(text + used, sizeof text - used, "%s %s for %.60s",
                     remedies++ == 0 ? "all would fit with" : ", or with", unit,
                     model->parameter[j].name);
        free(unit);
    }
    return remedies == 1 || remedies == 2 ? memory_text(text, strlen(text)) : NULL;
}

static void list_unread(struct model_units *units, const struct model *model)
{
    struct dimension dimension;
    units->unread = memory_new(model->p, sizeof *units->unread);
    for (int j = 0; j < model->p; j++) {
        const struct parameter *parameter = &model->parameter[j];
        units->given |= unit_is_given(parameter);
        if (unit_is_given(parameter) && !unit_read(parameter->unit, &dimension))
            units->unread[units->unreads++] = j;
    }
}

static struct model_units *units_of_record(const struct model *model)
{
    struct model_units *units = memory_new(1, sizeof *units);
    struct analysis analysis;
    units->n = model->n;
    units->ns = model->ns;
    units->nz = model->nz;
    list_unread(units, model);
    run(&analysis, model);
    if (units->given) {
        units->findings = analysis.findings.count;
        units->finding = analysis.findings.finding;
        analysis.findings = (struct finding_list){NULL, 0, 0};
    }
    units->coordinate = units_of(&analysis, analysis.q, model->n);
    units->auxiliary = units_of(&analysis, analysis.s, model->ns);
    units->cost = units_of(&analysis, analysis.z, model->nz);
    end(&analysis);
    if (units->findings > 0)
        units->remedy = find_remedy(model);
    return units;
}

struct model_units *model_units_new(const struct case_desc *desc)
{
    struct diagnosis diagnosis;
    struct model *record = model_record(desc, &diagnosis);
    if (!record)
        return memory_new(1, sizeof(struct model_units));
    struct model_units *units = units_of_record(record);
    model_free(record);
    return units;
}

static void free_texts(char **text, int count)
{
    for (int k = 0; k < count; k++)
        free(text[k]);
    free(text);
}

void model_units_free(struct model_units *units)
{
    if (!units)
        return;
    free_findings(units->finding, units->findings);
    free_texts(units->coordinate, units->n);
    free_texts(units->auxiliary, units->ns);
    free_texts(units->cost, units->nz);
    free(units->remedy);
    free(units->unread);
    free(units);
}
