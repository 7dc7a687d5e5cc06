/*
 * published_table.c - the printed numbers of a case, for `saltus show`.
 */
#include "tables/report.h"

void print_published(FILE *stream, const struct model *model)
{
    struct text_column quantity = {"", TEXT_LEFT, 2, 0}, value = {"", TEXT_LEFT, 2, 0};
    const struct text_column source = {"", TEXT_LEFT, 2, 0};
    if (model->publisheds == 0)
        return;
    for (int k = 0; k < model->publisheds; k++) {
        text_column_fit(&quantity, model->published[k].quantity);
        text_column_fit(&value, model->published[k].value);
    }
    fprintf(stream, "\n%sprinted numbers (how many digits hold: saltus verify --oracle "
            "published)%s\n", colour_on(stream, BOLD), colour_off(stream));
    for (int k = 0; k < model->publisheds; k++) {
        const struct published *published = &model->published[k];
        text_cell(stream, &quantity, "%s", published->quantity);
        text_cell(stream, &value, "%s", published->value);
        text_cell(stream, &source, "%s\n", published->source);
        if (published->disputed) {
            text_cell(stream, &quantity, "%s", "");
            text_cell(stream, &source, "disputed: %s\n", published->disputed);
        }
    }
}
