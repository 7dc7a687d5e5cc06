/*
 * columns.c - columns of results: order and names; see columns.h.
 */
#include "columns.h"

#include <stdio.h>
#include <string.h>

void columns_init(struct columns *columns, const struct model *model, int p,
                  const int *parameter)
{
    const int size[GROUPS] = {model->n, model->n, model->ns,
                              model->n, model->m, model->nz};
    columns->model = model;
    columns->p = p;
    columns->parameter = parameter;
    columns->along = false;
    columns->begin[0] = 0;
    for (int g = 0; g < GROUPS; g++)
        columns->begin[g + 1] = columns->begin[g] + size[g];
    columns->width = columns->begin[GROUPS];
    columns->count = columns->width * (1 + p);
}

int column(const struct columns *columns, enum column_group group, int i, int j)
{
    return (j + 1) * columns->width + columns->begin[group] + i;
}

void column_parts(const struct columns *columns, int column, enum column_group *group,
                  int *i, int *j)
{
    *j = column / columns->width - 1;
    int within = column % columns->width;
    int g = 0;
    while (within >= columns->begin[g + 1])
        g++;
    *group = (enum column_group)g;
    *i = within - columns->begin[g];
}

const char *column_parameter(const struct columns *columns, int j)
{
    return columns->along ? "(w)" : columns->model->parameter[columns->parameter[j]].name;
}

void column_component(const struct columns *columns, enum column_group group, int i,
                      char *name, int size)
{
    const struct model *model = columns->model;
    if (group == GROUP_LAMBDA)
        snprintf(name, (size_t)size, "%d", i + 1);
    else if (group == GROUP_S)
        snprintf(name, (size_t)size, "%s", model->auxiliary[i]);
    else if (group == GROUP_Z)
        snprintf(name, (size_t)size, "%s", model->cost[i]);
    else
        snprintf(name, (size_t)size, "%s", model->coordinate[i]);
}

void column_name(const struct columns *columns, int column, char *name, int size)
{
    static const char *const letter[GROUPS] = {"q", "v", "s", "a", "lambda", "z"};
    enum column_group group;
    char component[64];
    int i, j;

    column_parts(columns, column, &group, &i, &j);
    column_component(columns, group, i, component, sizeof component);
    if (j < 0)
        snprintf(name, (size_t)size, "%s.%s", letter[group], component);
    else
        snprintf(name, (size_t)size, "d%s.%s/d%s", letter[group], component,
                 column_parameter(columns, j));
}

bool column_present(const struct columns *columns, int column, const struct mode *mode)
{
    enum column_group group;
    int i, j;
    column_parts(columns, column, &group, &i, &j);
    return group != GROUP_LAMBDA || i < mode->m;
}
