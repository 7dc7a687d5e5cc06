/*
 * edge_monitors.c - monitors of branch cuts, poles and ends of domains.
 */
#include "edge_monitors.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

void edge_monitors_init(struct edge_monitors *monitors, const struct model *model,
                        const struct edges *edges)
{
    unsigned char stage[BLOCK_LIMIT];
    *monitors = (struct edge_monitors){.model = model};
    if (!edges || edges->count + edges->domains == 0)
        return;
    monitors->edge = edges->edge;
    monitors->count = edges->count;
    monitors->domain = edges->domain;
    monitors->domains = edges->domains;
    int outputs = 2 * edges->count + edges->domains;
    formula *f = memory_new(outputs, sizeof *f);
    edges_formulas(edges, f);
    program_stages(~0u, 0, stage);
    monitors->program = program_seal(model->tape, f, outputs, stage);
    monitors->uses_unknowns = program_uses(monitors->program, BLOCK_A) ||
                              program_uses(monitors->program, BLOCK_LAMBDA);
    int slots = monitors->program->slots;
    monitors->w = arena_new(&monitors->arena, slots, sizeof *monitors->w);
    monitors->error = arena_new(&monitors->arena, slots, sizeof *monitors->error);
    program_init(monitors->program, monitors->w);
    free(f);
}

void edge_monitors_clear(struct edge_monitors *monitors)
{
    if (monitors->program)
        program_free(monitors->program);
    arena_free(&monitors->arena);
    *monitors = (struct edge_monitors){0};
}

void edge_monitors_set(struct edge_monitors *monitors, const double *rho)
{
    if (!monitors->program)
        return;
    program_set_parameters(monitors->program, rho, monitors->w);
}

void edge_monitors_at(struct edge_monitors *monitors, const struct edge_point *point)
{
    if (!monitors->program)
        return;
    int n = monitors->model->n, ns = monitors->model->ns;
    const double *x = point->x, *w = point->w;
    const struct { int block; const double *from; } part[] = {
        {BLOCK_T, &point->t}, {BLOCK_Q, x}, {BLOCK_V, x ? x + n : x},
        {BLOCK_S, x ? x + 2 * n : x}, {BLOCK_A, point->a}, {BLOCK_LAMBDA, point->lambda},
        {BLOCK_Q_PLUS, w}, {BLOCK_V_PLUS, w ? w + n : w},
        {BLOCK_S_PLUS, w ? w + 2 * n : w}, {BLOCK_IMPULSE, w ? w + 2 * n + ns : w}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        if (part[k].from)
            program_load(monitors->program, part[k].block, part[k].from, monitors->w);
    program_run(monitors->program, STAGE_STATE, monitors->w);
}

/* The largest magnitude of an input of a block. */
static double size_of(const struct program *program, int block, const double *w)
{
    double size = 0;
    for (int i = program->block_begin[block]; i < program->block_begin[block + 1]; i++)
        size = fmax(size, fabs(w[program->input[i].slot]));
    return size;
}

void edge_monitors_rounding(struct edge_monitors *monitors, double relative)
{
    const struct program *program = monitors->program;
    for (int b = 0; b < BLOCKS; b++) {
        double size = b == BLOCK_RHO ? 0 : relative * size_of(program, b, monitors->w);
        for (int i = program->block_begin[b]; i < program->block_begin[b + 1]; i++)
            monitors->error[program->input[i].slot] = size;
    }
    for (int stage = 0; stage <= STAGE_STATE; stage++)
        program_rounding(program, stage, monitors->w, monitors->error);
}

bool edge_is_beside(const struct edge_monitors *monitors, int k)
{
    return monitors->edge[k].beside.tape == NULL ||
           edge_beside(monitors, k) <= edge_beside_error(monitors, k);
}

/* The first edge on which the point may lie, after edge_monitors_rounding; -1: none. */
static int edge_met(const struct edge_monitors *monitors)
{
    for (int k = 0; k < monitors->count; k++)
        if (fabs(edge_zero(monitors, k)) <= edge_zero_error(monitors, k) &&
            edge_is_beside(monitors, k))
            return k;
    return -1;
}

enum status edge_monitors_outside(const struct edge_monitors *monitors, double t,
                                  const char *when, struct diagnosis *diagnosis)
{
    for (int k = 0; k < monitors->domains; k++) {
        int slot = monitors->program->output[2 * monitors->count + k];
        if (monitors->w[slot] < -monitors->error[slot])
            return domain_refuse(&monitors->domain[k], monitors->model->names, t,
                                 monitors->w[slot], when, diagnosis);
    }
    return OK;
}

enum status edge_monitors_refuse(struct edge_monitors *monitors,
                                 const struct edge_failure *failure)
{
    if (!monitors->program)
        return OK;
    edge_monitors_rounding(monitors, failure->relative);
    enum status status = edge_monitors_outside(monitors, failure->t, failure->when,
                                               failure->diagnosis);
    int met = status == OK ? edge_met(monitors) : -1;
    return met < 0 ? status
                   : edge_refuse(&monitors->edge[met], monitors->model->names, failure->t,
                                 failure->when, failure->diagnosis);
}
