/*
 * show.c - `saltus show CASE`: everything a case states.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "commands/picture.h"
#include "commands/setup.h"
#include "commands/show.h"
#include "file/write.h"
#include "formula/diff.h"
#include "motion/reference_motion.h"
#include "program/program.h"
#include "tables/report.h"

enum { TEXT = SHOW_TEXT };

const char *show_direction(enum direction direction)
{
    return direction == FALLING  ? "falling"
           : direction == RISING ? "rising"
                                 : "either way";
}

static const char *velocity_text(const struct event *event)
{
    switch (event->velocity) {
    case VELOCITY_CONSTRAINED:
        return "velocities given where stated, the others from Phi+_q v+ + Phi+_t = 0";
    case VELOCITY_IMPULSIVE:
        return "impulse: M+ v+ - M- v- + Psi_q' J = 0; mass that is added was at rest";
    case VELOCITY_EXPLICIT:
        return "velocities given where stated, kept elsewhere";
    }
    return "";
}

static void print_list(const char *title, char *const *name, int count)
{
    if (count == 0)
        return;
    printf("%-14s", title);
    for (int i = 0; i < count; i++)
        printf("%s%s", i ? ", " : "", name[i]);
    putchar('\n');
}

static void print_heading(const char *text)
{
    printf("\n%s%s%s\n", colour_on(stdout, BOLD), text, colour_off(stdout));
}

static void print_parameters(const struct model *model, const double *value)
{
    static const struct text_column column[] = {
        {"", TEXT_LEFT, 2, 10}, {"", TEXT_LEFT, 1, 16}, {"", TEXT_LEFT, 1, 8},
        {"", TEXT_LEFT, 1, 0}};
    print_heading("parameters");
    for (int j = 0; j < model->p; j++) {
        const struct parameter *parameter = &model->parameter[j];
        char nominal[TEXT];
        formula_print(parameter->nominal, model->names, nominal, sizeof nominal);
        text_cell(stdout, &column[0], "%s", parameter->name);
        text_cell(stdout, &column[1], "%.10g", value[j]);
        text_cell(stdout, &column[2], "%s", parameter->unit ? parameter->unit : "");
        text_cell(stdout, &column[3], "%s%s%s",
                  parameter->meaning ? parameter->meaning : "",
                  parameter->fixed ? " (fixed)" : "",
                  parameter->used ? "" : " (no formula depends on it)");
        if (strpbrk(nominal, "(/*"))
            printf(" = %s", nominal);
        putchar('\n');
    }
}

static void print_reset(const struct model *model, const char *prefix,
                        const formula *plus, char *const *name, int count)
{
    for (int i = 0; i < count; i++) {
        char text[TEXT];
        if (!plus || !plus[i].tape)
            continue;
        formula_print(plus[i], model->names, text, sizeof text);
        printf("      %s%s+ = %s\n", prefix, name[i], text);
    }
}

static void print_events(const struct model *model)
{
    print_heading("events");
    for (int k = 0; k < model->events; k++) {
        const struct event *event = model->event[k];
        char guard[TEXT];
        formula_print(event->guard, model->names, guard, sizeof guard);
        printf("  %s: %s -> %s%s\n      when %s = 0, %s\n      %s", event->name,
               event->from->name, event->to->name,
               event->terminal ? ", ends the run" : "", guard,
               show_direction(event->direction), velocity_text(event));
        if (event->impulses > 0)
            printf(", %d row%s", event->impulses, event->impulses == 1 ? "" : "s");
        putchar('\n');
        for (int i = 0; i < event->conditions; i++) {
            formula_print(event->condition[i], model->names, guard, sizeof guard);
            printf("      only if %s > 0\n", guard);
        }
        show_impulses(model, event);
        print_reset(model, "", event->q_plus, model->coordinate, model->n);
        print_reset(model, "v", event->v_plus, model->coordinate, model->n);
        print_reset(model, "", event->s_plus, model->auxiliary, model->ns);
        for (int i = 0; i < model->nz; i++)
            if (!is_zero(event->cost[i])) {
                formula_print(event->cost[i], model->names, guard, sizeof guard);
                printf("      %s + %s\n", model->cost[i], guard);
            }
    }
}

static void print_costs(const struct model *model)
{
    if (model->nz == 0)
        return;
    print_heading("costs");
    for (int i = 0; i < model->nz; i++) {
        char text[TEXT];
        formula_print(model->start->g[i], model->names, text, sizeof text);
        printf("  %-10s integral of %s", model->cost[i], text);
        if (!is_zero(model->w[i])) {
            formula_print(model->w[i], model->names, text, sizeof text);
            printf(", and %s at the end", text);
        }
        putchar('\n');
    }
}

/* What the case gives of the start; the rest follows from the constraints, and from rows
   of the case. */
static void print_given(const struct model *model, const char *prefix, char *const *name,
                        const formula *given, const formula *guess, int count)
{
    const char *from = model->start_rows > 0 ? "the rows" : "the constraints";
    for (int i = 0; i < count; i++) {
        char text[TEXT];
        if (given[i].tape) {
            formula_print(given[i], model->names, text, sizeof text);
            printf("  %s%s = %s\n", prefix, name[i], text);
        } else if (guess && (model->start->m > 0 || model->start_rows > 0)) {
            formula_print(guess[i], model->names, text, sizeof text);
            printf("  %s%s from %s, near %s\n", prefix, name[i], from, text);
        }
    }
}

static void print_start(const struct model *model)
{
    char heading[200];
    bool joint = model->start_rows > 0;
    snprintf(heading, sizeof heading, "start in mode %.100s; what is not given is %s",
             model->start->name, joint ? "from constraints, their rates, and these rows"
                                 : model->start->m > 0 ? "from the constraints" : "zero");
    print_heading(heading);
    for (int i = 0; i < model->start_rows; i++) {
        char text[TEXT];
        formula_print(model->Gamma[i], model->names, text, sizeof text);
        printf("  %s = 0\n", text);
    }
    print_given(model, "", model->coordinate, model->q0, model->q_guess, model->n);
    print_given(model, "v", model->coordinate, model->v0, joint ? model->v_guess : NULL,
                model->n);
    print_given(model, "", model->auxiliary, model->s0, joint ? model->s_guess : NULL,
                model->ns);
}

static void print_stops(const struct model *model)
{
    if (model->stops > 0)
        print_heading("stops, at which a step ends");
    for (int k = 0; k < model->stops; k++) {
        char text[TEXT];
        formula_print(model->stop[k], model->names, text, sizeof text);
        printf("  t = %s\n", text);
    }
}

static void print_twin(const struct model *model)
{
    if (!model->twin)
        return;
    char heading[160];
    snprintf(heading, sizeof heading, "moves as %.100s does", model->twin);
    print_heading(heading);
    for (int k = 0; k < model->equalities; k++) {
        char own[TEXT], twin[TEXT];
        const struct equality *equality = &model->equality[k];
        formula_print(equality->own, model->names, own, sizeof own);
        formula_print(equality->twin, model->names, twin, sizeof twin);
        printf("  %s: %s here is %s there\n", equality->name, own, twin);
    }
}

static void print_formulations(const struct model *model)
{
    const char *why = "";
    print_heading("formulations that apply, with their options (--opt NAME=VALUE)");
    for (int k = 0; formulations[k]; k++) {
        const struct formulation *formulation = formulations[k];
        if (!formulation_applies(formulation, model, &why)) {
            printf("  %-18s does not apply: %s\n", formulation->name, why);
            continue;
        }
        printf("  %-18s %s\n", formulation->name, formulation->title);
        for (int i = 0; i < option_count(formulation); i++) {
            const struct formulation_option *option = &formulation->options[i];
            char setting[80];
            snprintf(setting, sizeof setting, "%s=%s", option->name, option->nominal);
            printf("  %18s %-24s %s\n", "", setting, option->meaning);
        }
    }
}

/* --- rows per program --------------------------------------------------------------- */

static int count_rows(const struct model *model, const formula *output, int count)
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    struct program *program = program_seal(model->tape, output, count, stage);
    int rows = program_operations(program);
    program_free(program);
    return rows;
}

static const struct text_column program_column[] = {
    {"formulation", TEXT_LEFT, 2, 18}, {"mode", TEXT_LEFT, 1, 10},
    {"rows", TEXT_RIGHT, 1, 5}, {"R", TEXT_RIGHT, 1, 8}, {"R and R'", TEXT_RIGHT, 1, 12}};
enum { PROGRAM_COLUMNS = sizeof program_column / sizeof *program_column };

/* Formulas, one after the other. */
struct formula_list {
    formula *f;                 /* [count] */
    int count, room;            /* used, and allocated */
};

/* More derivatives take longer to make than a reader waits. */
enum { MOST_FORMULAS = 100000 };

/* Appends what is not zero of dR/d(block), as far as MOST_FORMULAS; `row` [size] is
   zero before and after. */
static void append_jacobian(struct formula_list *list, const struct residual *residual,
                            int block, int size, formula *row, int *column)
{
    for (int i = 0; i < residual->rows && list->count <= MOST_FORMULAS; i++) {
        int count = gradient_entries(residual->R[i], block, size, row, column);
        list->f = memory_grow(list->f, &list->room, list->count + count,
                              sizeof *list->f);
        for (int k = 0; k < count; k++) {
            list->f[list->count++] = row[column[k]];
            row[column[k]] = (formula){NULL, 0};
        }
    }
}

/* Lists the residual and its Jacobians by all that a sensitivity needs. */
static void list_derivatives(struct formula_list *list, const struct model *model,
                             const struct mode *mode, const struct residual *residual)
{
    const struct { int block, size; } by[] = {
        {BLOCK_A, model->n}, {BLOCK_LAMBDA, mode->m}, {BLOCK_Q, model->n},
        {BLOCK_V, model->n}, {BLOCK_S, model->ns}, {BLOCK_RHO, model->p},
        {BLOCK_QD, model->n}, {BLOCK_SD, model->ns}, {BLOCK_MU, mode->m},
    };
    int most = 0;
    for (size_t k = 0; k < sizeof by / sizeof by[0]; k++)
        most = by[k].size > most ? by[k].size : most;
    formula *row = memory_new(most, sizeof *row);
    int *column = memory_new(most, sizeof *column);
    list->f = memory_grow(list->f, &list->room, residual->rows, sizeof *list->f);
    memory_copy(list->f, residual->R, residual->rows, sizeof *list->f);
    list->count = residual->rows;
    for (size_t k = 0; k < sizeof by / sizeof by[0]; k++)
        append_jacobian(list, residual, by[k].block, by[k].size, row, column);
    free(row);
    free(column);
}

/* Prints the residual alone, and with its derivatives. False: these are too many. */
static bool print_program(const struct model *model,
                          const struct formulation *formulation, const struct mode *mode)
{
    const char *option[MAX_OPTIONS];
    options_nominal(formulation, option);
    struct residual *residual = formulation_residual(formulation, model, mode, option,
                                                     NULL);
    if (!residual)
        return true;
    struct formula_list all = {0};
    list_derivatives(&all, model, mode, residual);
    text_cell(stdout, &program_column[0], "%s", formulation->name);
    text_cell(stdout, &program_column[1], "%s", mode->name);
    text_cell(stdout, &program_column[2], "%d", residual->rows);
    text_cell(stdout, &program_column[3], "%d",
              count_rows(model, all.f, residual->rows));
    bool whole = all.count <= MOST_FORMULAS;
    if (whole)
        text_cell(stdout, &program_column[4], "%d", count_rows(model, all.f, all.count));
    else
        text_cell(stdout, &program_column[4], "-");
    putchar('\n');
    free(all.f);
    residual_free(residual);
    return whole;
}

static void print_programs(const struct model *model)
{
    print_heading("programs: operations of the residual, and with all its derivatives");
    for (int k = 0; k < PROGRAM_COLUMNS; k++)
        text_cell(stdout, &program_column[k], "%s", program_column[k].title);
    putchar('\n');
    const char *why = "";
    bool whole = true;
    struct model *branch = model_branch(model);
    for (int k = 0; formulations[k]; k++) {
        if (!formulation_applies(formulations[k], branch, &why))
            continue;
        for (int i = 0; i < branch->modes; i++)
            whole &= print_program(branch, formulations[k], branch->mode[i]);
    }
    model_branch_free(branch);
    if (!whole)
        printf("  -: more than %d derivatives are not zero; they are not counted\n",
               MOST_FORMULAS);
}

/* --- the command -------------------------------------------------------------------- */

static void print_case(const struct model *model, const double *value)
{
    const struct case_desc *desc = model->desc;
    printf("%s%s%s: %s\n", colour_on(stdout, BOLD), desc->name, colour_off(stdout),
           desc->title);
    printf("%-14s%s\n", "source", desc->source && *desc->source ? desc->source : "-");
    printf("%-14s%s\n", "declared", desc->declared ? desc->declared : "nothing");
    printf("%-14s%s\n", "classes", desc->classes && *desc->classes ? desc->classes : "-");
    print_list("coordinates", model->coordinate, model->n);
    print_list("auxiliary", model->auxiliary, model->ns);
    printf("%-14s", "modes");
    for (int k = 0; k < model->modes; k++)
        printf("%s%s (%d constraint%s)", k ? ", " : "", model->mode[k]->name,
               model->mode[k]->m, model->mode[k]->m == 1 ? "" : "s");
    double t0, t_end;
    if (model_times(model, value, &t0, &t_end, NULL) == OK)
        printf("\n%-14s%.10g .. %.10g s", "time", t0, t_end);
    putchar('\n');
    print_parameters(model, value);
    show_units(model);
    print_start(model);
    print_stops(model);
    show_equations(model);
    print_events(model);
    print_costs(model);
    print_published(stdout, model);
    print_twin(model);
    print_formulations(model);
    print_programs(model);
}

static enum exit_status show_yaml(const struct args *args)
{
    struct diagnosis diagnosis = {.t = NAN};
    const struct case_desc *desc = setup_case(args, args->operand[0]);
    char *text = desc ? model_file_text(desc, &diagnosis) : NULL;
    if (desc && !text)
        return complain_refusal(args, args->operand[0], &diagnosis);
    if (text)
        fputs(text, stdout);
    free(text);
    return desc ? EXIT_HELD : EXIT_USAGE;
}

static enum exit_status show(const struct args *args)
{
    enum exit_status status = EXIT_USAGE;
    if (args_has(args, OPTION_YAML))
        return show_yaml(args);
    if (!picture_possible(args))
        return status;
    struct model *model = setup_model(args, args->operand[0]);
    if (!model)
        return status;
    double *value = memory_new(model->p, sizeof *value);
    if (setup_values(args, model, value)) {
        status = args_has(args, OPTION_PLOT) ? show_plot(args, model, value) : EXIT_HELD;
        if (status == EXIT_HELD && args_has(args, OPTION_JSON))
            show_json(model, value);
        else if (status == EXIT_HELD)
            print_case(model, value);
    }
    free(value);
    model_free(model);
    return status;
}

static const enum option_id options[] = {OPTION_PLOT, OPTION_KEEP_SCRIPT, OPTION_YAML,
                                         OPTION_PLUGIN, OPTION_TIMEOUT, OPTION_JSON,
                                         OPTIONS};

extern const struct command command_show;
const struct command command_show = {
    .name = "show", .synopsis = "CASE [OPTION...]",
    .summary = "What a case states: parameters, equations, events, costs",
    .text = "--plot draws the mechanism: where it starts, where it is later, the paths\n"
            "of its points, and where they are at events. Units are checked: findings\n"
            "say which formula adds what; those of coordinates and costs follow.\n\n"
            "  saltus show five-bar --plot five-bar.svg\n"
            "  saltus show five-bar --yaml > mine.yaml && saltus verify mine.yaml\n",
    .option = options, .least = 1, .most = 1, .apart = true, .run = show,
};
