/*
 * model_texts.h - models of model files, and of texts as files of their own.
 */
#ifndef SALTUS_MODEL_TEXTS_H
#define SALTUS_MODEL_TEXTS_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/model_file.h"

/* Parameters m, k, c, L, J, g, w, which are 1, time t, and the end 1.0: three lines. */
#define NOMINAL_TEXT \
    "time: t\nend: 1.0\n" \
    "parameters: {m: 1, k: 1, c: 1, L: 1, J: 1, g: 1, w: 1}\n"

/* The completed model of a file; NULL after a refusal. */
static inline struct model *model_of(const char *path, struct diagnosis *diagnosis)
{
    *diagnosis = (struct diagnosis){.t = NAN};
    const struct case_desc *desc = case_open(path, diagnosis);
    return desc ? model_new(desc, diagnosis) : NULL;
}

/* The model of a text in a file of its own. */
static inline struct model *model_of_text(const char *text, struct diagnosis *diagnosis)
{
    char path[] = "/tmp/saltus-elements-XXXXXX.yaml";
    int file = mkstemps(path, 5);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    struct model *model = model_of(path, diagnosis);
    unlink(path);
    return model;
}

#endif
