#include "catalogue.h"

#include <string.h>

#define CASE(id) extern const struct case_desc case_##id;
#define CASE_OF_ELEMENTS(id) CASE(id)
#include "catalogue.def"
#undef CASE

const struct case_desc *const catalogue[] = {
#define CASE(id) &case_##id,
#include "catalogue.def"
#undef CASE
#undef CASE_OF_ELEMENTS
    NULL
};

const struct case_desc *case_find(const char *name)
{
    for (int k = 0; catalogue[k]; k++)
        if (strcmp(catalogue[k]->name, name) == 0)
            return catalogue[k];
    return NULL;
}

bool case_is_refused(const struct case_desc *desc)
{
    return desc->classes && strstr(desc->classes, "simultaneous");
}
