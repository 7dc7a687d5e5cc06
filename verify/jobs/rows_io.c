#include "jobs/rows_io.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A row as it is in memory (the same program on both sides), then its JSON. */
struct row_head {
    struct row row;
    size_t json;            /* bytes; 0: none */
};

void rows_write(const struct rows *rows, FILE *stream)
{
    fwrite(&rows->count, sizeof rows->count, 1, stream);
    for (int k = 0; k < rows->count; k++) {
        const char *json = rows->row[k].json;
        struct row_head head = {.row = rows->row[k], .json = json ? strlen(json) : 0};
        head.row.json = NULL;
        fwrite(&head, sizeof head, 1, stream);
        fwrite(json ? json : "", 1, head.json, stream);
    }
}

#define END_TEXT(text) ((text)[sizeof(text) - 1] = '\0')

static void end_judged(struct verdict *verdict)
{
    END_TEXT(verdict->name);
    END_TEXT(verdict->got);
    END_TEXT(verdict->want);
}

/* The plug-in could write where it liked before it returned. */
static void make_safe(struct row *row)
{
    END_TEXT(row->case_name);
    END_TEXT(row->solution);
    END_TEXT(row->oracle);
    END_TEXT(row->rule);
    END_TEXT(row->integrator);
    END_TEXT(row->refusal.place);
    END_TEXT(row->note);
    END_TEXT(row->cause);
    end_judged(&row->worst);
    end_judged(&row->least);
    end_judged(&row->first);
    for (int k = 0; k < MOST_KINDS; k++) {
        END_TEXT(row->by_kind[k].name);
        END_TEXT(row->by_kind[k].quantity);
    }
}

static bool take(void *to, size_t size, const char *text, size_t length, size_t *used)
{
    if (length - *used < size)
        return false;
    memcpy(to, text + *used, size);
    *used += size;
    return true;
}

static bool read_row(struct rows *rows, const char *text, size_t length, size_t *used)
{
    struct row_head head;
    if (!take(&head, sizeof head, text, length, used) || head.json > length - *used ||
        (unsigned)head.row.kind > ROW_EMPTY || (unsigned)head.row.kinds > MOST_KINDS)
        return false;
    make_safe(&head.row);
    struct row *row = rows_add(rows, head.row.kind, "", "", "");
    *row = head.row;
    row->json = head.json ? memory_text(text + *used, head.json) : NULL;
    row->shortfall = NULL;      /* rows are weighed where they were made */
    *used += head.json;
    return true;
}

bool rows_read(struct rows *rows, const char *text, size_t length, size_t *used)
{
    int count, before = rows->count;
    bool good = take(&count, sizeof count, text, length, used) && count >= 0;
    for (int k = 0; good && k < count; k++)
        good = read_row(rows, text, length, used);
    while (!good && rows->count > before)
        free(rows->row[--rows->count].json);
    return good;
}
