/*
 * instrument.h - a mechanism whose equations are stiff on smooth arcs.
 */
#ifndef SALTUS_INSTRUMENT_H
#define SALTUS_INSTRUMENT_H

#include "case.h"

/* A ball that bounces, and an instrument that follows its height within 1/k. */
static inline void instrument_record(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(k, e, h0);
    AUXILIARY(shown);
    NOMINAL(k, 1e5, "1/s", "how fast the instrument follows");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(h0, 5, "m", "initial height");
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-9.81);
    model->f_s[0] = EQ(k*(y - shown));
    struct event *impact = model_event(model, "impact", flight, flight, EQ(y), FALLING);
    impact->v_plus[0] = EQ(-e*vy);
    model->q0[0] = EQ(h0);
    model->s0[0] = EQ(h0);
    model->t_end = EQ(3);
}

static const struct case_desc instrument = {.name = "instrument",
                                            .record = instrument_record};

#endif
