/*
 * exporting.h - exported text run by its own language, and compared number by number with
 * the formulas of the model, evaluated here.
 *
 * All functions of a case are called at one random point near its start. The seed is that
 * of random_formulas.h and goes into every message.
 */
#ifndef SALTUS_EXPORTING_H
#define SALTUS_EXPORTING_H

#include "base/memory.h"
#include "export/export.h"
#include "export/functions.h"
#include "mechanisms/catalogue.h"
#include "program/program.h"
#include "random_formulas.h"
#include "run.h"
#include "running.h"

/* A case, its functions and a point at which they are called. */
struct exporting {
    struct model *model;
    struct functions functions;
    unsigned long long seed;
    int numbers;                    /* of all functions, zeros included */
    int *first;                     /* [functions] place of the first number of each */
    double *want, *bound;           /* [numbers] and how far rounding may lead away */
    double *x[BLOCKS];              /* the point */
};

/* The outcome of a comparison. */
struct findings {
    int compared, undefined, wrong;
    char worst[300];                /* the first wrong number, as a sentence */
};

static inline int entry_place(const struct function *function, const struct entry *entry)
{
    int place = 0;
    for (int k = 0; k < function->dimensions; k++)
        place = place * function->size[k] + entry->at[k];
    return place;
}

static inline int function_numbers(const struct function *function)
{
    int count = 1;
    for (int k = 0; k < function->dimensions; k++)
        count *= function->size[k];
    return count;
}

static inline int block_size(const struct exporting *e, int block)
{
    int size = 1;
    for (int k = 0; k < e->functions.count; k++)
        if (e->functions.list[k].sizes[block] > size)
            size = e->functions.list[k].sizes[block];
    return size;
}

/* All formulas in the order of the functions; *count of them. */
static inline formula *all_formulas(const struct exporting *e, int *count)
{
    formula *f = NULL;
    int room = 0;
    *count = 0;
    for (int k = 0; k < e->functions.count; k++)
        for (int i = 0; i < e->functions.list[k].count; i++) {
            f = memory_grow(f, &room, *count + 1, sizeof *f);
            f[(*count)++] = e->functions.list[k].entry[i].f;
        }
    return f;
}

/* Evaluates all formulas at the point: the values, and how far rounding may lead. */
static inline void evaluate_functions(struct exporting *e)
{
    unsigned char stage[BLOCK_LIMIT];
    int count;
    formula *f = all_formulas(e, &count);
    memset(stage, 1, sizeof stage);
    struct program *program = program_seal(e->functions.model->tape, f, count, stage);
    double *w = memory_new(program->slots, sizeof *w);
    double *error = memory_new(program->slots, sizeof *error);
    program_init(program, w);
    for (int block = 0; block < BLOCKS; block++)
        program_load(program, block, e->x[block], w);
    program_run(program, 1, w);
    for (int i = 0; i < program->stage_begin[1]; i++)
        error[i] = 4 * 0x1p-53 * fabs(w[i]);
    program_rounding(program, 1, w, error);
    for (int i = 0; i < e->numbers; i++)
        e->want[i] = e->bound[i] = 0;
    for (int k = 0, output = 0; k < e->functions.count; k++) {
        const struct function *function = &e->functions.list[k];
        for (int i = 0; i < function->count; i++, output++) {
            int place = e->first[k] + entry_place(function, &function->entry[i]);
            e->want[place] = w[program->output[output]];
            e->bound[place] = error[program->output[output]];
        }
    }
    program_free(program);
    free(error);
    free(w);
    free(f);
}

/* Sets a block to values near those of a function, at most `spread` away; no function:
   near 0. */
static inline void scatter(struct exporting *e, struct random *random, int block,
                           const char *near, double spread)
{
    int k = 0, size = block_size(e, block);
    while (near && k < e->functions.count && strcmp(e->functions.list[k].name, near) != 0)
        k++;
    for (int i = 0; i < size; i++)
        e->x[block][i] = random_between(random, -spread, spread);
    for (int i = 0; near && k < e->functions.count && i < size; i++)
        e->x[block][i] += e->want[e->first[k] + i];
}

static inline void choose_point(struct exporting *e)
{
    struct random random = random_start();
    e->seed = random.seed;
    cr_assert_eq(model_nominal_values(e->model, e->x[BLOCK_RHO], NULL), OK);
    evaluate_functions(e);
    scatter(e, &random, BLOCK_T, "start_time", 1);
    scatter(e, &random, BLOCK_Q, "start_q", 0.1);
    scatter(e, &random, BLOCK_Q_PLUS, "start_q", 0.1);
    scatter(e, &random, BLOCK_V, "start_v", 1);
    scatter(e, &random, BLOCK_V_PLUS, "start_v", 1);
    scatter(e, &random, BLOCK_S, "start_s", 0.1);
    scatter(e, &random, BLOCK_S_PLUS, "start_s", 0.1);
    scatter(e, &random, BLOCK_A, NULL, 1);
    scatter(e, &random, BLOCK_LAMBDA, NULL, 1);
    scatter(e, &random, BLOCK_IMPULSE, NULL, 1);
    for (int j = 0; j < e->model->p; j++)
        e->x[BLOCK_RHO][j] *= 1 + random_between(&random, -0.01, 0.01);
    evaluate_functions(e);
}

static inline struct exporting exporting_open(const struct case_desc *desc)
{
    struct diagnosis diagnosis;
    struct exporting e = {.model = model_new(desc, &diagnosis)};
    cr_assert_not_null(e.model, "%s: %s", desc->name, diagnosis.place);
    functions_init(&e.functions, e.model);
    e.first = memory_new(e.functions.count, sizeof *e.first);
    for (int k = 0; k < e.functions.count; k++) {
        e.first[k] = e.numbers;
        e.numbers += function_numbers(&e.functions.list[k]);
    }
    e.want = memory_new(e.numbers, sizeof *e.want);
    e.bound = memory_new(e.numbers, sizeof *e.bound);
    for (int block = 0; block < BLOCKS; block++)
        e.x[block] = memory_new(block_size(&e, block) + 1, sizeof(double));
    choose_point(&e);
    return e;
}

static inline void exporting_close(struct exporting *e)
{
    for (int block = 0; block < BLOCKS; block++)
        free(e->x[block]);
    free(e->first);
    free(e->want);
    free(e->bound);
    functions_clear(&e->functions);
    model_free(e->model);
}

/* --- programs that call all functions ----------------------------------------------- */

/* How a language calls the functions and prints every number, a line each. */
struct caller {
    const char *language, *file;    /* name of the exported text in the folder */
    const char *before;
    const char *array[3];           /* before, between and after the numbers of a block,
                                       which follow its name */
    const char *run;                /* the shell command */
};

static const struct caller call_c = {
    .language = "c", .file = "mechanism.h",
    .before = "#include \"mechanism.h\"\n#include <stdio.h>\nstatic double out[300000];\n"
              "static void show(int n)\n{\n    for (int i = 0; i < n; i++)\n"
              "        printf(\"%.17g\\n\", out[i]);\n}\n",
    .array = {"const double x_", "[] = {", "0};\n"},
    .run = "cc=${CC:-gcc}; strict='-std=c11 -Wall -Wextra -pedantic -Werror -O0'; "
           "$cc $strict -fsyntax-only -x c mechanism.h && "
           "$cc $strict -o call call.c -lm && ./call"};

static const struct caller call_python = {
    .language = "python", .file = "mechanism.py",
    .before = "import mechanism\n\n"
              "def flat(x):\n"
              "    return sum(map(flat, x), []) if isinstance(x, list) else "
              "[float(x)]\n\n"
              "def call(n, f, *arguments):\n"
              "    try:\n        x = flat(f(*arguments))\n"
              "    except (ArithmeticError, ValueError):\n"
              "        x = [float('nan')]*n\n"
              "    assert len(x) == n, f\n"
              "    print('\\n'.join(map(repr, x)))\n\n",
    .array = {"x_", " = [", "]\n"},
    .run = "python3 -I -B -c 'import sys; sys.path.insert(0, \".\"); exec(open(\"call\")"
           ".read())'"};

static const struct caller call_octave = {
    .language = "octave", .file = "mechanism.m",
    .before = "1;\nfunction call(n, d, x)\n"
              "    assert(numel(x) == n);\n"
              "    if iscomplex(x) x(imag(x) != 0) = NaN; x = real(x); end\n"
              "    if d == 2 x = x.'; elseif d == 3 x = permute(x, [3 2 1]); end\n"
              "    printf(\"%.17g\\n\", x(:));\nend\n"
              "source(\"mechanism.m\");\n",
    .array = {"x_", " = [", "];\n"},
    .run = "octave-cli --norc --no-history call"};

/* The arguments of a call, their names between commas. */
static inline void put_arguments(FILE *file, const struct function *function)
{
    int count = 0;
    for (int block = 0; block < BLOCKS; block++)
        if (function->arguments >> block & 1)
            fprintf(file, "%sx_%s", count++ > 0 ? ", " : "", block_argument(block));
}

static inline void put_call(FILE *file, const struct caller *caller,
                            const struct function *function)
{
    int numbers = function_numbers(function);
    if (caller == &call_c) {
        fprintf(file, function->dimensions == 0 ? "    out[0] = %s(" : "    %s(",
                function->name);
        put_arguments(file, function);
        fprintf(file, "%s%s);\n    show(%d);\n", function->arguments &&
                function->dimensions > 0 ? ", " : "",
                function->dimensions > 0 ? "(void *)out" : "", numbers);
    } else if (caller == &call_python) {
        fprintf(file, "call(%d, mechanism.FUNCTIONS['%s']%s", numbers, function->name,
                function->arguments ? ", " : "");
        put_arguments(file, function);
        fputs(")\n", file);
    } else {
        fprintf(file, "call(%d, %d, FUNCTIONS.%s(", numbers, function->dimensions,
                function->name);
        put_arguments(file, function);
        fputs("))\n", file);
    }
}

static inline void write_calls(const struct exporting *e, const struct caller *caller)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, caller == &call_c ? "call.c" : "call");
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(caller->before, file);
    for (int block = 0; block < BLOCKS; block++) {
        if (!block_argument(block))
            continue;
        if (block == BLOCK_T) {
            fprintf(file, "%st = %.17g;\n", caller->array[0], e->x[block][0]);
            continue;
        }
        fprintf(file, "%s%s%s", caller->array[0], block_argument(block),
                caller->array[1]);
        for (int i = 0; i < block_size(e, block); i++)
            fprintf(file, "%.17g, ", e->x[block][i]);
        fputs(caller->array[2], file);
    }
    fputs(caller == &call_c ? "int main(void)\n{\n" : "", file);
    for (int k = 0; k < e->functions.count; k++)
        put_call(file, caller, &e->functions.list[k]);
    fputs(caller == &call_c ? "    return 0;\n}\n" : "", file);
    cr_assert_eq(fclose(file), 0);
}

/* All numbers of a text run by its language; to be freed. A text that does not run is a
   failure. */
static inline double *numbers_of(const struct exporting *e, const struct caller *caller,
                                 const char *text)
{
    double *got = memory_new(e->numbers, sizeof *got);
    write_file(caller->file, text);
    write_calls(e, caller);
    int status = shell("%s", caller->run);
    char *out = contents("out"), *err = contents("err"), *at = out;
    cr_assert_eq(status, 0, "%s in %s: exit %d\n%.2000s", e->model->desc->name,
                 caller->language, status, err);
    for (int i = 0; i < e->numbers; i++) {
        char *end;
        got[i] = strtod(at, &end);
        cr_assert(end > at, "%s in %s: %d numbers of %d", e->model->desc->name,
                  caller->language, i, e->numbers);
        at = end;
    }
    free(out);
    free(err);
    return got;
}

/* --- comparison --------------------------------------------------------------------- */

static inline void compare_number(struct findings *findings, const char *of, int place,
                                  double got, double want, double allowed)
{
    if (!isfinite(want) || !isfinite(got)) {
        findings->undefined++;
        if (isfinite(want) == isfinite(got) || !isfinite(want))
            return;
    }
    findings->compared++;
    if (fabs(got - want) <= allowed)
        return;
    if (findings->wrong++ == 0)
        snprintf(findings->worst, sizeof findings->worst,
                 "%s, number %d: %.17g, not %.17g", of, place, got, want);
}

/* 13 digits of every number, less what rounding has taken from it by error analysis. A
   function that raises an error because one of its numbers is not finite has none. */
static inline struct findings compare_values(const struct exporting *e, const double *got)
{
    struct findings findings = {0};
    for (int k = 0; k < e->functions.count; k++) {
        const struct function *function = &e->functions.list[k];
        int count = function_numbers(function), defined = 1;
        for (int i = 0; i < count; i++)
            defined &= isfinite(e->want[e->first[k] + i]) != 0;
        for (int i = 0; i < count; i++) {
            int place = e->first[k] + i;
            double want = e->want[place];
            if (!defined && !isfinite(got[place]))
                want = NAN;
            compare_number(&findings, function->name, i, got[place], want,
                           1e-13 * fabs(want) + 8 * e->bound[place]);
        }
    }
    return findings;
}

#endif
