/*
 * model_units.h - do the units of a model fit together?
 *
 * A dimensional analysis of all formulas of a case as it is written. Known are the units
 * that are given for parameters; time is in seconds. The dimensions of coordinates,
 * auxiliary states, costs, multipliers and impulses follow from the equations. Only
 * dimensions are compared: um where m is meant, or degrees for radians, is not found.
 *
 * A model is none the worse for a finding, which is a warning. Units that are left out,
 * and units that are not known, are taken as unknown, and so are literal constants in
 * most places (formula_dimensions.c): a slip there is missed rather than a model blamed
 * that is right.
 */
#ifndef SALTUS_MODEL_UNITS_H
#define SALTUS_MODEL_UNITS_H

#include "base/api.h"
#include "model.h"

SALTUS_API_BEGIN

/* Dimensions that do not fit. */
struct unit_finding {
    char *place;            /* line of the file, like "bead.yaml:9:9: "; "": elements have
                               written the formula */
    char *text;             /* mode or event, formula, dimensions, like "mode slide: F.y:
                               m*g + k: kg m/s^2 and 1/m are added" */
};

struct model_units {
    bool given;             /* units of parameters are given; else nothing is checked */
    int findings;           /* independent ones; 0: units fit together */
    struct unit_finding *finding;   /* [findings] */
    char *remedy;           /* "all would fit with m/s^2 for g", where another unit of one
                               parameter, or of one of two, mends all findings; else
                               NULL */
    int unreads;            /* parameters whose unit is not known */
    int *unread;            /* [unreads] their indices */
    char **coordinate;      /* [n], [ns], [nz] units that follow, like "m"; NULL: */
    char **auxiliary;       /* nothing determines it */
    char **cost;
    int n, ns, nz;
};

/* The analysis of a case, which is recorded for it: what model_new() adds by derivation
   is not looked at. A case that is refused has no findings. To be freed by
   model_units_free. */
struct model_units *model_units_new(const struct case_desc *desc);
/* Frees it; NULL is allowed. */
void model_units_free(struct model_units *units);

SALTUS_API_END

#endif
