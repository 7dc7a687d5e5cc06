/*
 * export.h - a mechanism as source text of another language: `saltus export`.
 */
#ifndef SALTUS_EXPORT_H
#define SALTUS_EXPORT_H

#include "export/language.h"
#include "model.h"

/* The whole text of a file, malloc'ed: conventions, names, and functions for all
   quantities of the model and their first derivatives. It depends on the model, the
   language and the version of saltus alone. */
char *export_text(const struct model *model, const struct language *language);

#endif
