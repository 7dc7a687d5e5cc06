/*
 * test_export.c - `saltus export`: the text is compiled, or run, by its language, and all
 * its numbers are those of the formulas, its derivatives those of a complex step. The
 * text for Julia is read only (test_export_text.c): Debian has no Julia.
 */
#include "exporting.h"
#include "program/complex_step.h"
#include "sampling.h"

TestSuite(export, .init = make_folder, .fini = remove_folder, .timeout = 600);

/* --- values ------------------------------------------------------------------------- */

static void expect_values(const struct case_desc *desc, const struct caller *caller)
{
    struct exporting e = exporting_open(desc);
    char *text = export_text(e.model, language_find(caller->language));
    double *got = numbers_of(&e, caller, text);
    struct findings findings = compare_values(&e, got);
    cr_expect_eq(findings.wrong, 0, "%s in %s, seed %llu: %d of %d wrong; %s", desc->name,
                 caller->language, e.seed, findings.wrong, findings.compared,
                 findings.worst);
    cr_expect_gt(findings.compared, 9 * findings.undefined, "%s, seed %llu: %d numbers, "
                 "%d undefined", desc->name, e.seed, findings.compared,
                 findings.undefined);
    free(got);
    free(text);
    exporting_close(&e);
}

static void expect_all_values(const struct caller *caller)
{
    struct sampling *sampling = sampling_new(has_motion);
    for (int c = 0; catalogue[c]; c++)
        if (sampling_has(sampling, catalogue[c]) || in_test_all())
            expect_values(catalogue[c], caller);
    sampling_free(sampling);
}

Test(export, the_c_of_each_case_is_strict_and_has_the_values_of_its_formulas)
{
    expect_all_values(&call_c);
}

Test(export, the_python_of_each_case_has_the_values_of_its_formulas)
{
    expect_all_values(&call_python);
}

static void need_octave(void)
{
    if (shell("command -v octave-cli") != 0)
        cr_skip_test("there is no octave-cli: install Debian's octave");
}

Test(export, the_octave_of_each_case_has_the_values_of_its_formulas)
{
    need_octave();
    expect_all_values(&call_octave);
}

/* A parameter for every macro that the compiler knows in its own dialect, with the
   headers of the text: none is left a variable's name. */
Test(export, a_parameter_of_the_name_of_a_macro_is_renamed_in_c)
{
    cr_assert_eq(shell(
        "printf '#include <math.h>\\n#include <string.h>\\n' > headers.c;"
        "${CC:-gcc} -D_GNU_SOURCE -dM -E headers.c | sort -u |"
        "  sed 's/#define \\([A-Za-z0-9_]*\\).*/\\1/' > macros;"
        "test $(wc -l < macros) -gt 100 || exit 99;"
        "{ echo 'coordinates: [x]'; echo 'parameters:';"
        "  sed 's/.*/  &: {nominal: 2}/' macros; echo 'modes:'; echo '  A:';"
        "  printf '    M: {x: {x: 1}}\\n    F: {x: 0';"
        "  sed 's/.*/ + &*x/' macros | tr -d '\\n'; echo '}';"
        "  echo 'initial: {state: {x: 1}}'; echo 'end: 1'; } > macros.yaml"), 0);
    expect_run("export macros.yaml --to c -o macros.h", HELD, "err", "");
    cr_assert_eq(shell("cp macros.h macros.c; ${CC:-gcc} -D_GNU_SOURCE -Wall -Wextra "
                       "-Werror -fsyntax-only macros.c"), 0);
}

/* --- derivatives -------------------------------------------------------------------- */

/* A program of one function, run with a complex step in one variable. */
struct stepped {
    struct program *program;
    double complex *w;
};

static struct stepped stepped_open(const struct exporting *e,
                                   const struct function *function)
{
    unsigned char stage[BLOCK_LIMIT];
    struct stepped s;
    formula *f = memory_new(function->count, sizeof *f);
    for (int i = 0; i < function->count; i++)
        f[i] = function->entry[i].f;
    memset(stage, 1, sizeof stage);
    s.program = program_seal(e->functions.model->tape, f, function->count, stage);
    s.w = memory_new(s.program->slots, sizeof *s.w);
    program_init_complex(s.program, s.w);
    free(f);
    return s;
}

static void stepped_run(const struct exporting *e, const struct stepped *s, int block,
                        int index, double step)
{
    for (int k = 0; k < s->program->inputs; k++) {
        const struct program_input *input = &s->program->input[k];
        bool moves = input->block == block && input->index == index;
        s->w[input->slot] = complex_of(e->x[input->block][input->index],
                                       moves ? step : 0);
    }
    program_run_complex(s->program, 1, s->w);
}

/* The mode of which the function is Phi, or NULL. */
static const struct mode *mode_of_Phi(const struct exporting *e,
                                      const struct function *function)
{
    const struct model *model = e->functions.model;
    char name[200];
    for (int k = 0; k < model->modes; k++) {
        snprintf(name, sizeof name, "%s_Phi", e->functions.mode[k]);
        if (strcmp(name, function->name) == 0)
            return model->mode[k];
    }
    return NULL;
}

/* The place of the derivative of a function by a block, -1: it has none. That of Phi by q
   is Phi_q, and so is that by v, in its rows at velocity level. */
static int derivative_of(const struct exporting *e, const struct function *function,
                         int block, bool is_Phi)
{
    char name[200];
    int k = 0;
    snprintf(name, sizeof name, "%s_%s", function->name,
             block_argument(is_Phi && block == BLOCK_V ? BLOCK_Q : block));
    while (k < e->functions.count && strcmp(e->functions.list[k].name, name) != 0)
        k++;
    return k < e->functions.count ? e->first[k] : -1;
}

/* Compares d function/d block as it was printed, or zero where it was not. */
static void compare_derivatives(const struct exporting *e, const double *got,
                                const struct function *function, int block,
                                struct findings *findings)
{
    const double step = 1e-30;
    const struct mode *mode = mode_of_Phi(e, function);
    int first = derivative_of(e, function, block, mode != NULL);
    int size = function->sizes[block];
    char name[200];
    snprintf(name, sizeof name, "%s by %s", function->name, block_argument(block));
    struct stepped s = stepped_open(e, function);
    for (int j = 0; j < size; j++) {
        stepped_run(e, &s, block, j, step);
        for (int i = 0; i < function->count; i++) {
            const struct entry *entry = &function->entry[i];
            int place = entry_place(function, entry) * size + j;
            double complex value = s.w[s.program->output[i]];
            double want = cimag(value) / step;
            bool is_level = mode && mode->velocity_level[entry->at[0]];
            if (!isfinite(creal(value)) || (is_level && block == BLOCK_Q) ||
                (mode && !is_level && block == BLOCK_V))
                continue;
            compare_number(findings, name, place, first < 0 ? 0 : got[first + place],
                           want, 1e-12 * fabs(want) +
                           64 * (first < 0 ? 0 : e->bound[first + place]));
        }
    }
    program_free(s.program);
    free(s.w);
}

static struct findings compare_all_derivatives(const struct exporting *e,
                                               const double *got)
{
    struct findings findings = {0};
    for (int k = 0; k < e->functions.count; k++) {
        const struct function *function = &e->functions.list[k];
        for (int block = 0; function->value < 0 && block < BLOCKS; block++)
            if (function->arguments >> block & 1)
                compare_derivatives(e, got, function, block, &findings);
    }
    return findings;
}

static void expect_derivatives(const struct case_desc *desc, const struct caller *caller)
{
    struct exporting e = exporting_open(desc);
    char *text = export_text(e.model, language_find(caller->language));
    double *got = numbers_of(&e, caller, text);
    struct findings findings = compare_all_derivatives(&e, got);
    cr_expect_eq(findings.wrong, 0, "%s, seed %llu: %d of %d derivatives wrong; %s",
                 desc->name, e.seed, findings.wrong, findings.compared, findings.worst);
    cr_expect_gt(findings.compared, 9 * findings.undefined, "%s", desc->name);
    free(got);
    free(text);
    exporting_close(&e);
}

Test(export, its_derivatives_are_those_of_a_complex_step_and_zero_where_there_is_none)
{
    struct sampling *sampling = sampling_new(has_motion);
    for (int c = 0; catalogue[c]; c++)
        if (sampling_has(sampling, catalogue[c]) || in_test_all())
            expect_derivatives(catalogue[c], &call_c);
    sampling_free(sampling);
}

/* --- a wrong text is found ---------------------------------------------------------- */

static char *with_change(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    cr_assert_not_null(at, "no %s in the text", old);
    size_t size = strlen(text) + strlen(new) + 1;
    char *changed = memory_new((int)size, 1);
    snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return changed;
}

/* Changes the text of pendulum-wall in one place; both comparisons must find that one. */
static void expect_found(const struct caller *caller, const char *old, const char *new,
                         const char *where, const char *derivative)
{
    struct exporting e = exporting_open(case_find("pendulum-wall"));
    char *text = export_text(e.model, language_find(caller->language));
    char *changed = with_change(text, old, new);
    double *got = numbers_of(&e, caller, changed);
    struct findings values = compare_values(&e, got);
    struct findings derivatives = compare_all_derivatives(&e, got);
    cr_expect_gt(values.wrong, 0, "%s: %s for %s", caller->language, new, old);
    cr_expect_not_null(strstr(values.worst, where), "%s", values.worst);
    cr_expect_eq(derivatives.wrong > 0, derivative != NULL, "%s", derivatives.worst);
    cr_expect(!derivative || strstr(derivatives.worst, derivative), "%s",
              derivatives.worst);
    free(got);
    free(changed);
    free(text);
    exporting_close(&e);
}

static void expect_changes_found(const struct caller *caller)
{
    expect_found(caller, "x*x + y*y", "x*x - y*y", "swing_Phi,", NULL);
    expect_found(caller, "-m*g", "m*g", "swing_F,", NULL);
    expect_found(caller, "l*cos(th0)", "-l*cos(th0)", "start_q_rho,", "start_q by rho");
    expect_found(caller, "-y*cos(a_) + x", "-y*cos(a_) - x", "wall_guard_rho,",
                 "wall_guard by rho");
    bool python = caller == &call_python;
    expect_found(caller, python ? "= 9.81\n" : "= 9.81;",
                 python ? "= 9.81000000001\n" : "= 9.81000000001;", "nominal,", NULL);
}

Test(export, a_sign_or_digit_that_is_changed_in_c_is_found)
{
    expect_changes_found(&call_c);
}

Test(export, a_sign_or_digit_that_is_changed_in_python_is_found)
{
    expect_changes_found(&call_python);
}

Test(export, a_sign_or_digit_that_is_changed_in_octave_is_found)
{
    need_octave();
    expect_changes_found(&call_octave);
}

/* --- the equations belong together -------------------------------------------------- */

/* The formula at the point; w is as for evaluate_functions. */
static double value_at(const struct exporting *e, formula f)
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    if (!f.tape)
        return 0;
    struct program *program = program_seal(e->functions.model->tape, &f, 1, stage);
    double *w = memory_new(program->slots, sizeof *w), value;
    program_init(program, w);
    for (int block = 0; block < BLOCKS; block++)
        program_load(program, block, e->x[block], w);
    program_run(program, 1, w);
    value = w[program->output[0]];
    free(w);
    program_free(program);
    return value;
}

/* The numbers of a function by its name after that of its mode or event; NULL: none. */
static const double *wanted(const struct exporting *e, const char *owner,
                            const char *quantity)
{
    char name[200];
    snprintf(name, sizeof name, "%s_%s", owner, quantity);
    for (int k = 0; k < e->functions.count; k++)
        if (strcmp(e->functions.list[k].name, name) == 0)
            return e->want + e->first[k];
    return NULL;
}

/* Phidd = Phid_v a + gamma */
static void expect_acceleration_level(const struct exporting *e, const struct mode *mode)
{
    const char *owner = e->functions.mode[mode->index];
    const double *gamma = wanted(e, owner, "gamma"), *Phid_v = wanted(e, owner, "Phid_v");
    int n = e->model->n;
    for (int i = 0; i < mode->m; i++) {
        double Phidd = value_at(e, mode->Phidd[i]), sum = gamma[i], size = fabs(sum);
        for (int j = 0; Phid_v && j < n; j++) {
            sum += Phid_v[i * n + j] * e->x[BLOCK_A][j];
            size += fabs(Phid_v[i * n + j] * e->x[BLOCK_A][j]);
        }
        cr_expect_float_eq(sum, Phidd, 1e-12 * size + 1e-14, "%s, %s: row %d",
                           e->model->desc->name, mode->name, i);
    }
}

/* J = A (v_plus, impulse) - b for velocities, J = x_plus - (its function) for the others.
   Returns whether the event has a system. */
static bool expect_reset(const struct exporting *e, const struct event *event)
{
    const char *owner = e->functions.event[event->index];
    const double *A = wanted(e, owner, "reset_A"), *b = wanted(e, owner, "reset_b");
    int n = e->model->n, k = event->impulses;
    cr_assert_eq(A != NULL, b != NULL);
    cr_assert(n == 0 || A || wanted(e, owner, "v_plus") ||
              wanted(e, owner, "reset_residual"));
    for (int i = 0; A && i < event->rows - n - e->model->ns; i++) {
        const double *row = A + i * (n + k);
        double sum = -b[i], size = fabs(sum);
        for (int j = 0; j < n + k; j++) {
            double term = row[j] * (j < n ? e->x[BLOCK_V_PLUS][j]
                                          : e->x[BLOCK_IMPULSE][j - n]);
            sum += term;
            size += fabs(term);
        }
        cr_expect_float_eq(sum, value_at(e, event->J[n + i]), 1e-12 * size + 1e-14,
                           "%s, %s: row %d", e->model->desc->name, event->name, i);
    }
    return A != NULL;
}

Test(export, gamma_and_the_systems_of_resets_are_the_equations_of_the_model)
{
    struct sampling *sampling = sampling_new(has_motion);
    int systems = 0;
    for (int c = 0; catalogue[c]; c++) {
        if (!sampling_has(sampling, catalogue[c]) && !in_test_all())
            continue;
        struct exporting e = exporting_open(catalogue[c]);
        for (int k = 0; k < e.model->modes; k++)
            expect_acceleration_level(&e, e.functions.model->mode[k]);
        for (int k = 0; k < e.model->events; k++)
            systems += expect_reset(&e, e.functions.model->event[k]);
        exporting_close(&e);
    }
    sampling_free(sampling);
    cr_expect_gt(systems, 5);
}

/* --- names -------------------------------------------------------------------------- */

static void record_taken(struct model *model)
{
    model_coordinates(model, "in, end, out");
    model_parameters(model, "a, q, sin_, lam, rho, N, zeros, t_");
    model_auxiliary(model, "s, is");
    model_time(model, "time");
    model_costs(model, "pi_");
    const char *const name[] = {"a", "q", "sin_", "lam", "rho", "N", "zeros", "t_"};
    for (int k = 0; k < 8; k++)
        model_nominal(model, name[k], "1.25", "1", "a \\ in a comment\\", false, __FILE__,
                      __LINE__);
    struct mode *mode = model_mode(model, "on-end");
    for (int i = 0; i < 3; i++)
        model->M[i][i] = model_read(model, "1 + a*a", __FILE__, __LINE__);
    model->F[0] = model_read(model, "a*q*in + end*sin_ - lam*vin*rho - time*s", __FILE__,
                             __LINE__);
    model->F[1] = model_read(model, "pow(out - zeros, 3)/(N*N + 1) - is*pow(in, -2)"
                             " + pow(0.5, t_) + 1e-7/3 - pi/2 + pow(-0.25, 3)*in*"
                             "pow(q - in, -1)", __FILE__, __LINE__);
    model->f_s[0] = model_read(model, "ain*time", __FILE__, __LINE__);
    struct event *event = model_event(model, "on-end", mode, mode,
                                      model_read(model, "end - q", __FILE__, __LINE__),
                                      EITHER);
    event->v_plus[0] = model_read(model, "-a*vin", __FILE__, __LINE__);
    for (int i = 0; i < 3; i++) {
        model->q0[i] = model_read(model, "a/2", __FILE__, __LINE__);
        model->v0[i] = model_read(model, "a", __FILE__, __LINE__);
    }
    for (int i = 0; i < 2; i++)
        model->s0[i] = model_read(model, "q", __FILE__, __LINE__);
    model->t_end = model_read(model, "1", __FILE__, __LINE__);
}

static const struct case_desc taken = {
    .name = "taken", .title = "every name is taken", .source = "this file",
    .classes = "smooth", .record = record_taken};

Test(export, names_that_a_language_has_taken_are_other_names_there)
{
    expect_values(&taken, &call_c);
    expect_values(&taken, &call_python);
    expect_derivatives(&taken, &call_c);
}

Test(export, names_that_octave_has_taken_are_other_names_there)
{
    need_octave();
    expect_values(&taken, &call_octave);
}

/* --- a reset that is not linear ----------------------------------------------------- */

static void record_yielding(struct model *model)
{
    model_coordinates(model, "x, y");
    model_parameters(model, "e");
    model_impulses(model, "blow");
    model_nominal(model, "e", "0.5", "1", "restitution of a weak blow", false, __FILE__,
                  __LINE__);
    struct mode *mode = model_mode(model, "flight");
    for (int i = 0; i < 2; i++) {
        model->M[i][i] = model_read(model, "2 + x*x", __FILE__, __LINE__);
        model->q0[i] = model_read(model, "1", __FILE__, __LINE__);
        model->v0[i] = model_read(model, "-1 - e", __FILE__, __LINE__);
    }
    struct event *event = model_event(model, "hit", mode, mode,
                                      model_read(model, "y + x*x/4", __FILE__, __LINE__),
                                      FALLING);
    event_impulse(event, event->guard,
                  model_read(model, "e/(1 + blow*blow)", __FILE__, __LINE__));
    model->t_end = model_read(model, "1", __FILE__, __LINE__);
}

static const struct case_desc yielding = {
    .name = "yielding", .title = "restitution falls with the blow",
    .source = "this file", .classes = "impact", .record = record_yielding};

Test(export, a_reset_that_is_not_linear_in_its_unknowns_is_written_as_a_residual)
{
    struct exporting e = exporting_open(&yielding);
    const double *residual = wanted(&e, "hit", "reset_residual");
    const struct event *event = e.functions.model->event[0];
    cr_assert_not_null(residual);
    cr_assert_not_null(wanted(&e, "hit", "reset_residual_impulse"));
    cr_expect_null(wanted(&e, "hit", "reset_A"));
    for (int i = 0; i < 3; i++)
        cr_expect_eq(residual[i], value_at(&e, event->J[2 + i]));
    exporting_close(&e);
    expect_values(&yielding, &call_c);
    expect_values(&yielding, &call_python);
    expect_derivatives(&yielding, &call_c);
}
