/*
 * model_page.c - saltus-model(5), the language of model files, from its list of keys
 * (manual.h)
 */
#include <string.h>

#include "base/embed.h"
#include "file/keys.h"
#include "formula/formula.h"
#include "manual/manual.h"
#include "manual/roff.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

EMBED(model_text, "verify/manual/model.txt");

/* The kind of a value in words; "": its meaning says it. */
static const char *const shape_text[] = {
    [IS_TEXT] = "text", [IS_WORD] = "word", [IS_WORDS] = "names",
    [IS_FLAG] = "true | false",
    [IS_FLAGS] = "list of true | false", [IS_INTEGERS] = "{name: integer}",
    [IS_FORMULA] = "formula", [IS_FORMULAS] = "{name: formula}",
    [IS_LIST_OF_FORMULAS] = "[formula]", [IS_SUM] = "formula or [formula]",
    [IS_VECTOR] = "{coordinate: formula} or [formula]",
    [IS_STATES] = "{state: formula} or [formula]",
    [IS_COSTS] = "{cost: formula} or [formula]",
    [IS_MATRIX] = "{coordinate: {coordinate: formula}} or [[formula]]",
    [IS_STATE] = "{name: formula}", [IS_RESET] = "{name_plus: formula}",
    [IS_DRAWING] = "list", [IS_MODE_NAME] = "name of a mode",
    [IS_DIRECTION] = "rising | falling | either",
    [IS_VELOCITY] = "explicit | constrained | impulsive", [IS_POINTS] = "names",
    [IS_AT_ENDS] = "refuse | skip | happen",
    [IS_BODIES] = "{name: planar | euler | natural}", [IS_BODY_NAME] = "name of a body",
    [IS_PLACES] = "{name: place}", [IS_PLACE] = "place",
    [IS_PLACE_PAIR] = "[place, place]",
    [IS_FRAME] = "frame", [IS_COMPONENTS] = "[formula]", [IS_AXIS] = "x | y | z",
    [IS_MOMENTS] = "formula or [formula]", [IS_EULER_PARAMETERS] = "[formula]",
    [IS_PART] = "table", [IS_PARTS] = "{name: table}", [IS_LIST] = "list of tables",
    [IS_DERIVED] = ""};

static void print_key(FILE *stream, const struct key_info *key)
{
    fputs(".TP\n\\fB", stream);
    roff_text(stream, key->name, (int)strlen(key->name));
    fputs("\\fR: \\fI", stream);
    roff_text(stream, shape_text[key->shape], (int)strlen(shape_text[key->shape]));
    fputs("\\fR\n", stream);
    roff_line(stream, key->meaning);
}

/* Keys that are not read stand in files of `saltus problem` and are told at once. */
static void print_section(FILE *stream, enum section section)
{
    bool any = false;
    fputs(".SS ", stream);
    roff_line(stream, section_info[section].title);
    for (const struct key_info *key = key_info; key->name; key++)
        if (key->section == section && key->shape != IS_DERIVED) {
            print_key(stream, key);
            any = true;
        }
    if (!any)
        fputs("Keys that saltus problem writes.\n", stream);
}

static void print_functions(FILE *stream)
{
    fputs(".SH FUNCTIONS\n", stream);
    for (int op = OP_POWI + 1; op < OPS; op++) {
        const struct op_info *info = &op_info[op];
        if (op <= OP_NEG)
            continue;           /* signs */
        fputs(".TP\n\\fB", stream);
        roff_text(stream, info->text, (int)strlen(info->text));
        fprintf(stream, "\\fR(%s)\nanalytic for ", info->arity == 2 ? "a, b" : "a");
        roff_line(stream, strcmp(info->domain, "everywhere") == 0 ? "all arguments"
                                                                  : info->domain);
    }
}

void manual_model(FILE *stream)
{
    const char *example = strstr(model_text, "\nEXAMPLE\n");
    fputs(".\\\" Made by `saltus manual model` from the keys of model files.\n"
          ".TH SALTUS\\-MODEL 5 \"\" \"saltus " SALTUS_VERSION "\" \"File Formats\"\n"
          ".nh\n.ad l\n.SH NAME\nsaltus\\-model \\- mechanisms with events as text\n"
          ".SH DESCRIPTION\n", stream);
    char text[8000];
    snprintf(text, sizeof text, "%.*s\n", (int)(example - model_text), model_text);
    roff_paragraphs(stream, text);
    fputs(".SH EXAMPLE\n", stream);
    roff_example(stream, example + strlen("\nEXAMPLE\n"));
    fputs(".SH KEYS\n", stream);
    for (int section = 0; section < SECTIONS; section++)
        if (section != SECTION_RESET)
            print_section(stream, (enum section)section);
    print_functions(stream);
    fputs(".SH SEE ALSO\n.BR saltus (1)\n", stream);
}
