/*
 * test_problem.c - what `saltus problem` says can be read back: every formula to the same
 * row, every number to the same double, the start to the certified one.
 */
#include <math.h>

#include "base/memory.h"
#include "file/formula_texts.h"
#include "file/model_file.h"
#include "formula/read.h"
#include "identical.h"
#include "mechanisms/catalogue.h"
#include "parsing.h"
#include "problem/problem.h"
#include "program/program.h"
#include "sampling.h"
#include "sanitized.h"

TestSuite(problem, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* --- a problem, and names to read it with ------------------------------------------- */

struct reading {
    struct model *stated, *model;   /* the model is a branch of what the case states, on
                                       which formulas are read */
    struct names *names;
    cJSON *json;
};

static cJSON *item(const cJSON *object, const char *key)
{
    cJSON *found = cJSON_GetObjectItem(object, key);
    cr_assert_not_null(found, "no key %s", key);
    return found;
}

static void bind_block(struct reading *reading, int block, int count)
{
    for (int i = 0; i < count; i++)
        cr_assert(names_bind(reading->names, texts_variable(reading->model, block, i),
                             variable(reading->model->tape, block, i)));
}

static formula read_text(const struct reading *reading, const cJSON *text)
{
    struct read_error error = {.set = false};
    cr_assert(cJSON_IsString(text));
    formula f = formula_read(reading->model->tape, reading->names, text->valuestring,
                             &error);
    cr_assert(!error.set, "%s: %s", error.message, error.line);
    return f;
}

static struct reading open_reading(const struct case_desc *desc)
{
    struct diagnosis diagnosis;
    struct reading reading = {.stated = model_new(desc, &diagnosis),
                              .names = names_new()};
    struct model *model = reading.model = model_branch(reading.stated);
    int *parameter = memory_new(model->p, sizeof *parameter), impulses = 0;
    double *t;
    char *text;
    struct problem problem = {.model = model, .truth = {.variant = "exact"},
                              .parameter = parameter, .digits = 6};
    problem.parameters = model_sensitivities(model, parameter);
    cr_assert_eq(problem_times(model, 0, &t, &problem.times, &diagnosis), OK);
    problem.t = t;
    cr_assert_eq(problem_json(&problem, &text, &diagnosis), OK, "%s: %s", desc->name,
                 diagnosis.place);
    reading.json = cJSON_Parse(text);
    cr_assert_not_null(reading.json);
    texts_name_variables(model);       /* the writer has named those of a branch */
    for (int k = 0; k < model->events; k++)
        if (model->event[k]->impulses > impulses)
            impulses = model->event[k]->impulses;
    const struct { int block, count; } blocks[] = {
        {BLOCK_T, 1}, {BLOCK_Q, model->n}, {BLOCK_V, model->n}, {BLOCK_S, model->ns},
        {BLOCK_A, model->n}, {BLOCK_LAMBDA, model->m}, {BLOCK_RHO, model->p},
        {BLOCK_Q_PLUS, model->n}, {BLOCK_V_PLUS, model->n}, {BLOCK_S_PLUS, model->ns},
        {BLOCK_IMPULSE, impulses}};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        bind_block(&reading, blocks[k].block, blocks[k].count);
    const cJSON *definition;
    cJSON_ArrayForEach(definition, item(reading.json, "definitions"))
        cr_assert(names_bind(reading.names,
                             cJSON_GetArrayItem(definition, 0)->valuestring,
                             read_text(&reading, cJSON_GetArrayItem(definition, 1))));
    free(text);
    free(t);
    free(parameter);
    return reading;
}

static void close_reading(struct reading *reading)
{
    cJSON_Delete(reading->json);
    names_free(reading->names);
    model_branch_free(reading->model);
    model_free(reading->stated);
}

static void expect_formulas(const struct reading *reading, const cJSON *list,
                            const formula *f, int count, const char *what)
{
    cr_assert_eq(cJSON_GetArraySize(list), count, "%s", what);
    for (int i = 0; i < count; i++)
        cr_assert(same_formula(read_text(reading, cJSON_GetArrayItem(list, i)), f[i]),
                  "%s: %s[%d]: %s", reading->model->desc->name, what, i,
                  cJSON_GetArrayItem(list, i)->valuestring);
}

/* --- formulas ----------------------------------------------------------------------- */

static void expect_mode(const struct reading *reading, const cJSON *json,
                        const struct mode *mode)
{
    int n = reading->model->n;
    cr_assert_str_eq(item(json, "name")->valuestring, mode->name);
    for (int i = 0; i < n; i++)
        expect_formulas(reading, cJSON_GetArrayItem(item(json, "M"), i), mode->M[i], n,
                        "M");
    for (int i = 0; i < mode->m; i++)
        expect_formulas(reading, cJSON_GetArrayItem(item(json, "Phi_q"), i),
                        mode->Phi_q + i * n, n, "Phi_q");
    for (int i = 0; i < mode->m; i++)
        expect_formulas(reading, cJSON_GetArrayItem(item(json, "Phid_v"), i),
                        mode->Phid_v + i * n, n, "Phid_v");
    expect_formulas(reading, item(json, "F"), mode->F, n, "F");
    expect_formulas(reading, item(json, "Phi"), mode->Phi, mode->m, "Phi");
    expect_formulas(reading, item(json, "Phid"), mode->Phid, mode->m, "Phid");
    expect_formulas(reading, item(json, "f_s"), mode->f_s, reading->model->ns, "f_s");
    expect_formulas(reading, item(json, "g"), mode->g, reading->model->nz, "g");
}

/* Every unknown of J = 0 is either explicit, and then x_plus - text is its row, or one of
   `unknowns`, and there are as many equations in `zero`. */
static void expect_reset(const struct reading *reading, const cJSON *reset,
                         const struct event *event)
{
    const cJSON *pair, *zero = cJSON_GetObjectItem(reset, "zero");
    const cJSON *unknowns = cJSON_GetObjectItem(reset, "unknowns");
    int found = 0, implicit = cJSON_GetArraySize(unknowns);
    cJSON_ArrayForEach(pair, item(reset, "explicit")) {
        formula plus = read_text(reading, cJSON_GetArrayItem(pair, 0));
        formula row = sub(plus, read_text(reading, cJSON_GetArrayItem(pair, 1)));
        for (int i = 0; i < event->w; i++)
            found += same_formula(row, event->J[i]);
    }
    cr_assert_eq(found, cJSON_GetArraySize(item(reset, "explicit")));
    cr_assert_eq(found + implicit, event->w, "%s", event->name);
    cr_assert_eq(cJSON_GetArraySize(zero), implicit, "%s", event->name);
    for (int i = 0; i < implicit; i++) {
        formula row = read_text(reading, cJSON_GetArrayItem(zero, i));
        int place = 0;
        while (place < event->w && !same_formula(row, event->J[place]))
            place++;
        cr_assert_lt(place, event->w, "%s", cJSON_GetArrayItem(zero, i)->valuestring);
        read_text(reading, cJSON_GetArrayItem(unknowns, i));
    }
}

Test(problem, every_formula_of_every_case_is_read_back_to_the_same_row)
{
    for (int c = 0; catalogue[c]; c++) {
        if (case_is_refused(catalogue[c]) || LEFT_TO_PLAIN_BUILD(c))
            continue;
        struct reading reading = open_reading(catalogue[c]);
        const struct model *model = reading.model;
        cr_assert_eq(cJSON_GetArraySize(item(reading.json, "modes")), model->modes);
        for (int k = 0; k < model->modes; k++)
            expect_mode(&reading, cJSON_GetArrayItem(item(reading.json, "modes"), k),
                        model->mode[k]);
        for (int k = 0; k < model->events; k++) {
            const cJSON *json = cJSON_GetArrayItem(item(reading.json, "events"), k);
            cr_assert(same_formula(read_text(&reading, item(json, "guard")),
                                   model->event[k]->guard));
            expect_reset(&reading, item(json, "reset"), model->event[k]);
            expect_formulas(&reading, item(json, "cost"), model->event[k]->cost,
                            model->nz, "cost");
        }
        expect_formulas(&reading, item(reading.json, "terminal_cost"), model->w,
                        model->nz, "terminal_cost");
        close_reading(&reading);
    }
}

/* Phi_q a + gamma is Phidd: checked as formulas by their values at random points. */
/* The case in its default formulation, at its nominal values; NULL: a refusal. */
static struct trajectory *run_of(const struct model *model)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct trajectory *trajectory = NULL;
    double value[200], t0, t_end;
    int *parameter = memory_new(model->p, sizeof *parameter);
    cr_assert_leq(model->p, 200);
    cr_assert_eq(model_nominal_values(model, value, &diagnosis), OK);
    cr_assert_eq(model_times(model, value, &t0, &t_end, &diagnosis), OK);
    const struct run_request request = {
        .model = model, .formulation = formulation_default(model), .rtol = 1e-8,
        .atol = 1e-11, .t_end = NAN, .samples = 1, .sample = &t_end,
        .parameters = model_sensitivities(model, parameter), .parameter = parameter,
        .code = CODE_NEVER};
    enum status status = run_once(&request, &trajectory, &diagnosis);
    if (status != OK) {
        trajectory_free(trajectory);
        trajectory = NULL;
    }
    free(parameter);
    return trajectory;
}

/* The problem as a file, and the case that it is. */
static struct model *model_of_problem(const struct case_desc *desc)
{
    struct reading reading = open_reading(desc);
    struct diagnosis diagnosis = {.t = NAN};
    char *text = cJSON_Print(reading.json), name[100], path[PATH_MAX];
    snprintf(name, sizeof name, "%s.json", desc->name);
    write_file(name, text);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const struct case_desc *again = case_open(path, &diagnosis);
    cr_assert_not_null(again, "%s", diagnosis.place);
    struct model *model = model_new(again, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    cJSON_free(text);
    close_reading(&reading);
    return model;
}

static bool has_start(const struct case_desc *desc)
{
    return strcmp(desc->name, "bricard-one-bar") != 0 &&
           strcmp(desc->name, "four-bar-singular") != 0;
}

Test(problem, what_is_printed_is_a_model_file_with_the_same_motion)
{
    struct sampling *sampling = sampling_new(has_start);
    int runs = 0;
    for (int k = 0; catalogue[k]; k++) {
        struct diagnosis diagnosis;
        bool run = sampling_has(sampling, catalogue[k]);
        if (!has_start(catalogue[k]) || (LEFT_TO_PLAIN_BUILD(k) && !run))
            continue;
        struct model *again = model_of_problem(catalogue[k]);
        struct model *model = model_new(catalogue[k], &diagnosis);
        cr_expect_str_eq(again->desc->name, model->desc->name);
        if (run) {
            struct trajectory *a = run_of(model), *b = run_of(again);
            cr_assert_eq(!a, !b, "%s: one run is refused", model->desc->name);
            if (a)
                cr_expect_null(difference(a, b), "%s: %s", model->desc->name,
                               difference(a, b));
            runs += a != NULL;
            trajectory_free(a);
            trajectory_free(b);
        }
        model_free(again);
        model_free(model);
    }
    sampling_free(sampling);
    cr_expect_geq(runs, SANITIZED ? 5 : 10);
}

Test(problem, gamma_is_what_is_left_of_the_second_derivative_without_accelerations)
{
    struct reading reading = open_reading(case_find("five-bar"));
    const struct model *model = reading.model;
    const struct mode *mode = model->start;
    const cJSON *json = cJSON_GetArrayItem(item(reading.json, "modes"), 0);
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    formula difference[8];
    for (int i = 0; i < mode->m; i++) {
        formula row = read_text(&reading, cJSON_GetArrayItem(item(json, "gamma"), i));
        row = sub(row, mode->Phidd[i]);
        for (int j = 0; j < model->n; j++)
            row = add(row, mul(mode->Phid_v[i * model->n + j],
                               variable(model->tape, BLOCK_A, j)));
        difference[i] = row;
    }
    struct program *program = program_seal(model->tape, difference, mode->m, stage);
    double *w = memory_new(program->slots, sizeof *w), x[64];
    for (int i = 0; i < 64; i++)
        x[i] = sin(1.0 + i * i);
    program_init(program, w);
    for (int block = 0; block < BLOCKS; block++)
        program_load(program, block, x, w);
    program_run(program, 1, w);
    for (int i = 0; i < mode->m; i++)       /* terms of order 1: 15 digits */
        cr_assert_lt(fabs(w[program->output[i]]), 1e-14);
    free(w);
    program_free(program);
    close_reading(&reading);
}

/* --- definitions -------------------------------------------------------------------- */

Test(problem, what_would_be_too_long_is_written_by_definitions)
{
    struct diagnosis diagnosis;
    struct model *stated = model_new(case_find("pendulum-stop"), &diagnosis);
    struct model *model = model_branch(stated);
    formula f = variable(model->tape, BLOCK_Q, 0);
    for (int k = 0; k < 60; k++)            /* 3^60 characters when written out */
        f = add(mul(f, apply(OP_SIN, f)), f);
    struct formula_texts text;
    texts_init(&text, model);
    texts_add(&text, &f, 1);
    texts_define(&text, TEXT_LIMIT, false);
    cr_assert_gt(text.definitions, 20);
    cr_assert_lt(text.definitions, 200);

    struct names *names = names_new();
    struct read_error error = {.set = false};
    cr_assert(names_bind(names, "th", variable(model->tape, BLOCK_Q, 0)));
    size_t all = 0;
    for (int k = 0; k < text.definitions; k++) {
        char *body;
        const char *name = texts_definition(&text, k, &body);
        all += strlen(body);
        cr_assert(names_bind(names, name,
                             formula_read(model->tape, names, body, &error)));
        cr_assert(!error.set, "%s = %s: %s", name, body, error.message);
        free(body);
    }
    char *body = texts_of(&text, f);
    cr_assert(same_formula(formula_read(model->tape, names, body, &error), f));
    cr_assert_lt(all, 20000, "%zu characters", all);
    free(body);
    names_free(names);
    texts_clear(&text);
    model_branch_free(model);
    model_free(stated);
}

/* --- numbers ------------------------------------------------------------------------ */

Test(problem, parameters_keep_all_their_digits)
{
    struct reading reading = open_reading(case_find("five-bar"));
    double value[64];
    cr_assert_eq(model_nominal_values(reading.model, value, NULL), OK);
    for (int j = 0; j < reading.model->p; j++) {
        const cJSON *json = cJSON_GetArrayItem(item(reading.json, "parameters"), j);
        cr_assert_eq(item(json, "value")->valuedouble, value[j], "%s",
                     item(json, "name")->valuestring);
        cr_assert(same_formula(read_text(&reading, item(json, "nominal")),
                               reading.model->parameter[j].nominal));
        cr_assert_eq(cJSON_IsTrue(item(json, "differentiated")),
                     !reading.model->parameter[j].fixed);
    }
    close_reading(&reading);
}

/* The first certified sample is the start of a case that begins at 0. */
Test(problem, the_start_is_the_certified_one_to_forty_digits)
{
    struct reading reading = open_reading(case_find("five-bar"));
    const struct truth exact = {.variant = "exact"};
    struct certificate *certificate;
    char path[600], name[80];
    mpfr_t value;
    cr_assert(certified_path(reading.model, &exact, path, sizeof path));
    cr_assert_eq(certificate_read(path, reading.model, &certificate, NULL), OK);
    const struct mp_trajectory *trajectory = certificate->trajectory;
    const cJSON *start = item(reading.json, "start");
    mpfr_init2(value, 200);
    cr_assert_str_eq(item(start, "t")->valuestring, "0");
    for (int c = 0; c < trajectory->columns.count; c++) {
        column_name(&trajectory->columns, c, name, sizeof name);
        mpfr_set_str(value, item(start, name)->valuestring, 10, MPFR_RNDN);
        cr_assert_geq(mp_digits(value, trajectory->sample[0].x[c], NULL), 39, "%s", name);
    }
    mpfr_clear(value);
    certificate_free(certificate);
    close_reading(&reading);
}

Test(problem, asks_for_the_columns_and_times_that_verify_judges)
{
    struct reading reading = open_reading(case_find("pendulum-wall"));
    struct samples samples;
    cr_assert_eq(choose_samples(reading.model, &samples, NULL), OK);
    const cJSON *t = item(reading.json, "samples");
    cr_assert_eq(cJSON_GetArraySize(t), 1 + samples.count);
    cr_assert_eq(cJSON_GetArrayItem(t, 0)->valuedouble, 0);
    for (int k = 0; k < samples.count; k++)
        cr_assert_eq(cJSON_GetArrayItem(t, k + 1)->valuedouble, samples.t[k]);
    cr_assert_str_eq(cJSON_GetArrayItem(item(reading.json, "columns"), 1)->valuestring,
                     "q.x");
    cr_assert_eq(cJSON_GetArraySize(item(reading.json, "columns")), 1 + 9 * 7);
    cr_assert_eq(cJSON_GetArraySize(item(reading.json, "event_columns")), 4 + 6 + 9 * 7);
    close_reading(&reading);
}

/* --- the command -------------------------------------------------------------------- */

static cJSON *command_json(const char *arguments)
{
    cr_assert_eq(run_command(arguments), HELD, "saltus %s", arguments);
    return json_of("out");
}

Test(problem, the_command_prints_exact_and_penalty_problems)
{
    cJSON *exact = command_json("problem five-bar");
    cJSON *penalty = command_json("problem five-bar -f penalty --opt xi=2");
    cr_assert_eq(item(exact, "format")->valueint, 1);
    cr_assert_str_eq(item(item(exact, "motion"), "variant")->valuestring, "exact");
    cr_assert_str_eq(item(item(penalty, "motion"), "variant")->valuestring, "penalty");
    cr_assert_str_eq(item(item(penalty, "motion"), "alpha")->valuestring, "1e5");
    cr_assert_str_eq(item(item(penalty, "motion"), "K_D")->valuestring, "40");
    cr_assert_str_eq(item(item(penalty, "motion"), "K_P")->valuestring, "100");
    cJSON *many = command_json("problem five-bar --points 1000");
    int times = cJSON_GetArraySize(item(many, "samples"));
    cr_assert_geq(times, 1000);
    for (int k = 1; k < times; k++)
        cr_assert_gt(cJSON_GetArrayItem(item(many, "samples"), k)->valuedouble,
                     cJSON_GetArrayItem(item(many, "samples"), k - 1)->valuedouble);
    cJSON_Delete(exact);
    cJSON_Delete(penalty);
    cJSON_Delete(many);
    expect_run("problem five-bar -o x.json", HELD, "out", "");
    char *file = contents("x.json");
    cr_assert_not_null(strstr(file, "\"five-bar\""));
    free(file);
}

Test(problem, the_command_refuses_in_one_line)
{
    expect_complaint("problem five-bra", USAGE, "did you mean five-bar?");
    expect_complaint("problem", USAGE, "a case is missing");
    expect_complaint("problem bouncing-ball -f penalty", USAGE, "does not apply");
    expect_complaint("problem five-bar --opt alpha=1", USAGE, "--opt belongs to");
    expect_complaint("problem slack-rope --reset continuous", USAGE, "does not apply");
    expect_complaint("problem five-bar -o /nonexistent/x", USAGE, "cannot be written");
    expect_run("problem --help", HELD, "out", "usage: saltus problem CASE");
}
