/*
 * published.c - what has been printed about a case, for `saltus show`.
 */
#include <string.h>

#include "tables/report.h"

static int longest(const struct model *model, bool value)
{
    int most = 0;
    for (int k = 0; k < model->publisheds; k++) {
        const struct published *published = &model->published[k];
        int length = (int)strlen(value ? published->value : published->quantity);
        most = length > most ? length : most;
    }
    return most;
}

void print_published(FILE *stream, const struct model *model)
{
    int quantity = longest(model, false), value = longest(model, true);
    if (model->publisheds == 0)
        return;
    fprintf(stream, "\n%sprinted numbers (how many digits hold: saltus verify --oracle "
            "published)%s\n", colour_on(stream, BOLD), colour_off(stream));
    for (int k = 0; k < model->publisheds; k++) {
        const struct published *published = &model->published[k];
        fprintf(stream, "  %-*s  %-*s  %s\n", quantity, published->quantity, value,
                published->value, published->source);
        if (published->disputed)
            fprintf(stream, "  %*s  disputed: %s\n", quantity, "", published->disputed);
    }
}
