/*
 * regress_read.c - a table of verdicts from a file, strictly (regress.h).
 */
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "quantity/quantity.h"
#include "tables/regress.h"

/* Bytes that no table has: a longer file is /dev/zero, or a film. */
enum { LONGEST_TABLE = 1 << 28 };

struct reader {
    const char *path;
    struct table *table;
    int record;                 /* number of the record that is read, from 1; 0: none */
    char *error;
    int size;
};

static bool wrong(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool wrong(struct reader *reader, const char *format, ...)
{
    char reason[300], place[40] = "";
    va_list list;
    va_start(list, format);
    vsnprintf(reason, sizeof reason, format, list);
    va_end(list);
    if (reader->record > 0)
        snprintf(place, sizeof place, ", record %d", reader->record);
    snprintf(reader->error, (size_t)reader->size, "%s%s: %s", reader->path, place,
             reason);
    return false;
}

/* --- values ------------------------------------------------------------------------- */

static bool take_text(struct reader *reader, const cJSON *object, const char *name,
                      char *text, size_t size)
{
    const char *found = cJSON_GetStringValue(
        cJSON_GetObjectItemCaseSensitive(object, name));
    if (!found || strlen(found) >= size)
        return wrong(reader, "%s of \"%s\"; save the table again",
                     found ? "too long a text" : "there is no text", name);
    memcpy(text, found, strlen(found) + 1);
    return true;
}

/* Takes a number; null is NAN. */
static bool take_number(struct reader *reader, const cJSON *object, const char *name,
                        double *number)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    *number = cJSON_IsNumber(found) ? found->valuedouble : NAN;
    return cJSON_IsNumber(found) || cJSON_IsNull(found) ||
           wrong(reader, "there is no number of \"%s\"; save the table again", name);
}

static bool take_count(struct reader *reader, const cJSON *object, const char *name,
                       long *count)
{
    double number;
    if (!take_number(reader, object, name, &number))
        return false;
    if (!(number >= 0.0 && number < 1e15 && number == floor(number)))
        return wrong(reader, "\"%s\" is not a count; save the table again", name);
    *count = (long)number;
    return true;
}

/* --- records ------------------------------------------------------------------------ */

static bool take_diagnosis(struct reader *reader, const cJSON *object,
                           struct diagnosis *diagnosis)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, "diagnosis");
    char name[60];
    int status = 0;
    if (!found)
        return true;
    if (!take_text(reader, found, "status", name, sizeof name) ||
        !take_text(reader, found, "place", diagnosis->place, sizeof diagnosis->place) ||
        !take_number(reader, found, "t", &diagnosis->t))
        return false;
    while (status < STATUSES && strcmp(status_text((enum status)status), name) != 0)
        status++;
    diagnosis->status = (enum status)status;
    return status < STATUSES ||
           wrong(reader, "this saltus knows no refusal '%.40s'; save the table again",
                 name);
}

/* The first word of the name of a printed number was a kind, too. */
static void take_names(struct reader *reader, struct kind_digits *kind, const char *name,
                       const char *quantity)
{
    static const char old[] = "jump", now[] = "after";
    const struct quantity key = quantity_parse(quantity);
    bool is_old = quantity_is_old_name(quantity);
    reader->table->old_names = reader->table->old_names || is_old;
    snprintf(kind->name, sizeof kind->name, "%s",
             is_old && strcmp(name, old) == 0 ? now : name);
    quantity_print(&key, kind->quantity, sizeof kind->quantity);
}

/* "dv":[13.01,"dv.x2/dL_A1",4.375] */
static bool take_kind(struct reader *reader, const cJSON *found, struct row *row)
{
    const cJSON *digits = cJSON_GetArrayItem(found, 0);
    const cJSON *quantity = cJSON_GetArrayItem(found, 1);
    const cJSON *t = cJSON_GetArrayItem(found, 2);
    if (row->kinds == MOST_KINDS)
        return wrong(reader, "more kinds than a row has; save the table again");
    struct kind_digits *kind = &row->by_kind[row->kinds++];
    if (cJSON_GetArraySize(found) != 3 || !cJSON_IsNumber(digits) ||
        !cJSON_IsString(quantity) || !(cJSON_IsNumber(t) || cJSON_IsNull(t)) ||
        strlen(found->string) >= sizeof kind->name ||
        strlen(quantity->valuestring) >= sizeof kind->quantity)
        return wrong(reader, "the kind \"%.40s\" is not [digits, quantity, t]; save the "
                     "table again", found->string);
    take_names(reader, kind, found->string, quantity->valuestring);
    kind->digits = digits->valuedouble;
    kind->t = cJSON_IsNumber(t) ? t->valuedouble : NAN;
    return true;
}

static bool take_kinds(struct reader *reader, const cJSON *object, struct row *row)
{
    const cJSON *kinds = cJSON_GetObjectItemCaseSensitive(object, "kinds"), *found;
    if (kinds && !cJSON_IsObject(kinds))
        return wrong(reader, "\"kinds\" is no object; save the table again");
    cJSON_ArrayForEach(found, kinds)
        if (!take_kind(reader, found, row))
            return false;
    return true;
}

static bool take_row(struct reader *reader, const cJSON *object, struct row *row)
{
    char name[40];
    const struct row_status *outcome = NULL;
    if (!take_text(reader, object, "verdict", name, sizeof name) ||
        !take_number(reader, object, "rtol", &row->rtol))
        return false;
    bool is_old;
    if (!(outcome = row_status_find(name, &is_old)))
        return wrong(reader, "there is no verdict '%s'; save the table again", name);
    reader->table->old_names = reader->table->old_names || is_old;
    row->kind = outcome->kind;
    row->held = outcome->held;
    if (cJSON_HasObjectItem(object, "note") &&
        !take_text(reader, object, "note", row->note, sizeof row->note))
        return false;
    if (!outcome->numbers)
        return take_diagnosis(reader, object, &row->refusal);
    return take_count(reader, object, "numbers", &row->numbers) &&
           take_count(reader, object, "short", &row->short_of_bar) &&
           take_count(reader, object, "missing", &row->missing) &&
           take_kinds(reader, object, row);
}

static bool take_record(struct reader *reader, const cJSON *object)
{
    struct row like = {.rtol = NAN};
    if (!take_text(reader, object, "case", like.case_name, sizeof like.case_name) ||
        !take_text(reader, object, "solution", like.solution, sizeof like.solution) ||
        !take_text(reader, object, "oracle", like.oracle, sizeof like.oracle))
        return false;
    return take_row(reader, object, rows_add(&reader->table->rows, ROW_JUDGED,
                                             like.case_name, like.solution, like.oracle));
}

/* --- the whole ---------------------------------------------------------------------- */

static bool take_settings(struct reader *reader, const cJSON *root)
{
    struct table *table = reader->table;
    const cJSON *settings = cJSON_GetObjectItemCaseSensitive(root, "settings"), *item;
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(root, "cases");
    if (!cJSON_IsObject(settings) || !cJSON_IsArray(cases))
        return wrong(reader, "it does not say what was asked for; save the table again");
    table->setting = memory_new(2 * cJSON_GetArraySize(settings), sizeof(char *));
    table->case_name = memory_new(cJSON_GetArraySize(cases) + 1, sizeof(char *));
    cJSON_ArrayForEach(item, settings) {
        const char *value = cJSON_IsString(item) ? item->valuestring : "";
        char **pair = &table->setting[2 * table->settings++];
        pair[0] = memory_text(item->string, strlen(item->string));
        pair[1] = memory_text(value, strlen(value));
    }
    cJSON_ArrayForEach(item, cases) {
        if (!cJSON_IsString(item))
            return wrong(reader, "\"cases\" are not names; save the table again");
        table->case_name[table->cases++] = memory_text(item->valuestring,
                                                       strlen(item->valuestring));
    }
    return take_text(reader, root, "saltus", table->version, sizeof table->version) &&
           take_text(reader, root, "compiler", table->compiler, sizeof table->compiler) &&
           take_text(reader, root, "arithmetic", table->arithmetic,
                     sizeof table->arithmetic);
}

static bool take_table(struct reader *reader, const cJSON *root)
{
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(root, "saltus-regress");
    const cJSON *records = cJSON_GetObjectItemCaseSensitive(root, "records"), *record;
    if (!cJSON_IsNumber(format))
        return wrong(reader, "this is not a table of verdicts; saltus regress --save "
                     "makes one");
    if (format->valuedouble != TABLE_FORMAT)
        return wrong(reader, "its format is %.15g, this saltus reads %d; save it again",
                     format->valuedouble, TABLE_FORMAT);
    if (!take_settings(reader, root))
        return false;
    if (!cJSON_IsArray(records) || cJSON_GetArraySize(records) == 0)
        return wrong(reader, "there are no records in it; save the table again");
    cJSON_ArrayForEach(record, records) {
        reader->record++;
        if (!take_record(reader, record))
            return false;
    }
    return true;
}

/* Complains of the place where the text ends to be JSON. */
static bool not_json(struct reader *reader, const char *text, size_t length,
                     const char *end)
{
    int line = 1;
    bool whole = end >= text + length;
    for (const char *c = text; c < end && c < text + length; c++)
        line += *c == '\n';
    return wrong(reader, "line %d: %s; saltus regress --save makes a table anew", line,
                 whole ? "the file ends too early" : "this is not JSON");
}

static bool is_blank_from(const char *at, const char *end)
{
    for (; at < end; at++)
        if (!strchr(" \t\r\n", *at) || *at == '\0')
            return false;
    return true;
}

/* The file, malloc'ed, with a zero behind it. */
static char *whole_file(struct reader *reader, size_t *length)
{
    FILE *file = fopen(reader->path, "rbe");
    char *text = NULL;
    int room = 0, used = 0, got;
    if (!file) {
        wrong(reader, "cannot be read: %s", strerror(errno));
        return NULL;
    }
    do {
        text = memory_grow(text, &room, used + (1 << 16) + 1, 1);
        used += got = (int)fread(text + used, 1, 1 << 16, file);
    } while (got > 0 && used < LONGEST_TABLE);
    bool good = !ferror(file) || wrong(reader, "cannot be read: %s", strerror(errno));
    good = good && (used < LONGEST_TABLE ||
                    wrong(reader, "this is too long to be a table of verdicts"));
    fclose(file);
    *length = (size_t)used;
    text[used] = '\0';
    if (good)
        return text;
    free(text);
    return NULL;
}

bool table_read(const char *path, struct table *table, char *error, int size)
{
    struct reader reader = {.path = path, .table = table, .error = error, .size = size};
    size_t length;
    const char *end = NULL;
    *table = (struct table){.settings = 0};
    char *text = whole_file(&reader, &length);
    if (!text)
        return false;
    cJSON *root = cJSON_ParseWithLengthOpts(text, length + 1, &end, false);
    bool good = root && is_blank_from(end, text + length);
    if (good)
        good = take_table(&reader, root);
    else
        not_json(&reader, text, length, end ? end : text);
    cJSON_Delete(root);
    free(text);
    return good;
}

void table_clear(struct table *table)
{
    rows_clear(&table->rows);
    for (int k = 0; k < 2 * table->settings; k++)
        free(table->setting[k]);
    for (int k = 0; k < table->cases; k++)
        free(table->case_name[k]);
    free(table->setting);
    free(table->case_name);
    *table = (struct table){.settings = 0};
}
