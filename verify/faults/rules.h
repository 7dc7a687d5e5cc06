/*
 * rules.h - jump rules by name: those of the solver (formulations/events/) and those that
 * are only judged: printed variants, mutants (judged_rules.h), one wrong term (terms.h).
 */
#ifndef SALTUS_RULES_H
#define SALTUS_RULES_H

#include "events/jump.h"

/* The rule of this name, of the solver or judged; NULL: there is none. */
const struct jump_rule *any_rule_find(const char *name);
/* The rule of this name that is only judged; NULL: there is none. */
const struct jump_rule *judged_rule_find(const char *name);
/* The names of all rules, at most `room`; returns how many. */
int any_rule_names(const char **name, int room);
/* Names for people: a pattern stands for the many rules of one wrong term. */
int rule_patterns(const char **name, int room);
/* Does the rule apply to any event of the model? If not, `why` says why not. */
bool rule_applies(const struct jump_rule *rule, const struct model *model,
                  const char **why);

#endif
