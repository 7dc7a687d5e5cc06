/*
 * autonomous.c - formulas that depend on time (autonomous.h)
 */
#include "orbits/autonomous.h"

#include <math.h>
#include <string.h>

#include "program/program.h"

static bool uses_time(const struct model *model, const formula *f, int count)
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    if (!f || count == 0)
        return false;
    struct program *program = program_seal(model->tape, f, count, stage);
    bool uses = program_uses(program, BLOCK_T);
    program_free(program);
    return uses;
}

enum status autonomous_check(const struct model *model, struct diagnosis *diagnosis)
{
    int n = model->n, ns = model->ns;
    const char *what = NULL, *of = "";
    for (int k = 0; k < model->modes && !what; k++) {
        const struct mode *mode = model->mode[k];
        bool uses = uses_time(model, mode->F, n) || uses_time(model, mode->f_s, ns) ||
                    uses_time(model, mode->Phi, mode->m);
        for (int i = 0; i < n; i++)
            uses = uses || uses_time(model, mode->M[i], n);
        if (uses) {
            what = "mode";
            of = mode->name;
        }
    }
    for (int k = 0; k < model->events && !what; k++) {
        const struct event *event = model->event[k];
        if (uses_time(model, &event->guard, 1) ||
            uses_time(model, event->J, event->rows) ||
            uses_time(model, event->condition, event->conditions)) {
            what = "event";
            of = event->name;
        }
    }
    return what ? diagnose(diagnosis, NOT_APPLICABLE, NAN, "%s %s of %s depends on time, "
                           "which does not repeat; make the phase of a drive an "
                           "auxiliary state, phase' = w, with an event that takes 2 pi "
                           "off", what, of, model->desc->name)
                : OK;
}
