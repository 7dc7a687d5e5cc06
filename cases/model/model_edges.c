/*
 * model_edges.c - singularities of the formulas of a model: branch cuts, poles and ends
 * of domains (formula/domain_edges.h).
 *
 * Equations, costs and guards of a mode are watched along the motion, resets at their
 * events, terminal costs at the end. Edges that depend on parameters only are looked at
 * once.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/domain_edges.h"
#include "model_internal.h"

/* A growing list of formulas with their names. */
struct named {
    formula *f;
    char **name;
    int count, room, name_room;
};

static void put(struct named *named, formula f, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void put(struct named *named, formula f, const char *format, ...)
{
    char name[200];
    va_list arguments;
    if (is_zero(f))
        return;
    va_start(arguments, format);
    int length = vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof name)
        length = sizeof name - 1;
    int count = named->count + 1;
    named->f = memory_grow(named->f, &named->room, count, sizeof *named->f);
    named->name = memory_grow(named->name, &named->name_room, count, sizeof *named->name);
    named->f[named->count] = f;
    named->name[named->count++] = memory_text(name, (size_t)length);
}

static void clear(struct named *named)
{
    for (int i = 0; i < named->count; i++)
        free(named->name[i]);
    free(named->f);
    free(named->name);
    *named = (struct named){0};
}

/* Appends `more` entries of `size` bytes; returns where all of them are. */
static void *appended(void *to, int *count, int *room, const void *from, int more,
                      size_t size)
{
    if (more == 0)
        return to;
    to = memory_grow(to, room, *count + more, size);
    memory_copy((char *)to + (size_t)*count * size, from, more, size);
    *count += more;
    return to;
}

/* Moves edges and domains that depend on parameters only to those of the model. */
static void part_steady(struct model *model, struct edges *edges)
{
    struct edges *steady = model->steady_edges;
    steady->edge = appended(steady->edge, &steady->count, &steady->room,
                            edges->edge + edges->moving, edges->count - edges->moving,
                            sizeof *steady->edge);
    steady->domain = appended(steady->domain, &steady->domains, &steady->domain_room,
                              edges->domain + edges->moving_domains,
                              edges->domains - edges->moving_domains,
                              sizeof *steady->domain);
    edges->count = edges->moving;
    edges->domains = edges->moving_domains;
}

/* Finds the edges of `named`, which is cleared. */
static void find(struct model *model, struct named *named, struct edges *edges)
{
    edges_find(edges, named->f, named->count);
    for (int i = 0; i < edges->count; i++) {
        const char *name = named->name[edges->edge[i].owner];
        edges->edge[i].place = memory_text(name, strlen(name));
    }
    for (int i = 0; i < edges->domains; i++) {
        const char *name = named->name[edges->domain[i].owner];
        edges->domain[i].place = memory_text(name, strlen(name));
    }
    part_steady(model, edges);
    clear(named);
}

static void find_in_mode(struct model *model, struct mode *mode)
{
    struct named named = {0};
    char of[120] = "";
    if (mode->name && *mode->name)
        snprintf(of, sizeof of, " of mode %s", mode->name);
    for (int i = 0; i < model->n; i++)
        put(&named, mode->F[i], "force F of %s%s", model->coordinate[i], of);
    for (int i = 0; i < model->n; i++)
        for (int k = mode->M_entries.begin[i]; k < mode->M_entries.begin[i + 1]; k++)
            put(&named, mode->M[i][mode->M_entries.column[k]], "mass M of %s, %s%s",
                model->coordinate[i], model->coordinate[mode->M_entries.column[k]], of);
    for (int i = 0; i < mode->m; i++)
        put(&named, mode->Phi[i], "constraint %d%s", i + 1, of);
    for (int i = 0; i < model->ns; i++)
        put(&named, mode->f_s[i], "rate f_s of %s%s", model->auxiliary[i], of);
    for (int i = 0; i < model->nz; i++)
        put(&named, mode->g[i], "cost %s%s", model->cost[i], of);
    for (int k = 0; k < model->events; k++) {
        const struct event *event = model->event[k];
        if (event->from == mode)
            put(&named, event->guard, "the guard of %s%s", event->name, of);
    }
    find(model, &named, mode->edges);
}

/* Names formulas f [count] of an event, of which there is one for each name. */
static void put_of_event(struct named *named, const struct event *event, const char *what,
                         char *const *name, const formula *f, int count)
{
    for (int i = 0; i < count; i++)
        put(named, f[i], "%s%s of event %s", what, name[i], event->name);
}

static void find_in_event(struct model *model, struct event *event)
{
    char *const *q = model->coordinate, *const *s = model->auxiliary;
    int n = model->n;
    struct named named = {0};
    put_of_event(&named, event, "reset of q.", q, event->q_plus, n);
    put_of_event(&named, event, "reset of v.", q, event->v_plus, n);
    put_of_event(&named, event, "reset of s.", s, event->s_plus, model->ns);
    put_of_event(&named, event, "cost ", model->cost, event->cost, model->nz);
    for (int i = 0; i < event->impulses; i++) {
        put(&named, event->Psi[i], "Psi %d of event %s", i + 1, event->name);
        put(&named, event->E[i], "restitution E %d of event %s", i + 1, event->name);
    }
    find(model, &named, event->edges);
    for (int i = 0; i < event->conditions; i++)
        put(&named, event->condition[i], "condition %d of event %s", i + 1, event->name);
    find(model, &named, event->condition_edges);
}

static void find_at_ends(struct model *model)
{
    struct named named = {0};
    struct edges none = {0};
    for (int k = 0; k < model->nz; k++)
        put(&named, model->w[k], "terminal cost %s", model->cost[k]);
    find(model, &named, model->end_edges);
    for (int i = 0; i < model->start_rows; i++)
        put(&named, model->Gamma[i], "start row %d", i + 1);
    find(model, &named, model->start_edges);
    for (int i = 0; i < model->n; i++) {
        put(&named, model->q0[i], "start of q.%s", model->coordinate[i]);
        put(&named, model->v0[i], "start of v.%s", model->coordinate[i]);
    }
    for (int i = 0; i < model->ns; i++)
        put(&named, model->s0[i], "start of s.%s", model->auxiliary[i]);
    put(&named, model->t0, "t0");
    put(&named, model->t_end, "end");
    for (int k = 0; k < model->stops; k++)
        put(&named, model->stop[k], "stop %d", k);
    find(model, &named, &none);
    free(none.edge);
    free(none.domain);
}

void model_find_edges(struct model *model)
{
    model->start_edges = memory_new(1, sizeof *model->start_edges);
    model->end_edges = memory_new(1, sizeof *model->end_edges);
    model->steady_edges = memory_new(1, sizeof *model->steady_edges);
    for (int k = 0; k < model->modes; k++) {
        model->mode[k]->edges = memory_new(1, sizeof *model->mode[k]->edges);
        find_in_mode(model, model->mode[k]);
    }
    for (int k = 0; k < model->events; k++) {
        struct event *event = model->event[k];
        event->edges = memory_new(1, sizeof *event->edges);
        event->condition_edges = memory_new(1, sizeof *event->condition_edges);
        find_in_event(model, model->event[k]);
    }
    find_at_ends(model);
}

/* NULL: the model was refused before its edges were looked for. */
static void give_back(struct edges *edges)
{
    if (edges)
        edges_free(edges);
    free(edges);
}

void model_free_edges(struct model *model)
{
    for (int k = 0; k < model->modes; k++)
        give_back(model->mode[k]->edges);
    for (int k = 0; k < model->events; k++) {
        give_back(model->event[k]->edges);
        give_back(model->event[k]->condition_edges);
    }
    give_back(model->start_edges);
    give_back(model->end_edges);
    give_back(model->steady_edges);
}
