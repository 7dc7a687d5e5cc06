/*
 * columns.h - columns of results: the one order in which they are stored, printed and
 * compared.
 *
 * A point of a trajectory is a row of numbers: the state and the unknowns, then a block
 * of their derivatives for each parameter:
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
/* Groups of columns within a block, in their order. */
enum column_group { GROUP_Q, GROUP_V, GROUP_S, GROUP_A, GROUP_LAMBDA, GROUP_Z, GROUPS };

/* The layout of a row of numbers. */
struct columns {
    const struct model *model;
    int p;                      /* number of parameters differentiated by */
    const int *parameter;       /* [p] their indices in the model */
    bool along;                 /* true: p = 1, along a direction, and no single
                                   parameter */
    int begin[GROUPS + 1];      /* first column of each group within a block */
    int width;                  /* = begin[GROUPS], columns of one block */
    int count;                  /* width * (1 + p) */
};

/* Lays out the columns. `parameter` [p] is kept, not copied. */
void columns_init(struct columns *columns, const struct model *model, int p,
                  const int *parameter);
/* The column of component i of a group; j = -1: the value, else the derivative by
   parameter number j of columns->parameter. */
int column(const struct columns *columns, enum column_group group, int i, int j)
    SALTUS_WORD(column);
/* The group, component and block (j of column()) of a column. */
void column_parts(const struct columns *columns, int column, enum column_group *group,
                  int *i, int *j);
/* The name of the parameter of block j, like "L01"; "(w)" for a direction. */
const char *column_parameter(const struct columns *columns, int j);
/* Writes what component i of a group is of: the name of a coordinate, an auxiliary state
   or a cost, the number of a multiplier from 1. */
void column_component(const struct columns *columns, enum column_group group, int i,
                      char *name, int size);
/* Writes the name of a column, like "q.x2", "v.x2", "lambda.1", "z.work",
   "dq.x2/dL01", "dlambda.1/dL01" or "dq.x2/d(w)". */
void column_name(const struct columns *columns, int column, char *name, int size);
/* True: a point in this mode has the column. It may lack multipliers. */
bool column_present(const struct columns *columns, int column, const struct mode *mode);

SALTUS_API_END

#endif
