/*
 * tap.c - checks as TAP, the Test Anything Protocol, version 13: a plan, a line for each
 * check, a block of YAML behind one that failed.
 */
#include <stdlib.h>
#include <string.h>

#include "tables/checks.h"
#include "tables/json_parts.h"

/* Prints the text on one line; '#' would begin a directive. */
static void print_description(FILE *stream, const char *text)
{
    char *clean = text_cleaned(text);
    for (const char *c = clean; *c; c++) {
        if (*c == '#' || *c == '\\')
            putc('\\', stream);
        putc(strchr("\n\r\t", *c) ? ' ' : *c, stream);
    }
    free(clean);
}

/* Prints the value as JSON, which is YAML, too. */
static void print_value(FILE *stream, const char *name, const cJSON *value)
{
    char *text = json_printed(value);
    char *clean = text_cleaned(text);
    fprintf(stream, "  %s: %s\n", name, clean);
    free(clean);
    cJSON_free(text);
}

static void print_block(FILE *stream, const struct check *check)
{
    cJSON *kind = cJSON_CreateString(check->kind);
    cJSON *message = cJSON_CreateString(check->message);
    const cJSON *item;
    fputs("  ---\n", stream);
    print_value(stream, "verdict", kind);
    print_value(stream, "message", message);
    cJSON_ArrayForEach(item, check->detail) {
        char name[100];
        snprintf(name, sizeof name, "\"%s\"", item->string);
        print_value(stream, name, item);
    }
    fputs("  ...\n", stream);
    cJSON_Delete(message);
    cJSON_Delete(kind);
}

void report_tap(FILE *stream, const struct checks *checks)
{
    fprintf(stream, "TAP version 13\n1..%d\n", checks->count);
    for (int k = 0; k < checks->count; k++) {
        const struct check *check = &checks->check[k];
        fprintf(stream, "%sok %d - ", check->result == CHECK_FAILED ? "not " : "", k + 1);
        print_description(stream, check->group);
        fputs(": ", stream);
        print_description(stream, check->name);
        if (check->result == CHECK_SKIPPED) {
            fputs(" # SKIP ", stream);
            print_description(stream, check->message);
        }
        putc('\n', stream);
        if (check->result == CHECK_FAILED)
            print_block(stream, check);
    }
}
