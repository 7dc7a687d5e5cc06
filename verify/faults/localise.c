#include "faults/localise_parts.h"

#include <stdio.h>

void blame_row(const struct rows *rows, struct row *row,
               const struct blame_request *request)
{
    const struct run_request *motion = request->motion;
    struct blame blame = {.request = request};
    row->cause[0] = '\0';
    if (row->short_of_bar == 0)
        return;
    columns_init(&blame.columns, motion->model, motion->parameters, motion->parameter);
    blame_read(&blame, rows, row);
    blame_find_multiples(&blame);
    bool tried = blame_try_rules(&blame);
    blame_say(&blame, row->cause, sizeof row->cause);
    if (!tried && row->cause[0] == '\0')
        snprintf(row->cause, sizeof row->cause,
                 "no cause is found: no run gets to event %d", blame.spot[0].event);
    blame_clear(&blame);
}
