/*
 * column_names.h - words for columns of a trajectory, as users write them in lists.
 */
#ifndef SALTUS_COLUMN_NAMES_H
#define SALTUS_COLUMN_NAMES_H

#include "columns.h"

/*
 * Does an item of a list name this column? Items are names ("q.y2", "dv.y2/de"), words
 * for all numbers of a kind ("q", "lambda", "dq") and coordinates ("y2"). The word of a
 * derivative stands for those by `parameter`; NULL: by all parameters.
 */
bool column_is_named(const struct columns *columns, int column, const char *item,
                     const char *parameter);
/* Is the trajectory differentiated by the parameter of this name? */
bool columns_have_parameter(const struct columns *columns, const char *parameter);
/* Offers the names nearest to an item that is none (suggest.h). `more` [count] are names
   besides those of the columns. */
void offer_columns(const struct columns *columns, const char *item,
                   const char *const *more, int count, char *text, int size);

#endif
