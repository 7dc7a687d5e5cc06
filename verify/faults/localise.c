/*
 * localise.c - the steps of localisation, one after the other (localise.h)
 */
#include "faults/localise_parts.h"

#include <stdio.h>

void localise_row(const struct rows *rows, struct row *row,
                  const struct localise_request *request)
{
    const struct run_request *motion = request->motion;
    struct localise_work work = {.request = request};
    row->cause[0] = '\0';
    if (row->short_of_bar == 0)
        return;
    columns_init(&work.columns, motion->model, motion->parameters, motion->parameter);
    localise_read(&work, rows, row);
    localise_find_multiples(&work);
    bool tried = localise_try_rules(&work);
    localise_say(&work, row->cause, sizeof row->cause);
    if (!tried && row->cause[0] == '\0')
        snprintf(row->cause, sizeof row->cause,
                 "no cause is found: no run gets to event %d", work.suspect[0].event);
    localise_clear(&work);
}
