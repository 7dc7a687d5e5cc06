/*
 * edge_monitors.c - monitors of branch cuts, poles and ends of domains.
 */
#include "edge_monitors.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

void edge_monitors_init(struct edge_monitors *monitors, const struct model *model,
                        const struct edge *edge, int count)
{
    unsigned char stage[BLOCK_LIMIT];
    program_stages(~0u, 0, stage);
    *monitors = (struct edge_monitors){.edge = edge, .count = count, .model = model};
    if (count == 0)
        return;
    formula *f = memory_new(2 * count, sizeof *f);
    for (int k = 0; k < count; k++) {
        f[k] = edge[k].zero;
        f[count + k] = edge[k].beside;
    }
    monitors->program = program_seal(model->tape, f, 2 * count, stage);
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
    if (monitors->count == 0)
        return;
    program_set_parameters(monitors->program, rho, monitors->w);
}

void edge_monitors_at(struct edge_monitors *monitors, const struct edge_point *point)
{
    if (monitors->count == 0)
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

int edge_monitors_met(struct edge_monitors *monitors, double relative)
{
    if (monitors->count == 0)
        return -1;
    edge_monitors_rounding(monitors, relative);
    for (int k = 0; k < monitors->count; k++)
        if (fabs(edge_zero(monitors, k)) <= edge_zero_error(monitors, k) &&
            edge_is_beside(monitors, k))
            return k;
    return -1;
}
