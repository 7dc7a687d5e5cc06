/* proved_values.c - where proofs are (proved_values.h) */
#include "motion/proved_values.h"

#include <stdio.h>
#include <unistd.h>

bool proved_path(const struct case_desc *desc, char *path, int size)
{
    snprintf(path, (size_t)size, "%s/%s.proved", values_folder(desc), desc->name);
    return access(path, R_OK) == 0;
}
