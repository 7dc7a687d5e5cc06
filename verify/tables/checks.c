/*
 * checks.c - rows and comparisons as checks with a name and a message (checks.h)
 */
#include "tables/checks.h"

#include <libxml/chvalid.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tables/json_parts.h"
#include "tables/regress.h"

/* --- text --------------------------------------------------------------------------- */

/* Bytes of a UTF-8 character that XML and TAP can take; 0: there is no such character.
   Each length has a least value: a shorter character written longer is none. */
static int length_of_character(const char *text)
{
    static const struct { unsigned char mask, lead; unsigned least; } form[] = {
        {0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000},
    };
    const unsigned char *c = (const unsigned char *)text;
    for (int more = 0; more < 4; more++) {
        unsigned value = c[0] & (unsigned char)~form[more].mask;
        if ((c[0] & form[more].mask) != form[more].lead)
            continue;
        for (int k = 1; k <= more; k++) {
            if ((c[k] & 0xc0) != 0x80)
                return 0;
            value = value << 6 | (c[k] & 0x3f);
        }
        return value >= form[more].least && xmlIsCharQ(value) ? more + 1 : 0;
    }
    return 0;
}

char *text_cleaned(const char *text)
{
    static const char unknown[] = "\xEF\xBF\xBD";
    char *clean = memory_new(3 * (int)strlen(text) + 1, 1), *to = clean;
    while (*text) {
        int length = length_of_character(text);
        const char *from = length > 0 ? text : unknown;
        int bytes = length > 0 ? length : (int)sizeof unknown - 1;
        memcpy(to, from, (size_t)bytes);
        to += bytes;
        text += length > 0 ? length : 1;
    }
    return clean;
}

/* --- rows --------------------------------------------------------------------------- */

static struct check *check_add(struct checks *checks, const struct row *row)
{
    checks->check = memory_grow(checks->check, &checks->room, checks->count + 1,
                                sizeof *checks->check);
    struct check *check = &checks->check[checks->count++];
    *check = (struct check){.result = CHECK_PASSED, .message = memory_text("", 0)};
    snprintf(check->group, sizeof check->group, "%s", row->case_name);
    snprintf(check->name, sizeof check->name, "%s by %s", row->solution, row->oracle);
    return check;
}

static void check_say(struct check *check, enum check_result result, const char *kind,
                      const char *message)
{
    check->result = result;
    snprintf(check->kind, sizeof check->kind, "%s", kind);
    free(check->message);
    check->message = memory_text(message, strlen(message));
}

/* Adds the first number that fell short. */
static void add_number(cJSON *detail, const struct row *row)
{
    const struct verdict *first = &row->first;
    cJSON_AddStringToObject(detail, "quantity", first->name);
    json_number(detail, "t", first->t);
    json_text(detail, "got", first->got);
    json_text(detail, "want", first->want);
    json_number(detail, "digits", told_digits(first->digits));
    json_number(detail, "bar", first->bar);
    json_number(detail, "scale", first->scale);
}

static cJSON *detail_of_row(const struct row *row)
{
    cJSON *detail = cJSON_CreateObject();
    if (row->first.name[0])
        add_number(detail, row);
    if (row_status(row)->numbers) {
        cJSON_AddNumberToObject(detail, "numbers", (double)row->numbers);
        cJSON_AddNumberToObject(detail, "short", (double)row->short_of_bar);
        cJSON_AddNumberToObject(detail, "missing", (double)row->missing);
    } else if (row->refusal.status != OK) {
        json_diagnosis(detail, &row->refusal);
    }
    if (row->note[0])
        cJSON_AddStringToObject(detail, "note", row->note);
    if (row->cause[0])
        cJSON_AddStringToObject(detail, "cause", row->cause);
    return detail;
}

static void check_row(struct checks *checks, const struct row *row)
{
    struct check *check = check_add(checks, row);
    const struct row_status *outcome = row_status(row);
    char message[700];
    if (row->short_of_bar > 0)
        row_shortfall(row, message, sizeof message);
    else
        row_reason(row, message, sizeof message);
    if (row_fell_short(row)) {
        check_say(check, CHECK_FAILED, outcome->name, message);
        check->detail = detail_of_row(row);
    } else if (row_skipped(row)) {
        bool gap = row->kind == ROW_GAP;
        check_say(check, CHECK_SKIPPED, outcome->name,
                  gap ? "a modelling gap, not judged" : message);
    }
}

void checks_of_rows(struct checks *checks, const struct rows *const *rows, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++)
            check_row(checks, &rows[i]->row[k]);
}

/* --- what regress has found --------------------------------------------------------- */

/* The first finding of a check becomes the message, all of them the detail. */
static void add_finding(struct check *check, const struct finding *finding)
{
    const char *name = change_info[finding->change].name;
    char text[2400];
    finding_text(finding, text, sizeof text);
    if (check->result != CHECK_FAILED)
        check_say(check, CHECK_FAILED, name, text);
    if (!check->detail)
        check->detail = cJSON_CreateObject();
    cJSON *list = cJSON_GetObjectItem(check->detail, name);
    if (!list)
        list = cJSON_AddArrayToObject(check->detail, name);
    cJSON_AddItemToArray(list, cJSON_CreateString(text));
}

static void check_compared(struct checks *checks, const struct regression *regression,
                           const struct row *row)
{
    struct check *check = check_add(checks, row);
    char message[700];
    if (row->kind == ROW_EMPTY) {
        row_reason(row, message, sizeof message);
        check_say(check, CHECK_SKIPPED, row_status(row)->name, message);
    }
    for (int k = 0; k < regression->findings; k++) {
        const struct finding *finding = &regression->finding[k];
        if (finding->after == row && change_info[finding->change].fails)
            add_finding(check, finding);
    }
}

void checks_of_comparison(struct checks *checks, const struct regression *regression,
                          const struct rows *const *rows, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < rows[i]->count; k++)
            check_compared(checks, regression, &rows[i]->row[k]);
    for (int k = 0; k < regression->findings; k++)
        if (!regression->finding[k].after)
            add_finding(check_add(checks, regression->finding[k].before),
                        &regression->finding[k]);
}

void checks_clear(struct checks *checks)
{
    for (int k = 0; k < checks->count; k++) {
        free(checks->check[k].message);
        cJSON_Delete(checks->check[k].detail);
    }
    free(checks->check);
    *checks = (struct checks){.title = checks->title};
}
