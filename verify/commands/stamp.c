/*
 * stamp.c - fingerprints and checksums written into certified files (stamp.h)
 */
#include "commands/stamp.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/setup.h"
#include "file/model_file.h"
#include "mechanisms/catalogue.h"
#include "motion/reference_motion.h"
#include "reference.h"

/* Is it the name of a file of the case: "five-bar.ref",
   "five-bar.penalty-173b3c49.ref"? */
static bool is_file_of(const char *name, const char *case_name)
{
    size_t length = strlen(case_name), all = strlen(name);
    return all >= length + 4 && strncmp(name, case_name, length) == 0 &&
           name[length] == '.' && strcmp(name + all - 4, ".ref") == 0;
}

/* The reset policy that the header of the file names. */
static enum reset_policy policy_of(const char *path)
{
    char line[400], continuous[40];
    enum reset_policy policy = RESET_IMPULSIVE;
    FILE *file = fopen(path, "r");
    snprintf(continuous, sizeof continuous, "reset %s\n",
             reset_policy_text[RESET_CONTINUOUS]);
    for (int k = 0; file && k < 10 && fgets(line, sizeof line, file); k++)
        if (strcmp(line, continuous) == 0)
            policy = RESET_CONTINUOUS;
    if (file)
        fclose(file);
    return policy;
}

static bool stamp_file(const struct args *args, const struct case_desc *desc,
                       const char *path)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = model_new_with(desc, policy_of(path), &diagnosis);
    enum status status = model ? certificate_stamp(path, model, &diagnosis) : BAD_INPUT;
    if (status == OK)
        printf("%s: formulas %016" PRIx64 "\n", path, model->fingerprint);
    else
        complain_refusal(args, path, &diagnosis);
    model_free(model);
    return status == OK;
}

/* Stamps the files of the case in the folder, and returns how many there are; -1: one
   could not be stamped. */
static int stamp_case(const struct args *args, const struct case_desc *desc,
                      const char *folder)
{
    struct dirent **entry;
    int entries = scandir(folder, &entry, NULL, alphasort), files = 0;
    bool good = true;
    for (int k = 0; k < entries; k++) {
        char path[1400];
        snprintf(path, sizeof path, "%s/%s", folder, entry[k]->d_name);
        if (is_file_of(entry[k]->d_name, desc->name)) {
            good = stamp_file(args, desc, path) && good;
            files++;
        }
        free(entry[k]);
    }
    if (entries >= 0)
        free(entry);
    return good ? files : -1;
}

enum exit_status stamp_values(const struct args *args, const struct case_desc **desc,
                              int cases)
{
    enum exit_status status = EXIT_HELD;
    for (int k = 0; k < cases; k++) {
        const char *folder = args_text(args, OPTION_DIRECTORY, values_folder(desc[k]));
        int files = stamp_case(args, desc[k], folder);
        if (files == 0 && args->operands > 0)
            return complain(args, "%s: no certified values there; saltus certify %s",
                            folder, case_word(desc[k]));
        if (files < 0)
            status = EXIT_SHORT;
    }
    return status;
}
