/*
 * columns.h - the one order in which results are stored, printed and compared.
 *
 * A point of a trajectory is a row of numbers: the state and the unknowns, then the same
 * once more for each parameter, differentiated:
 *
 *     q (n)  v (n)  s (ns)  a (n)  lambda (m)  z (nz)  |  d/drho_1: the same  |  ...
 *
 * Multipliers that the mode of the point does not have are not a number there. Instead of
 * one block for each parameter there may be one along a direction w in the space of
 * parameters: d/d(w) = sum over j of w_j d/drho_j.
 */
#ifndef SALTUS_COLUMNS_H
#define SALTUS_COLUMNS_H

#include "base/api.h"
#include "model.h"

SALTUS_API_BEGIN

enum column_group { GROUP_Q, GROUP_V, GROUP_S, GROUP_A, GROUP_LAMBDA, GROUP_Z, GROUPS };

struct columns {
    const struct model *model;
    int p;                      /* parameters differentiated */
    const int *parameter;       /* [p] their indices in the model */
    bool along;                 /* p = 1, along a direction: no single parameter */
    int begin[GROUPS + 1];      /* first column of each group within a block */
    int width;                  /* = begin[GROUPS], columns of one block */
    int count;                  /* width * (1 + p) */
};

/* `parameter` is kept, not copied. */
void columns_init(struct columns *columns, const struct model *model, int p,
                  const int *parameter);
/* Column of component i of a group; j = -1: the value, else its derivative by parameter
   j. */
int column(const struct columns *columns, enum column_group group, int i, int j)
    SALTUS_WORD(column);
/* The inverse. */
void column_parts(const struct columns *columns, int column, enum column_group *group,
                  int *i, int *j);
/* What block j is the derivative by: "L01"; "(w)" of a direction. */
const char *column_parameter(const struct columns *columns, int j);
/* "q.x2", "v.x2", "lambda.1", "z.work", "dq.x2/dL01", "dlambda.1/dL01", "dq.x2/d(w)" */
void column_name(const struct columns *columns, int column, char *name, int size);
/* true if a point in this mode has the column (multipliers may be missing) */
bool column_present(const struct columns *columns, int column, const struct mode *mode);

SALTUS_API_END

#endif
