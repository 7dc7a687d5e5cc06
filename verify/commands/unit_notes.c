/*
 * unit_notes.c - warnings of units (unit_notes.h)
 */
#include "commands/unit_notes.h"

static void warn(const struct args *args, const char *name,
                 const struct model_units *units)
{
    for (int k = 0; k < units->findings && k < MOST_UNIT_NOTES; k++) {
        const struct unit_finding *finding = &units->finding[k];
        if (finding->place[0])
            complain(args, "%sunits: %s", finding->place, finding->text);
        else
            complain(args, "%s: units: %s", name, finding->text);
    }
    if (units->findings > MOST_UNIT_NOTES)
        complain(args, "%s: units: %d more findings, which saltus show says", name,
                 units->findings - MOST_UNIT_NOTES);
    if (units->remedy)
        complain(args, "%s: units: %s", name, units->remedy);
}

void unit_notes_warn(const struct args *args, const struct case_desc *desc)
{
    if (!desc->path)
        return;
    struct model_units *units = model_units_new(desc);
    warn(args, desc->name, units);
    model_units_free(units);
}
