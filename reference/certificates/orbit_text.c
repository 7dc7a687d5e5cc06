/*
 * orbit_text.c - certified orbits as text: names of numbers and of files, the part of a
 * file that follows its header (certificate.h)
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "reader.h"
#include "runs/orbit_numbers.h"
#include "writer.h"

enum { LONG_NAME = 60 };

/* --- names -------------------------------------------------------------------------- */

/* "q.x", "v.x" or "s.phase" */
static void component_name(const struct model *model, int i, char *name, int size)
{
    int n = model->n;
    snprintf(name, (size_t)size, "%c.%s", i < n ? 'q' : i < 2 * n ? 'v' : 's',
             i < 2 * n ? model->coordinate[i % n] : model->auxiliary[i - 2 * n]);
}

static void number_name(const struct certificate *c, int i, char *name, int size)
{
    const struct mp_orbit *o = c->orbit;
    char own[80];
    int event = i - mp_orbit_place(o, MP_ORBIT_TIME, 0, 0, -1);
    int node = i - mp_orbit_place(o, MP_ORBIT_NODE, 0, 0, -1);
    int multiplier = i - mp_orbit_place(o, MP_ORBIT_MULTIPLIER, 0, 0, -1);
    if (multiplier >= 0) {
        snprintf(name, (size_t)size, "multiplier.%d.%s", multiplier / 2 + 1,
                 multiplier % 2 ? "im" : "re");
    } else if (node >= 0) {
        component_name(c->model, node % o->width, own, sizeof own);
        snprintf(name, (size_t)size, "node.%d.%s", node / o->width + 1, own);
    } else if (event >= 0) {
        int k = event % (1 + o->width);
        snprintf(own, sizeof own, "t");
        if (k > 0)
            component_name(c->model, k - 1, own, sizeof own);
        snprintf(name, (size_t)size, "event.%d.%s", event / (1 + o->width) + 1, own);
    } else if (i > 0) {
        snprintf(name, (size_t)size, "advance.%d", i);
    } else {
        snprintf(name, (size_t)size, "period");
    }
}

void mp_orbit_name(const struct certificate *c, int place, char *name, int size)
{
    int j = place / c->orbit->count - 1;
    char own[120];
    number_name(c, place % c->orbit->count, own, sizeof own);
    if (j < 0)
        snprintf(name, (size_t)size, "%s", own);
    else
        snprintf(name, (size_t)size, "d%s/d%s", own,
                 c->model->parameter[c->parameter[j]].name);
}

/* The rotation of the events that begins with the first of the model, and is the least of
   those. */
static int least_rotation(int events, const int *event)
{
    int best = 0;
    for (int r = 1; r < events; r++)
        for (int k = 0; k < events; k++) {
            int a = event[(r + k) % events], b = event[(best + k) % events];
            if (a != b) {
                best = a < b ? r : best;
                break;
            }
        }
    return best;
}

void mp_orbit_file(const struct model *model, const char *const *value, int events,
                   const int *event, char *name, int size)
{
    char list[4096] = "";
    size_t used = 0;
    int first = least_rotation(events, event);
    uint64_t hash = HASH_BEGIN;
    bool nominal = true;
    for (int k = 0; k < events; k++) {
        const char *own = model->event[event[(first + k) % events]]->name;
        hash = hash_bytes(hash, own, strlen(own) + 1);
        if (used + strlen(own) + 2 < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     k ? "-" : "", own);
    }
    if (used > LONG_NAME)
        snprintf(list, sizeof list, "%08" PRIx32, (uint32_t)(hash ^ hash >> 32));
    hash = HASH_BEGIN;
    for (int j = 0; value && j < model->p; j++)
        if (value[j]) {
            nominal = false;
            hash = hash_bytes(hash, &j, sizeof j);
            hash = hash_bytes(hash, value[j], strlen(value[j]) + 1);
        }
    if (nominal)
        snprintf(name, (size_t)size, "%s.orbit-%.80s.ref", model->desc->name, list);
    else
        snprintf(name, (size_t)size, "%s.orbit-%.80s.%08" PRIx32 ".ref",
                 model->desc->name, list, (uint32_t)(hash ^ hash >> 32));
}

/* --- written ------------------------------------------------------------------------ */

static void write_drift(const struct writer *w, const struct mp_orbit *o)
{
    fputs("groups", w->file);
    for (int i = 0; i < o->width; i++)
        fprintf(w->file, " %d", o->drift[i]);
    fputc('\n', w->file);
}

void orbit_write(const struct writer *w)
{
    const struct mp_orbit *o = w->certificate->orbit;
    const struct model *model = w->certificate->model;
    char name[200];
    fprintf(w->file, "orbit %d nodes %d events %d groups %d multipliers %d ones %d "
            "zeros\n", o->nodes, o->events, o->drifts, o->multipliers, o->ones, o->zeros);
    if (o->drift)
        write_drift(w, o);
    for (int k = 0; k < o->nodes; k++)
        fprintf(w->file, "node %d %s\n", k + 1, model->mode[o->mode[k]]->name);
    for (int k = 0; k < o->events; k++)
        fprintf(w->file, "event %d %s\n", k + 1, model->event[o->event[k]]->name);
    fprintf(w->file, "trivial %d\nnewton %d order ", (int)floor(o->one_agreed), o->steps);
    if (isnan(o->order))
        fputc('-', w->file);
    else
        fprintf(w->file, "%ld.%03ld", lround(o->order * 1000) / 1000,
                lround(o->order * 1000) % 1000);
    fprintf(w->file, " runs %ld\nhow %s\n", o->runs, certificate_how_orbit);
    for (int i = 0; i < (1 + o->parameters) * o->count; i++) {
        mp_orbit_name(w->certificate, i, name, sizeof name);
        writer_value(w, name, o->x + i, (long)floor(o->agreed_on[i]));
    }
}

/* --- read --------------------------------------------------------------------------- */

static void read_counts(struct reader *r, struct mp_orbit *o)
{
    struct { int *count; const char *word; int least; } part[] = {
        {&o->nodes, "nodes", 1},       {&o->events, "events", 1},
        {&o->drifts, "groups", 0},     {&o->multipliers, "multipliers", 0},
        {&o->ones, "ones", 1},         {&o->zeros, "zeros", 0}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        *part[i].count = (int)reader_count(r, part[i].least, 100000);
        reader_expect(r, part[i].word);
    }
    reader_end(r);
}

static void read_drift(struct reader *r, struct mp_orbit *o)
{
    o->drift = memory_new(o->width, sizeof *o->drift);
    reader_next(r);
    reader_expect(r, "groups");
    for (int i = 0; i < o->width; i++)
        o->drift[i] = (int)reader_count(r, -1, o->drifts - 1);
    reader_end(r);
}

static int read_item(struct reader *r, const char *word, int number)
{
    const struct model *model = r->out->model;
    bool mode = strcmp(word, "node") == 0;
    reader_next(r);
    reader_expect(r, word);
    reader_count(r, number, number);
    const char *name = reader_word(r);
    for (int i = 0; r->status == OK && i < (mode ? model->modes : model->events); i++)
        if (strcmp(mode ? model->mode[i]->name : model->event[i]->name, name) == 0)
            return i;
    reader_fail(r, "the case has no %s \"%.60s\"", mode ? "mode" : "event", name);
    return 0;
}

static void read_how(struct reader *r, struct mp_orbit *o)
{
    o->one_agreed = (double)reader_count_line(r, "trivial", 0, 100000);
    reader_next(r);
    reader_expect(r, "newton");
    o->steps = (int)reader_count(r, 1, 100000);
    reader_expect(r, "order");
    o->order = NAN;
    if (r->status == OK && strncmp(r->rest, "- ", 2) == 0) {
        reader_word(r);
    } else {
        mpfr_t order;
        mpfr_init2(order, 64);
        mpfr_set_zero(order, 1);
        reader_number(r, order);
        o->order = mpfr_get_d(order, MPFR_RNDN);
        mpfr_clear(order);
    }
    reader_expect(r, "runs");
    o->runs = reader_count(r, 1, 1000000000);
    reader_end(r);
    free(reader_text(r, "how"));
}

static void read_values(struct reader *r, struct mp_orbit *o)
{
    mpfr_t agreed;
    char name[200];
    mpfr_init2(agreed, 64);
    orbit_numbers_room(o, r->precision);
    for (int i = 0; r->status == OK && i < (1 + o->parameters) * o->count; i++) {
        mp_orbit_name(r->out, i, name, sizeof name);
        mpfr_set_zero(agreed, 1);
        reader_value(r, name, o->x + i, agreed);
        o->agreed_on[i] = mpfr_get_d(agreed, MPFR_RNDN);
    }
    mpfr_clear(agreed);
}

void orbit_read(struct reader *r)
{
    const struct model *model = r->out->model;
    struct mp_orbit *o = r->out->orbit = memory_new(1, sizeof *o);
    o->width = 2 * model->n + model->ns;
    o->parameters = r->out->parameters;
    read_counts(r, o);
    if (r->status == OK && o->drifts > 0)
        read_drift(r, o);
    if (r->status != OK)
        return;
    o->mode = memory_new(o->nodes, sizeof *o->mode);
    o->event = memory_new(o->events, sizeof *o->event);
    for (int k = 0; k < o->nodes; k++)
        o->mode[k] = read_item(r, "node", k + 1);
    for (int k = 0; k < o->events; k++)
        o->event[k] = read_item(r, "event", k + 1);
    read_how(r, o);
    if (r->status == OK)
        read_values(r, o);
}
