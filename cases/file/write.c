/*
 * write.c - a recorded model as YAML (write.h).
 *
 * Keys are those of keys.def, in the order in which they are read.
 */
#include "file/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "file/formula_texts.h"
#include "formula/read.h"
#include "formula/tape.h"
#include "model_internal.h"

enum { WIDTH = 88, LONG_FORMULA = 2000 };

struct writer {
    struct model *model;
    FILE *stream;
    struct formula_texts texts;
    bool time;                  /* time is named or used */
    int multipliers, impulses;  /* how many are named or used */
};

/* --- scalars ------------------------------------------------------------------------ */

/* May a text stand without quotation marks, also between brackets? */
static bool is_plain(const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || text[0] == ' ' || text[length - 1] == ' ')
        return false;
    if (strchr("?:!&*#|>%@`\"'<=~", text[0]) || (text[0] == '-' && text[1] == ' '))
        return false;
    if (strstr(text, ": ") || strstr(text, " #") || text[length - 1] == ':'
        || !strcmp(text, "null") || !strcmp(text, "-") || !strcmp(text, "---"))
        return false;
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || strchr("[]{},\"\\<>", *c))
            return false;
    return true;
}

static void put(const struct writer *writer, const char *text)
{
    if (is_plain(text)) {
        fputs(text, writer->stream);
        return;
    }
    fputc('"', writer->stream);
    for (const char *c = text; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(writer->stream, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            fprintf(writer->stream, "\\x%02x", (unsigned)*c);
        else
            fputc(*c, writer->stream);
    fputc('"', writer->stream);
}

static void put_formula(const struct writer *writer, formula f)
{
    char *text = texts_of(&writer->texts, f);
    put(writer, text);
    free(text);
}

/* "key: text", unless the text is NULL or empty. */
static void put_entry(const struct writer *writer, int indent, const char *key,
                      const char *text)
{
    if (!text || !*text)
        return;
    fprintf(writer->stream, "%*s%s: ", indent, "", key);
    put(writer, text);
    fputc('\n', writer->stream);
}

/* "key: formula", unless the formula is not set. */
static void put_formula_entry(const struct writer *writer, int indent, const char *key,
                              formula f)
{
    if (!f.tape)
        return;
    fprintf(writer->stream, "%*s%s: ", indent, "", key);
    put_formula(writer, f);
    fputc('\n', writer->stream);
}

static void put_flag(const struct writer *writer, int indent, const char *key, bool flag)
{
    if (flag)
        fprintf(writer->stream, "%*s%s: true\n", indent, "", key);
}

/* --- lists and tables --------------------------------------------------------------- */

static const char *name_of(const struct writer *writer, int block, int index)
{
    return texts_variable(writer->model, block, index);
}

/* "key: [a, b, ...]", in lines of at most WIDTH. */
static void put_names(const struct writer *writer, int indent, const char *key,
                      char *const *name, int block, int count)
{
    if (count == 0)
        return;
    int used = fprintf(writer->stream, "%*s%s: [", indent, "", key);
    for (int i = 0; i < count; i++) {
        const char *text = name ? name[i] : name_of(writer, block, i);
        if (used + (int)strlen(text) + 2 > WIDTH)
            used = fprintf(writer->stream, "\n%*s", indent + 2, "") - 1;
        used += fprintf(writer->stream, "%s%s", text, i + 1 < count ? ", " : "]\n");
    }
}

static int set_among(const formula *f, int count)
{
    int set = 0;
    for (int i = 0; i < count; i++)
        set += f[i].tape != NULL;
    return set;
}

/* The entries of a vector by the names of a block; by those of the costs: BLOCKS. */
static void put_entries(const struct writer *writer, int indent, int block,
                        const formula *f, int count)
{
    for (int i = 0; i < count; i++)
        put_formula_entry(writer, indent,
                          block == BLOCKS ? writer->model->cost[i]
                                          : name_of(writer, block, i), f[i]);
}

static void put_vector(const struct writer *writer, int indent, const char *key,
                       int block, const formula *f, int count)
{
    if (set_among(f, count) == 0)
        return;
    fprintf(writer->stream, "%*s%s:\n", indent, "", key);
    put_entries(writer, indent + 2, block, f, count);
}

static void put_list(const struct writer *writer, int indent, const char *key,
                     const formula *f, int count)
{
    if (count == 0)
        return;
    fprintf(writer->stream, "%*s%s:\n", indent, "", key);
    for (int i = 0; i < count; i++) {
        fprintf(writer->stream, "%*s- ", indent + 2, "");
        put_formula(writer, f[i]);
        fputc('\n', writer->stream);
    }
}

/* The row of M in one line if there is room, else an entry a line. */
static void put_row(const struct writer *writer, int i, const formula *row)
{
    const struct model *model = writer->model;
    char *text = NULL;
    size_t size;
    struct writer line = *writer;
    const char *comma = "";
    line.stream = open_memstream(&text, &size);
    if (!line.stream)
        memory_exhausted();
    fprintf(line.stream, "      %s: {", name_of(writer, BLOCK_Q, i));
    for (int j = 0; j < model->n; j++)
        if (row[j].tape) {
            fprintf(line.stream, "%s%s: ", comma, name_of(writer, BLOCK_Q, j));
            put_formula(&line, row[j]);
            comma = ", ";
        }
    fputs("}\n", line.stream);
    fclose(line.stream);
    if (size <= WIDTH)
        fputs(text, writer->stream);
    else {
        fprintf(writer->stream, "      %s:\n", name_of(writer, BLOCK_Q, i));
        put_entries(writer, 8, BLOCK_Q, row, model->n);
    }
    free(text);
}

/* --- what a model has --------------------------------------------------------------- */

static void put_names_of_model(const struct writer *writer)
{
    const struct model *model = writer->model;
    if (writer->time)
        put_entry(writer, 0, "time", name_of(writer, BLOCK_T, 0));
    put_names(writer, 0, "coordinates", model->coordinate, BLOCK_Q, model->n);
    put_names(writer, 0, "auxiliary", model->auxiliary, BLOCK_S, model->ns);
    put_names(writer, 0, "costs", model->cost, BLOCKS, model->nz);
    if (model->p > 0)
        fputs("parameters:\n", writer->stream);
    for (int j = 0; j < model->p; j++) {
        const struct parameter *parameter = &model->parameter[j];
        char *nominal = formula_text(parameter->nominal, NULL, NULL);
        fprintf(writer->stream, "  %s: {nominal: ", parameter->name);
        put(writer, nominal);
        fputs(", unit: ", writer->stream);
        put(writer, parameter->unit);
        fputs(", meaning: ", writer->stream);
        put(writer, parameter->meaning);
        fputs(parameter->fixed ? ", fixed: true}\n" : "}\n", writer->stream);
        free(nominal);
    }
    put_names(writer, 0, "multipliers", NULL, BLOCK_LAMBDA, writer->multipliers);
    put_names(writer, 0, "impulses", NULL, BLOCK_IMPULSE, writer->impulses);
}

static void put_definitions(const struct writer *writer)
{
    if (writer->texts.definitions > 0)
        fputs("definitions:\n", writer->stream);
    for (int k = 0; k < writer->texts.definitions; k++) {
        char *body;
        const char *name = texts_definition(&writer->texts, k, &body);
        put_entry(writer, 2, name, body);
        free(body);
    }
}

static void put_forces(const struct writer *writer, const struct mode *mode)
{
    if (mode->loads > 0)
        fputs("    forces:\n", writer->stream);
    for (int k = 0; k < mode->loads; k++) {
        const struct load *load = &mode->load[k];
        fprintf(writer->stream, "      - %s: ", load->rate ? "rate" : "along");
        put_formula(writer, load->place);
        fputc('\n', writer->stream);
        put_formula_entry(writer, 8, "force", load->force);
    }
}

static void put_mode(const struct writer *writer, const struct mode *mode)
{
    const struct model *model = writer->model;
    bool levels = false;
    fputs("  ", writer->stream);
    put(writer, mode->name[0] ? mode->name : "motion");
    fputs(":\n", writer->stream);
    for (int i = 0, any = 0; i < model->n; i++)
        if (set_among(mode->M[i], model->n) > 0) {
            fputs(any++ ? "" : "    M:\n", writer->stream);
            put_row(writer, i, mode->M[i]);
        }
    put_vector(writer, 4, "F", BLOCK_Q, mode->F, model->n);
    put_vector(writer, 4, "f_s", BLOCK_S, mode->f_s, model->ns);
    put_formula_entry(writer, 4, "T", mode->T);
    put_formula_entry(writer, 4, "V", mode->V);
    put_forces(writer, mode);
    put_list(writer, 4, "Phi", mode->Phi, mode->m);
    for (int i = 0; i < mode->m; i++)
        levels = levels || mode->velocity_level[i];
    if (levels)
        for (int i = 0; i < mode->m; i++)
            fprintf(writer->stream, "%s%s%s", i ? ", " : "    velocity_level: [",
                    mode->velocity_level[i] ? "true" : "false",
                    i + 1 < mode->m ? "" : "]\n");
    put_vector(writer, 4, "g", BLOCKS, mode->g, model->nz);
    put_formula_entry(writer, 4, "power", mode->power);
}

static void put_impulses(const struct writer *writer, const struct event *event)
{
    if (event->impulses > 0)
        fputs("    impulses:\n", writer->stream);
    for (int k = 0; k < event->impulses; k++) {
        fputs("      - Psi: ", writer->stream);
        put_formula(writer, event->Psi[k]);
        fputc('\n', writer->stream);
        put_formula_entry(writer, 8, "E", event->E[k]);
        put_flag(writer, 8, "velocity_level", event->Psi_velocity_level[k]);
    }
}

static void put_balances(const struct writer *writer, const struct event *event)
{
    if (event->balances > 0)
        fputs("    balances:\n", writer->stream);
    for (int k = 0; k < event->balances; k++) {
        fputs("      - name: ", writer->stream);
        put(writer, event->balance[k].name);
        fputc('\n', writer->stream);
        put_formula_entry(writer, 8, "left", event->balance[k].left);
        put_formula_entry(writer, 8, "right", event->balance[k].right);
    }
}

static void put_event(const struct writer *writer, const struct event *event)
{
    static const char *const direction[] = {"falling", "either", "rising"};
    const struct model *model = writer->model;
    fputs("  ", writer->stream);
    put(writer, event->name);
    fputs(":\n", writer->stream);
    if (model->modes > 1)
        put_entry(writer, 4, "from", event->from->name);
    if (event->to != event->from)
        put_entry(writer, 4, "to", event->to->name);
    put_formula_entry(writer, 4, "guard", event->guard);
    put_entry(writer, 4, "direction", direction[event->direction + 1]);
    put_list(writer, 4, "conditions", event->condition, event->conditions);
    put_flag(writer, 4, "terminal", event->terminal);
    if (event->velocity == VELOCITY_CONSTRAINED)
        put_entry(writer, 4, "velocity", "constrained");
    put_flag(writer, 4, "joints", event->joints);
    put_impulses(writer, event);
    if (set_among(event->q_plus, model->n) + set_among(event->v_plus, model->n) +
            set_among(event->s_plus, model->ns) > 0)
        fputs("    reset:\n", writer->stream);
    put_entries(writer, 6, BLOCK_Q_PLUS, event->q_plus, model->n);
    put_entries(writer, 6, BLOCK_V_PLUS, event->v_plus, model->n);
    put_entries(writer, 6, BLOCK_S_PLUS, event->s_plus, model->ns);
    put_vector(writer, 4, "cost", BLOCKS, event->cost, model->nz);
    put_balances(writer, event);
}

static void put_state(const struct writer *writer, const char *key, const formula *q,
                      const formula *v, const formula *s)
{
    const struct model *model = writer->model;
    if (set_among(q, model->n) + set_among(v, model->n) + set_among(s, model->ns) == 0)
        return;
    fprintf(writer->stream, "  %s:\n", key);
    put_entries(writer, 4, BLOCK_Q, q, model->n);
    put_entries(writer, 4, BLOCK_V, v, model->n);
    put_entries(writer, 4, BLOCK_S, s, model->ns);
}

static void put_start(const struct writer *writer)
{
    const struct model *model = writer->model;
    fputs("initial:\n", writer->stream);
    put_formula_entry(writer, 2, "t", model->t0);
    put_entry(writer, 2, "mode", model->start->name);
    put_state(writer, "state", model->q0, model->v0, model->s0);
    put_state(writer, "guess", model->q_guess, model->v_guess, model->s_guess);
    put_list(writer, 2, "rows", model->Gamma, model->start_rows);
    put_formula_entry(writer, 0, "end", model->t_end);
    put_list(writer, 0, "stops", model->stop, model->stops);
    if (model->at_ends != AT_ENDS_REFUSED)
        put_entry(writer, 0, "at_ends", at_ends_text[model->at_ends]);
    put_vector(writer, 0, "terminal_cost", BLOCKS, model->w, model->nz);
}

static void put_point(const struct writer *writer, const formula at[3])
{
    int count = at[2].tape ? 3 : 2;
    for (int k = 0; k < count; k++) {
        fputs(k > 0 ? ", " : "[", writer->stream);
        put_formula(writer, at[k]);
    }
    fputc(']', writer->stream);
}

static void put_drawing(const struct writer *writer)
{
    const struct model *model = writer->model;
    if (model->segments > 0)
        fputs("draw:\n", writer->stream);
    for (int k = 0; k < model->segments; k++) {
        const struct segment *segment = &model->segment[k];
        bool point = true;
        for (int i = 0; i < 3; i++)
            point = point && same_formula(segment->from[i], segment->to[i]);
        fputs("  - [", writer->stream);
        put_point(writer, segment->from);
        if (!point) {
            fputs(", ", writer->stream);
            put_point(writer, segment->to);
        }
        fputs("]\n", writer->stream);
    }
}

static void put_facts(const struct writer *writer)
{
    const struct model *model = writer->model;
    if (model->publisheds > 0)
        fputs("published:\n", writer->stream);
    for (int k = 0; k < model->publisheds; k++) {
        const struct published *published = &model->published[k];
        fputs("  - quantity: ", writer->stream);
        put(writer, published->quantity);
        fputc('\n', writer->stream);
        put_entry(writer, 4, "value", published->value);
        put_entry(writer, 4, "source", published->source);
        put_entry(writer, 4, "disputed", published->disputed);
    }
    if (!model->twin)
        return;
    fputs("twin:\n", writer->stream);
    put_entry(writer, 2, "case", model->twin);
    put_names(writer, 2, "coordinates", model->twin_coordinate, BLOCKS, model->twin_n);
    fputs("  equal:\n", writer->stream);
    for (int k = 0; k < model->equalities; k++) {
        fputs("    - name: ", writer->stream);
        put(writer, model->equality[k].name);
        fputc('\n', writer->stream);
        put_formula_entry(writer, 6, "own", model->equality[k].own);
        put_formula_entry(writer, 6, "twin", model->equality[k].twin);
    }
}

/* --- a model ------------------------------------------------------------------------ */

/* Gathers all formulas but those of twins, whose coordinates are no names yet where
   definitions stand. */
static void gather(struct formula_texts *texts, const struct model *model)
{
    for (int k = 0; k < model->modes; k++) {
        const struct mode *mode = model->mode[k];
        for (int i = 0; i < model->n; i++)
            texts_add(texts, mode->M[i], model->n);
        texts_add(texts, mode->F, model->n);
        texts_add(texts, mode->f_s, model->ns);
        texts_add(texts, &mode->T, 1);
        texts_add(texts, &mode->V, 1);
        texts_add(texts, mode->Phi, mode->m);
        texts_add(texts, mode->g, model->nz);
        texts_add(texts, &mode->power, 1);
        for (int i = 0; i < mode->loads; i++) {
            texts_add(texts, &mode->load[i].place, 1);
            texts_add(texts, &mode->load[i].force, 1);
        }
    }
    for (int k = 0; k < model->events; k++) {
        const struct event *event = model->event[k];
        texts_add(texts, &event->guard, 1);
        texts_add(texts, event->condition, event->conditions);
        texts_add(texts, event->q_plus, model->n);
        texts_add(texts, event->v_plus, model->n);
        texts_add(texts, event->s_plus, model->ns);
        texts_add(texts, event->Psi, event->impulses);
        texts_add(texts, event->E, event->impulses);
        texts_add(texts, event->cost, model->nz);
        for (int i = 0; i < event->balances; i++) {
            texts_add(texts, &event->balance[i].left, 1);
            texts_add(texts, &event->balance[i].right, 1);
        }
    }
    const formula *const start[] = {model->q0, model->v0, model->q_guess, model->v_guess};
    for (size_t k = 0; k < sizeof start / sizeof *start; k++)
        texts_add(texts, start[k], model->n);
    texts_add(texts, model->s0, model->ns);
    texts_add(texts, model->s_guess, model->ns);
    texts_add(texts, model->Gamma, model->start_rows);
    texts_add(texts, model->stop, model->stops);
    texts_add(texts, model->w, model->nz);
    texts_add(texts, &model->energy, 1);
    for (int k = 0; k < model->segments; k++) {
        texts_add(texts, model->segment[k].from, 3);
        texts_add(texts, model->segment[k].to, 3);
    }
}

static void put_model(const struct writer *writer)
{
    const struct model *model = writer->model;
    const struct case_desc *desc = model->desc;
    put_entry(writer, 0, "name", desc->name);
    put_entry(writer, 0, "title", desc->title);
    put_entry(writer, 0, "source", desc->source);
    put_entry(writer, 0, "declared", desc->declared);
    put_entry(writer, 0, "classes", desc->classes);
    fputc('\n', writer->stream);
    put_names_of_model(writer);
    fputc('\n', writer->stream);
    put_definitions(writer);
    fputs("modes:\n", writer->stream);
    for (int k = 0; k < model->modes; k++)
        put_mode(writer, model->mode[k]);
    put_formula_entry(writer, 0, "energy", model->energy);
    fputs(model->events > 0 ? "\nevents:\n" : "", writer->stream);
    for (int k = 0; k < model->events; k++)
        put_event(writer, model->event[k]);
    fputc('\n', writer->stream);
    put_start(writer);
    put_drawing(writer);
    put_facts(writer);
}

/* Number of variables of a block, the last that the case has named or used included. */
static int written_in_block(const struct model *model, int block, int count)
{
    int written = 0;
    for (int i = 0; i < count; i++)
        if (tape_find(model->tape, OP_VARIABLE, block, i) >= 0)
            written = i + 1;
    return written;
}

char *model_file_text(const struct case_desc *desc, struct diagnosis *diagnosis)
{
    enum { MOST_IMPULSES = 64 };
    struct model *model = model_record(desc, diagnosis);
    char *text = NULL;
    size_t size;
    if (!model)
        return NULL;
    struct writer writer = {
        .model = model, .stream = open_memstream(&text, &size),
        .time = written_in_block(model, BLOCK_T, 1) > 0,
        .multipliers = written_in_block(model, BLOCK_LAMBDA, model->m),
        .impulses = written_in_block(model, BLOCK_IMPULSE, MOST_IMPULSES)};
    if (!writer.stream)
        memory_exhausted();
    texts_init(&writer.texts, model);
    gather(&writer.texts, model);
    texts_define(&writer.texts, LONG_FORMULA, true);
    put_model(&writer);
    texts_clear(&writer.texts);
    model_free(model);
    if (fclose(writer.stream) != 0)
        memory_exhausted();
    return text;
}
