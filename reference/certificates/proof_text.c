/*
 * proof_text.c - proofs as files: writer and strict reader.
 *
 *     saltus proved values 2
 *     case pendulum-stop
 *     file -                             the model file; -: of the catalogue
 *     formulas d470872415541439          fingerprint (model.h)
 *     differentiated g L e a th0
 *     carried 49                         digits of the approximate motion
 *     proved 44                          digits of the widest ball; 44 assumed 2: if 2
 *                                        constraints depend on others
 *     steps 28
 *     samples 9
 *     events 4
 *     parameter g nominal 9.81           as the model states it
 *     sample 1 swing                     number, mode
 *     t 0
 *     q.th [0.7853... +/- 2.1e-49]       a name and a ball, as Arb writes and reads it
 *     ...
 *     event 1 stop                       number, name
 *     t [0.6018... +/- 3.1e-45]
 *     dt/dg [...]
 *     before swing
 *     ...
 *     after swing
 *     ...
 *     end
 *     psi.swing [...]
 *     checksum 93c467e37db0c7a4
 *     complete
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "file/model_file.h"
#include "proof.h"
#include "events/mp_run.h"
#include "reader.h"
#include "writer.h"

static const char proof_title[] = "saltus proved values";

/* Room is made for all points before they are read. */
enum { MOST_POINTS = 10000 };

/* --- writing ------------------------------------------------------------------------ */

/* 1.7500 is 1.75. */
static void strip_zeros(char *text)
{
    char *end = text + strlen(text);
    if (strchr(text, '.') == NULL || strchr(text, 'e') != NULL)
        return;
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    *end = '\0';
}

/* As many digits as the ball has, and a few. Numbers that are exact have as many as the
   run; what is cut off is in the radius of the text. */
static void write_ball(FILE *file, const char *name, const arb_t x, int carried)
{
    enum { FURTHER = 4 };
    long bits = arb_rel_accuracy_bits(x);
    long digits = bits > 0 ? (long)((double)bits * MP_DIGITS_PER_BIT) + FURTHER
                           : FURTHER;
    if (arb_is_exact(x))
        digits = carried + FURTHER;
    char *text = arb_get_str(x, digits, ARB_STR_MORE);
    if (strchr(text, '[') == NULL)
        strip_zeros(text);
    fprintf(file, "%s %s\n", name, text);
    free(text);
}

static void write_point(FILE *file, const struct columns *columns,
                        const struct enclosed_point *point, int carried)
{
    char name[200];
    for (int c = 0; c < columns->count; c++) {
        if (!column_present(columns, c, point->mode))
            continue;
        column_name(columns, c, name, sizeof name);
        write_ball(file, name, point->x + c, carried);
    }
}

static void write_event(FILE *file, const struct enclosed_motion *motion, int i,
                        int carried)
{
    const struct enclosed_event *event = &motion->event[i];
    char name[200];
    fprintf(file, "event %d %s\n", i + 1, event->event->name);
    write_ball(file, "t", event->before.t, carried);
    for (int j = 0; j < motion->columns.p; j++) {
        snprintf(name, sizeof name, "dt/d%s", column_parameter(&motion->columns, j));
        write_ball(file, name, event->tau + j, carried);
    }
    fprintf(file, "before %s\n", event->before.mode->name);
    write_point(file, &motion->columns, &event->before, carried);
    fprintf(file, "after %s\n", event->after.mode->name);
    write_point(file, &motion->columns, &event->after, carried);
}

static void write_all(FILE *file, const void *context)
{
    const struct proof *proof = context;
    const struct enclosed_motion *motion = proof->motion;
    const struct model *model = motion->columns.model;
    int carried = proof->carried;
    char name[200];
    header_title(file, proof_title, CERTIFICATE_FORMAT);
    header_case(file, model);
    header_formulas(file, model);
    fputs("differentiated", file);
    for (int j = 0; j < motion->columns.p; j++)
        fprintf(file, " %s", column_parameter(&motion->columns, j));
    fprintf(file, "\ncarried %d\nproved %d", carried, (int)floor(proof->digits));
    if (motion->assumed > 0)
        fprintf(file, " assumed %d", motion->assumed);
    fprintf(file, "\nsteps %ld\nsamples %d\nevents %d\n", motion->steps,
            motion->samples, motion->events);
    for (int j = 0; j < model->p; j++)
        header_parameter(file, model, j, NULL);
    for (int i = 0; i < motion->samples; i++) {
        fprintf(file, "sample %d %s\n", i + 1, motion->sample[i].mode->name);
        write_ball(file, "t", motion->sample[i].t, carried);
        write_point(file, &motion->columns, &motion->sample[i], carried);
    }
    for (int i = 0; i < motion->events; i++)
        write_event(file, motion, i, carried);
    fputs("end\n", file);
    for (int i = 0; i < model->nz * (1 + motion->columns.p); i++) {
        certificate_cost_name(&motion->columns, i, name, sizeof name);
        write_ball(file, name, motion->psi + i, carried);
    }
}

enum status proof_write(const struct proof *proof, const char *path,
                        struct diagnosis *diagnosis)
{
    return certificate_store(path, write_all, proof, diagnosis);
}

/* --- reading ------------------------------------------------------------------------ */

/* A proof while it is read: the lexer is that of certified values. */
struct proof_reader {
    struct reader *lines;
    const struct model *model;
    struct proof *proof;
};

/* The rest of the line is a ball. */
static void read_ball(struct proof_reader *p, const char *name, arb_t x)
{
    struct reader *r = p->lines;
    reader_next(r);
    reader_expect(r, name);
    if (r->status == OK &&
        (arb_set_str(x, r->rest, (slong)(5 * (p->proof->carried + 30))) != 0 ||
         !arb_is_finite(x)))
        reader_fail(r, "\"%.60s\" is not a ball", r->rest);
}

static const struct mode *mode_word(struct proof_reader *p)
{
    const char *name = reader_word(p->lines);
    for (int i = 0; p->lines->status == OK && i < p->model->modes; i++)
        if (strcmp(p->model->mode[i]->name, name) == 0)
            return p->model->mode[i];
    reader_fail(p->lines, "the case has no mode \"%.60s\"", name);
    return p->model->mode[0];
}

static void read_point(struct proof_reader *p, struct enclosed_point *point,
                       const struct mode *mode)
{
    const struct columns *columns = &p->proof->motion->columns;
    char name[200];
    point->mode = mode;
    for (int c = 0; p->lines->status == OK && c < columns->count; c++) {
        if (!column_present(columns, c, mode))
            continue;
        column_name(columns, c, name, sizeof name);
        read_ball(p, name, point->x + c);
    }
}

static void read_sample(struct proof_reader *p, int i)
{
    reader_next(p->lines);
    reader_expect(p->lines, "sample");
    reader_count(p->lines, i + 1, i + 1);
    const struct mode *mode = mode_word(p);
    reader_end(p->lines);
    struct enclosed_point *point = &p->proof->motion->sample[i];
    read_ball(p, "t", point->t);
    read_point(p, point, mode);
}

static const struct mode *side(struct proof_reader *p, const char *which,
                               const struct mode *want)
{
    reader_next(p->lines);
    reader_expect(p->lines, which);
    const struct mode *mode = mode_word(p);
    reader_end(p->lines);
    if (p->lines->status == OK && mode != want)
        reader_fail(p->lines, "mode %s, not %s", want->name, mode->name);
    return want;
}

static void read_event(struct proof_reader *p, int i)
{
    const struct enclosed_motion *motion = p->proof->motion;
    struct enclosed_event *event = &motion->event[i];
    char name[200];
    reader_next(p->lines);
    reader_expect(p->lines, "event");
    reader_count(p->lines, i + 1, i + 1);
    const char *which = reader_word(p->lines);
    for (int k = 0; p->lines->status == OK && k < p->model->events; k++)
        if (strcmp(p->model->event[k]->name, which) == 0)
            event->event = p->model->event[k];
    if (event->event == NULL) {
        reader_fail(p->lines, "the case has no event \"%.60s\"", which);
        return;
    }
    reader_end(p->lines);
    read_ball(p, "t", event->before.t);
    arb_set(event->after.t, event->before.t);
    for (int j = 0; j < motion->columns.p; j++) {
        snprintf(name, sizeof name, "dt/d%s", column_parameter(&motion->columns, j));
        read_ball(p, name, event->tau + j);
    }
    read_point(p, &event->before, side(p, "before", event->event->from));
    read_point(p, &event->after, side(p, "after", event->event->to));
}

/* The nominal values that the proof is for are those of the model. */
static void read_parameters(struct proof_reader *p)
{
    enum { ROUNDED = 4 };       /* bits that may be lost in a constant formula */
    const struct model *model = p->model;
    mpfr_ptr nominal = certificate_nominal(model, p->proof->carried);
    for (int j = 0; p->lines->status == OK && j < model->p; j++) {
        char *given = reader_parameter(p->lines, model, j);
        if (given)
            reader_fail(p->lines, "a proof is for nominal values, not %s = %.60s",
                        model->parameter[j].name, given);
        arb_ptr rho = p->proof->motion->rho + j;
        arf_set_mpfr(arb_midref(rho), nominal + j);
        arb_add_error_2exp_si(rho, mpfr_zero_p(nominal + j)
                                       ? -(slong)mpfr_get_prec(nominal + j)
                                       : mpfr_get_exp(nominal + j) + ROUNDED -
                                             (slong)mpfr_get_prec(nominal + j));
        free(given);
    }
    mp_vector_free(nominal);
}

/* Reads what is there to count, and makes room. */
static void read_header(struct proof_reader *p)
{
    struct reader *r = p->lines;
    const struct model *model = p->model;
    int *parameter = memory_new(model->p, sizeof *parameter), parameters = 0;
    reader_title(r, proof_title, CERTIFICATE_FORMAT);
    reader_case(r, model);
    reader_formulas(r, model);
    reader_next(r);
    reader_expect(r, "differentiated");
    while (r->status == OK && *r->rest != '\0') {
        const char *word = reader_word(r);
        int j = model_parameter_index(model, word);
        bool twice = false;
        for (int k = 0; k < parameters; k++)
            twice = twice || parameter[k] == j;
        if (j < 0 || twice)
            reader_fail(r, "the case has no parameter \"%.60s\", or it is named twice",
                        word);
        else
            parameter[parameters++] = j;
    }
    p->proof->carried = (int)reader_count_line(r, "carried", 1, 100000);
    int assumed = 0;
    reader_next(r);
    reader_expect(r, "proved");
    p->proof->digits = (double)reader_count(r, -100000, 100000);
    if (r->status == OK && *r->rest != '\0') {
        reader_expect(r, "assumed");
        assumed = (int)reader_count(r, 1, MOST_POINTS);
    }
    reader_end(r);
    long steps = reader_count_line(r, "steps", 0, 1000000000);
    int samples = (int)reader_count_line(r, "samples", 0, MOST_POINTS);
    int events = (int)reader_count_line(r, "events", 0, MOST_POINTS);
    if (r->status == OK) {
        p->proof->motion = enclosed_motion_new(model, parameters, parameter, samples,
                                               events);
        p->proof->motion->steps = steps;
        p->proof->motion->assumed = assumed;
    }
    free(parameter);
}

static void read_all(struct proof_reader *p)
{
    struct reader *r = p->lines;
    char name[200];
    read_header(p);
    if (r->status != OK)
        return;
    const struct enclosed_motion *motion = p->proof->motion;
    read_parameters(p);
    for (int i = 0; r->status == OK && i < motion->samples; i++)
        read_sample(p, i);
    for (int i = 0; r->status == OK && i < motion->events; i++)
        read_event(p, i);
    reader_next(r);
    reader_expect(r, "end");
    reader_end(r);
    for (int i = 0; r->status == OK && i < p->model->nz * (1 + motion->columns.p); i++) {
        certificate_cost_name(&motion->columns, i, name, sizeof name);
        read_ball(p, name, motion->psi + i);
    }
    reader_seal(r);
    double widest = r->status == OK ? proof_extent(motion).widest : 0;
    if (r->status == OK &&
        p->proof->digits > (isinf(widest) ? p->proof->carried : widest))
        reader_fail(r, "%.0f digits are more than its balls have", p->proof->digits);
}

enum status proof_read(const char *path, const struct model *model, struct proof **out,
                       struct diagnosis *diagnosis)
{
    *out = NULL;
    struct reader *lines;
    enum status status = reader_open(path, model, "saltus prove %s", &lines, diagnosis);
    if (status != OK)
        return status;
    struct proof_reader reader = {.lines = lines, .model = model,
                                  .proof = memory_new(1, sizeof(struct proof))};
    read_all(&reader);
    status = lines->status;
    if (status == OK)
        *out = reader.proof;
    else
        proof_free(reader.proof);
    reader_close(lines);
    return status;
}
