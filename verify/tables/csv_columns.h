/*
 * csv_columns.h - the columns of a CSV of a trajectory: those of the trajectory, and
 * residuals of the constraints.
 */
#ifndef SALTUS_CSV_COLUMNS_H
#define SALTUS_CSV_COLUMNS_H

#include "run.h"

/* Columns from columns.count on are residuals: Phi.1 .. Phi.m, then Phid.1 .. Phid.m, m
   the most constraints of any mode. */
struct csv_columns {
    int count;
    int *column;                /* [count] */
};

/*
 * Chooses columns. `list` has names, words and coordinates (column_names.h), "Phi.1",
 * "Phi", "Phid", and "t", which is always there; NULL: all columns of the trajectory.
 * `parameter` is that of derivatives without a name of their own; NULL: all. False: `why`
 * says in one line what is wrong.
 */
bool csv_columns_choose(struct csv_columns *chosen, const struct columns *columns,
                        const char *parameter, const char *list, char *why, int size);
void csv_columns_clear(struct csv_columns *chosen);
/* Does the item of a list name the time, or residuals, and no column? */
bool csv_item_is_extra(const struct columns *columns, const char *item);
/* Writes the name of a column, or of a residual. */
void csv_column_name(const struct columns *columns, int column, char *name, int size);

#endif
