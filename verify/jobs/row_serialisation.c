/*
 * row_serialisation.c - rows as bytes, checked when they are read (row_serialisation.h)
 */
#include "jobs/row_serialisation.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* An array without elements is NULL, which fwrite must not be given. */
static void put_array(const void *element, size_t size, int count, FILE *stream)
{
    if (count > 0)
        fwrite(element, size, (size_t)count, stream);
}

/* Writes a row as its bytes in memory (one program is on both sides), its verdicts, its
   remarks. */
void rows_write(const struct rows *rows, FILE *stream)
{
    fwrite(&rows->count, sizeof rows->count, 1, stream);
    for (int k = 0; k < rows->count; k++) {
        const struct row *row = &rows->row[k];
        fwrite(row, sizeof *row, 1, stream);
        put_array(row->verdict, sizeof *row->verdict, row->verdicts, stream);
        put_array(row->remark, sizeof *row->remark, row->remarks, stream);
    }
}

#define END_TEXT(text) ((text)[sizeof(text) - 1] = '\0')

static void end_verdict(struct verdict *verdict)
{
    END_TEXT(verdict->name);
    END_TEXT(verdict->got);
    END_TEXT(verdict->want);
}

/* Ends every text and limits every number: the plug-in could write anywhere before it
   returned. */
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
    end_verdict(&row->worst);
    end_verdict(&row->least);
    end_verdict(&row->first);
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

/* malloc'ed; NULL: there are no elements, or *good is false: the text has fewer. */
static void *take_array(int count, size_t size, const char *text, size_t length,
                        size_t *used, bool *good)
{
    *good = *good && count >= 0 && (size_t)count <= (length - *used) / size;
    if (!*good || count == 0)
        return NULL;
    void *array = memory_new(count, size);
    take(array, (size_t)count * size, text, length, used);
    return array;
}

static bool read_row(struct rows *rows, const char *text, size_t length, size_t *used)
{
    struct row read;
    if (!take(&read, sizeof read, text, length, used) ||
        (unsigned)read.kind > ROW_EMPTY || (unsigned)read.kinds > MOST_KINDS)
        return false;
    make_safe(&read);
    bool good = true;
    struct row *row = rows_add(rows, read.kind, "", "", "");
    *row = read;
    row->shortfall = NULL;      /* rows are weighed where they were made */
    row->verdict = take_array(read.verdicts, sizeof *row->verdict, text, length, used,
                              &good);
    row->remark = take_array(read.remarks, sizeof *row->remark, text, length, used,
                             &good);
    row->verdict_room = row->verdicts = row->verdict ? read.verdicts : 0;
    row->remark_room = row->remarks = row->remark ? read.remarks : 0;
    for (int k = 0; k < row->verdicts; k++)
        end_verdict(&row->verdict[k]);
    for (int k = 0; k < row->remarks; k++)
        END_TEXT(row->remark[k].text);
    return good;
}

bool rows_read(struct rows *rows, const char *text, size_t length, size_t *used)
{
    int count, before = rows->count;
    bool good = take(&count, sizeof count, text, length, used) && count >= 0;
    for (int k = 0; good && k < count; k++)
        good = read_row(rows, text, length, used);
    while (!good && rows->count > before)
        row_clear(&rows->row[--rows->count]);
    return good;
}
