/*
 * step_monitors_lanes.c - the monitors of a step in SIMD lanes.
 */
#include "step_monitors_lanes.h"

#include <stdlib.h>

#include "base/memory.h"

/* The code of the first `outputs` outputs; NULL: there is none. */
static struct code_cache_entry *find_code(const struct step_monitors *monitors,
                                          int outputs, bool made)
{
    char *text = step_monitors_text(monitors, outputs, LANES);
    struct code_cache_entry *code = code_cache_open(text, step_monitors_symbol, made);
    free(text);
    return code;
}

/* In the program the stage of parameters comes right after the constants. */
struct monitor_lanes *monitor_lanes_new(const struct step_monitors *monitors, bool made)
{
    const struct program *program = monitors->program;
    struct code_cache_entry *code = find_code(monitors, program->outputs, made);
    if (!code)
        return NULL;
    struct code_cache_entry *guard_code = NULL;
    if (monitors->rows > 0)
        guard_code = find_code(monitors, monitors->rows, made);
    if (monitors->rows > 0 && !guard_code) {
        code_cache_close(code);
        return NULL;
    }
    struct monitor_lanes *lanes = memory_new(1, sizeof *lanes);
    *lanes = (struct monitor_lanes){
        .code = code,
        .guard_code = guard_code,
        .function = (monitor_lanes_function *)code_cache_function(code),
        .guard_function = (monitor_lanes_function *)code_cache_function(guard_code),
        .begin = program->stage_begin[1],
        .end = program->stage_begin[2]};
    lanes->c = arena_new(&lanes->arena, lanes->end * LANES, sizeof *lanes->c);
    for (int lane = 0; lane < LANES; lane++)    /* the constants, which loops index */
        lane_put(lanes->begin, monitors->w, lane, lanes->c);
    lanes->value = arena_new(&lanes->arena, program->outputs * LANES,
                             sizeof *lanes->value);
    lanes->r = lanes->value;
    lanes->rd = lanes->r + monitors->rows * LANES;
    lanes->Phi = lanes->rd + monitors->rows * LANES;
    lanes->Phid = lanes->Phi + monitors->mode->m * LANES;
    lanes->Phi_q = lanes->Phid + monitors->mode->m * LANES;
    return lanes;
}

void monitor_lanes_free(struct monitor_lanes *lanes)
{
    if (!lanes)
        return;
    code_cache_close(lanes->code);
    code_cache_close(lanes->guard_code);
    arena_free(&lanes->arena);
    free(lanes);
}

void monitor_lanes_enter(struct monitor_lanes *lanes, int lane,
                         const struct step_monitors *monitors)
{
    lane_put(lanes->end - lanes->begin, monitors->w + lanes->begin, lane,
             lanes->c + lanes->begin * LANES);
}

void monitor_lanes_at(struct monitor_lanes *lanes, const double *t, const double *x)
{
    lanes->function(lanes->c, t, x, lanes->value, NULL);
}

void monitor_lanes_guards(const struct monitor_lanes *lanes, const double *t,
                          const double *x, double *r)
{
    lanes->guard_function(lanes->c, t, x, r, NULL);
}
