/*
 * model.c - fuzzing of model files: any bytes are a model, or are refused at a place.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "file/opened.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A refusal has its reason; what is taken has a text that is taken, too. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diagnosis diagnosis = {.t = NAN};
    char *text = memory_text((const char *)data, size);
    struct document *document = document_read("fuzz.yaml", text, &diagnosis);
    struct opened *opened = document ? opened_new(document, &diagnosis) : NULL;
    struct model *model = opened ? model_new(&opened->desc, &diagnosis) : NULL;
    if (!model && (diagnosis.status != BAD_INPUT || strlen(diagnosis.place) < 10))
        abort();
    model_free(model);
    opened_free(opened);
    free(text);
    return 0;
}
