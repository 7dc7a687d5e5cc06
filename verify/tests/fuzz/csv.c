/*
 * csv.c - fuzzing of tables that other programs have written: any bytes are rows, or are
 * refused at a line.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "foreign/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diagnosis diagnosis = {.status = OK};
    struct csv csv;
    char *text = memory_text((const char *)data, size);
    enum status status = csv_open(&csv, "fuzz.csv", text, size, 0, &diagnosis);
    for (int k = 0; status == OK && k < csv.columns; k++)
        csv.kind[k] = (enum csv_kind)(k % (CSV_WORD + 1));
    enum csv_step step = status == OK ? CSV_ROW : CSV_WRONG;
    while (step == CSV_ROW) {
        step = csv_next(&csv);
        for (int k = 0; step == CSV_ROW && k < csv.columns; k++)
            if (csv.field[k].length < 0 || csv.field[k].text < text
                || csv.field[k].text + csv.field[k].length > text + size)
                abort();
    }
    if (step == CSV_WRONG && (diagnosis.status != BAD_INPUT || !*diagnosis.place))
        abort();
    csv_close(&csv);
    free(text);
    return 0;
}
