/*
 * rules.c - jump rules looked up by name (rules.h)
 */
#include "faults/rules.h"

#include <string.h>

#include "faults/judged_rules.h"
#include "faults/terms.h"

const struct jump_rule *judged_rule_find(const char *name)
{
    for (int k = 0; judged_rules[k]; k++)
        if (strcmp(judged_rules[k]->name, name) == 0)
            return judged_rules[k];
    for (int k = 0; term_rules[k].rule.name; k++)
        if (strcmp(term_rules[k].rule.name, name) == 0)
            return &term_rules[k].rule;
    return NULL;
}

const struct jump_rule *any_rule_find(const char *name)
{
    const struct jump_rule *rule = jump_rule_find(name);
    return rule ? rule : judged_rule_find(name);
}

static int table_names(const char **name, int room)
{
    int count = 0;
    for (int k = 0; jump_rules[k] && count < room; k++)
        name[count++] = jump_rules[k]->name;
    for (int k = 0; judged_rules[k] && count < room; k++)
        name[count++] = judged_rules[k]->name;
    return count;
}

int any_rule_names(const char **name, int room)
{
    int count = table_names(name, room);
    for (int k = 0; term_rules[k].rule.name && count < room; k++)
        name[count++] = term_rules[k].rule.name;
    return count;
}

int rule_patterns(const char **name, int room)
{
    static const char *const of_terms[] = {"no-TERM", "minus-TERM", "twice-TERM",
                                           "half-TERM (saltus list --rules)"};
    int count = table_names(name, room);
    for (size_t k = 0; k < sizeof of_terms / sizeof *of_terms && count < room; k++)
        name[count++] = of_terms[k];
    return count;
}

bool rule_applies(const struct jump_rule *rule, const struct model *model,
                  const char **why)
{
    for (int k = 0; k < model->events; k++)
        if (!rule->applies || rule->applies(model->event[k], why))
            return true;
    return false;
}
