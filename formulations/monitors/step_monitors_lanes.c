#include "step_monitors_lanes.h"

#include <stdlib.h>

#include "base/memory.h"

/* NULL: there is none. */
static struct code *find_code(const struct look *look, int outputs, bool made)
{
    char *text = look_text(look, outputs, LANES);
    struct code *code = code_open(text, look_symbol, made);
    free(text);
    return code;
}

/* The stage of parameters is the first after the constants. */
struct look_lanes *look_lanes_new(const struct look *look, bool made)
{
    const struct program *program = look->program;
    struct code *code = find_code(look, program->outputs, made);
    if (!code)
        return NULL;
    struct code *guard_code = NULL;
    if (look->rows > 0)
        guard_code = find_code(look, look->rows, made);
    if (look->rows > 0 && !guard_code) {
        code_close(code);
        return NULL;
    }
    struct look_lanes *lanes = memory_new(1, sizeof *lanes);
    *lanes = (struct look_lanes){
        .code = code, .guard_code = guard_code,
        .function = (look_lanes_function *)code_function(code),
        .guard_function = (look_lanes_function *)code_function(guard_code),
        .begin = program->stage_begin[1], .end = program->stage_begin[2]};
    lanes->c = lanes_new(lanes->end);
    for (int lane = 0; lane < LANES; lane++)    /* constants, which loops go through */
        lane_put(lanes->begin, look->w, lane, lanes->c);
    lanes->value = lanes_new(program->outputs);
    lanes->r = lanes->value;
    lanes->rd = lanes->r + look->rows * LANES;
    lanes->Phi = lanes->rd + look->rows * LANES;
    lanes->Phid = lanes->Phi + look->mode->m * LANES;
    lanes->Phi_q = lanes->Phid + look->mode->m * LANES;
    return lanes;
}

void look_lanes_free(struct look_lanes *lanes)
{
    if (!lanes)
        return;
    code_close(lanes->code);
    code_close(lanes->guard_code);
    free(lanes->c);
    free(lanes->value);
    free(lanes);
}

void look_lanes_enter(struct look_lanes *lanes, int lane, const struct look *look)
{
    lane_put(lanes->end - lanes->begin, look->w + lanes->begin, lane,
             lanes->c + lanes->begin * LANES);
}

void look_lanes_at(struct look_lanes *lanes, const double *t, const double *x)
{
    lanes->function(lanes->c, t, x, lanes->value, NULL);
}

void look_lanes_guards(const struct look_lanes *lanes, const double *t, const double *x,
                       double *r)
{
    lanes->guard_function(lanes->c, t, x, r, NULL);
}
