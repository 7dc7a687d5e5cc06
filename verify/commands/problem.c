/*
 * problem.c - `saltus problem CASE`: the problem for a solver in any language, as JSON.
 */
#include "problem/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "commands/setup.h"
#include "options/file_print.h"

static void print_text(FILE *stream, const void *text)
{
    fprintf(stream, "%s\n", (const char *)text);
}

static enum exit_status write_text(const struct args *args, const char *text)
{
    return output_print(args, print_text, text) ? EXIT_HELD : EXIT_USAGE;
}

static enum exit_status ask(const struct args *args, struct model *model, int more,
                            const struct truth *truth)
{
    struct diagnosis diagnosis = {.t = NAN};
    int *parameter = memory_new(model->p, sizeof *parameter);
    double *t = NULL;
    char *text = NULL;
    struct problem problem = {.model = model, .truth = *truth, .digits = foreign_bar,
                              .parameter = parameter};
    problem.parameters = model_sensitivities(model, parameter);
    enum status status = problem_times(model, more, &t, &problem.times, &diagnosis);
    problem.t = t;
    if (status == OK)
        status = problem_json(&problem, &text, &diagnosis);
    enum exit_status end = status == OK
                               ? write_text(args, text)
                               : complain_refusal(args, model->desc->name, &diagnosis);
    free(text);
    free(t);
    free(parameter);
    return end;
}

static enum exit_status print_problem(const struct args *args)
{
    struct reference_motion own;
    const char *option[MAX_OPTIONS];
    long more = 0;
    struct model *model = setup_model(args, args->operand[0]);
    enum exit_status status = EXIT_USAGE;
    if (model && setup_motion(args, model, option, &own) &&
        args_count(args, OPTION_POINTS, 1, 10000000, &more))
        status = ask(args, model, (int)more, &own.truth);
    model_free(model);
    return status;
}

static const enum option_id options[] = {
    OPTION_FORMULATION, OPTION_OPT, OPTION_RESET, OPTION_POINTS, OPTION_OUT, OPTIONS,
};

extern const struct command command_problem;
const struct command command_problem = {
    .name = "problem",
    .synopsis = "CASE [OPTION...]",
    .summary = "What a solver in another language must solve, as JSON",
    .text =
        "Equations as text, parameters, the consistent start with its sensitivities to\n"
        "40 digits, sample times away from events, the columns wanted, how to answer.\n"
        "--formulation penalty (or another) asks for the motion of that formulation\n"
        "instead of the exact one; --points N for about N further times.\n\n"
        "  saltus problem five-bar -o five-bar.json\n"
        "  saltus verify five-bar --solver './my-solver --fast'\n",
    .option = options,
    .least = 1,
    .most = 1,
    .run = print_problem,
};
