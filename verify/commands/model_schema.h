/*
 * model_schema.h - the JSON Schema of model files, for editors: `saltus new --schema`.
 */
#ifndef SALTUS_MODEL_SCHEMA_H
#define SALTUS_MODEL_SCHEMA_H

/* The schema (draft 2020-12) of the keys in cases/file/keys.def, to be freed. Editors
   check by it names of keys and the kinds of their values, not formulas. */
char *model_schema(void);

#endif
