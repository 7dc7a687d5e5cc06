/* source_report.c - the faults of source.def as a table (source_report.h). */
#include "mutants/source_report.h"

#include <string.h>

static bool named(const char *name, const char *const *names, int count)
{
    bool found = count == 0;
    for (int k = 0; k < count; k++)
        found = found || strcmp(names[k], name) == 0;
    return found;
}

static void print_result(FILE *stream, const struct source_fault *fault,
                         const struct source_result *result)
{
    static const char *const fate[] = {[SOURCE_NOT_JUDGED] = "NOT JUDGED",
                                       [SOURCE_UNSEEN] = "NOT SEEN",
                                       [SOURCE_SEEN] = "seen"};
    fprintf(stream, "%-26s %s\n", fault->name, fault->what);
    fprintf(stream, "  %-10s by %s; must be by %s%s%s%s\n", fate[result->fate],
            *result->seen ? result->seen : "nobody", fault->seen_by,
            fault->values == REMADE ? "; values made by the faulty build" : "",
            *result->why ? ": " : "", result->why);
    fflush(stream);
}

bool source_report(FILE *stream, const char *tree, const char *folder,
                   const char *const *name, int names, int threads)
{
    char why[SOURCE_TEXT];
    struct source_copy copy;
    int count[SOURCE_SEEN + 1] = {0}, all = 0;
    if (source_tree(tree) && source_check(tree, stream) > 0)
        return false;
    bool made = source_copy_make(&copy, tree, folder, threads, why);
    for (int k = 0; made && k < source_fault_count; k++) {
        struct source_result result;
        if (!named(source_faults[k].name, name, names))
            continue;
        source_judge(&copy, &source_faults[k], &result);
        print_result(stream, &source_faults[k], &result);
        count[result.fate]++;
        all++;
    }
    if (!made)
        fprintf(stream, "nothing could be judged: %s\n", why);
    else
        source_copy_remove(&copy);
    fprintf(stream, "\nsource faults: %d of %d seen, %d not seen, %d not judged%s.\n",
            count[SOURCE_SEEN], all, count[SOURCE_UNSEEN], count[SOURCE_NOT_JUDGED],
            all == 0 ? ": this falls short" : "");
    return all > 0 && count[SOURCE_SEEN] == all;
}
