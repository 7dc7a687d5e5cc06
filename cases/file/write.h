/*
 * write.h - a case as a model file: `saltus show --yaml`.
 */
#ifndef SALTUS_FILE_WRITE_H
#define SALTUS_FILE_WRITE_H

#include "model.h"

/* The YAML text of a case, to be freed: read back, it has the formulas of the case and
   with them its fingerprint. Energies and forces stand as the case has written them, as
   do its abbreviations. NULL after a refusal, as model_new. */
char *model_file_text(const struct case_desc *desc, struct diagnosis *diagnosis);

#endif
