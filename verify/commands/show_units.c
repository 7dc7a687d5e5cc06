/*
 * show_units.c - `saltus show`: do the units of a case fit together, and which follow for
 * coordinates, states and costs?
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "commands/show.h"
#include "tables/report.h"
#include "units/model_units.h"

/* Names and units that follow, one after the other. */
struct united {
    char **name, **unit;        /* [count] unit NULL: nothing determines it */
    int count, room;
};

static void append(struct united *all, char *const *name, char *const *unit, int count)
{
    int had = all->count, room = all->room;
    all->count += count;
    all->name = memory_grow(all->name, &room, all->count, sizeof *all->name);
    all->unit = memory_grow(all->unit, &all->room, all->count, sizeof *all->unit);
    memory_copy(all->name + had, name, count, sizeof *name);
    memory_copy(all->unit + had, unit, count, sizeof *unit);
}

static bool have_one_unit(const struct united *all, int i, int k)
{
    return all->unit[i] && all->unit[k] && strcmp(all->unit[i], all->unit[k]) == 0;
}

/* Prints "  x, y: m" for each unit, in the order of the first of its names. */
static void print_followed(const struct united *all)
{
    for (int k = 0; k < all->count; k++) {
        bool before = !all->unit[k];
        for (int i = 0; i < k; i++)
            before = before || have_one_unit(all, i, k);
        if (before)
            continue;
        printf("  %s", all->name[k]);
        for (int i = k + 1; i < all->count; i++)
            if (have_one_unit(all, i, k))
                printf(", %s", all->name[i]);
        printf(": %s\n", all->unit[k]);
    }
}

static void print_findings(const struct model *model, const struct model_units *units)
{
    for (int k = 0; k < units->findings; k++)
        printf("  %s%s\n", units->finding[k].place, units->finding[k].text);
    if (units->remedy)
        printf("  %s\n", units->remedy);
    if (units->findings == 0)
        printf("  units fit together\n");
    for (int k = 0; k < units->unreads; k++) {
        const struct parameter *parameter = &model->parameter[units->unread[k]];
        printf("  not checked: unit '%s' of parameter %s is not known\n",
               parameter->unit, parameter->name);
    }
}

void show_units(const struct model *model)
{
    struct model_units *units = model_units_new(model->desc);
    struct united all = {NULL, NULL, 0, 0};
    if (units->given) {
        printf("\n%sunits%s\n", colour_on(stdout, BOLD), colour_off(stdout));
        print_findings(model, units);
        append(&all, model->coordinate, units->coordinate, units->n);
        append(&all, model->auxiliary, units->auxiliary, units->ns);
        append(&all, model->cost, units->cost, units->nz);
        print_followed(&all);
    }
    free(all.name);
    free(all.unit);
    model_units_free(units);
}
