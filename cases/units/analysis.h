/*
 * analysis.h - the dimensional analysis of a model, shared by the files that make it.
 *
 * Units of parameters are known, as far as they are given and can be read, and time is in
 * seconds. Dimensions of coordinates, auxiliary states, costs, multipliers of each mode
 * and impulses of each event are unknown, and solved for. A velocity is a coordinate per
 * time, an acceleration one per time squared. Literal constants hide their units
 * (formula_dimensions.c).
 */
#ifndef SALTUS_ANALYSIS_H
#define SALTUS_ANALYSIS_H

#include "model.h"
#include "units/dimension_equations.h"
#include "units/model_units.h"

/* A formula is one of these. */
enum measure_kind {
    MEASURE_NONE,           /* not looked at yet */
    MEASURE_NUMBER,         /* a constant of integers, fractions and pi: in a product a
                               number, in a sum of any dimension */
    MEASURE_LITERAL,        /* another constant, like 9.81: of any dimension everywhere */
    MEASURE_FORM            /* of the dimension `form` */
};

struct measure {
    enum measure_kind kind;
    struct form form;       /* of MEASURE_FORM */
};

/* A row of the tape: its measure, and where that holds. A row with multipliers or
   impulses is another quantity in another mode or event. */
struct row_measure {
    struct measure measure;
    int context;            /* 0: everywhere */
    bool said;              /* a finding of this row has been said */
    bool root;              /* the row is in the list of roots */
};

struct finding_list {
    struct unit_finding *finding;   /* [count] */
    int count, room;
};

struct analysis {
    const struct model *model;          /* as recorded, not completed */
    struct equations equations;
    struct form time;
    int freed;                          /* parameter whose unit is taken as unknown, or
                                           -1 */
    int left_out;                       /* formula that is taken as unknown, a row, or
                                           -1 */
    int rho, q, s, z;                   /* first unknown of each block */
    struct form *parameter;             /* [p] */
    int *lambda, *impulse;              /* [modes], [events] first unknown */
    int named;                          /* unknowns that have a name */

    struct row_measure *row;            /* [rows of the tape] */
    int *visit;                         /* [rows of the tape] number of the last search
                                           that has met the row */
    int visits;
    int *stack;                         /* [rows of the tape] */
    int *root, roots, root_room;        /* formulas of the model, rows of the tape, each
                                           once */

    const struct mode *mode;            /* whose multipliers a formula means, or NULL */
    const struct event *event;          /* whose impulses, or NULL */
    int context;                        /* number of that mode or event, from 1 */
    char where[120];                    /* "mode slide: " */
    char what[120];                     /* "F.y" */
    formula at;                         /* formula that is looked at */
    struct finding_list findings;
};

/* --- formula_dimensions.c ----------------------------------------------------------- */

/* The measure of a formula; one never set, or left out, is MEASURE_NONE. Sums and
   functions in it whose operands do not fit are said. */
struct measure measure_of(struct analysis *analysis, formula f);
/* Lists the variables of `block` that a formula depends on, index[] as long as the block;
   returns how many there are. */
int variables_of(struct analysis *analysis, formula f, int block, int *index);

/* --- finding_text.c ----------------------------------------------------------------- */

/* Enough for a dimension as text, for a formula as text. */
enum { DIMENSION_TEXT = 200, FORMULA_TEXT = 64 };

/* The dimension as text, like "kg m/s^2 [x]", with what is known of it now. */
void form_text(struct analysis *analysis, const struct form *form,
               char text[DIMENSION_TEXT]);
/* The formula as text, cut with "...". */
void short_text(const struct analysis *analysis, int row, char text[FORMULA_TEXT]);
/* A sum as text; of a long one the last term alone, "... + k". */
void sum_text(const struct analysis *analysis, int row, char text[FORMULA_TEXT]);
/* Says a finding of the formula that is looked at. */
void finding_say(struct analysis *analysis, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
