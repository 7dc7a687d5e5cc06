/*
 * rules.h - jump rules by name: those of the solver (formulations/hybrid/) and those that
 * are only judged: printed variants, mutants (judged_rules.h), one wrong term (terms.h).
 */
#ifndef SALTUS_RULES_H
#define SALTUS_RULES_H

#include "events/jump.h"

/* NULL: no such. The second one knows only those that are judged. */
const struct jump_rule *any_rule_find(const char *name);
const struct jump_rule *judged_rule_find(const char *name);
/* The names of all of them, at most `room`; returns how many. */
int any_rule_names(const char **name, int room);
/* The same for people: a pattern in place of the many rules of one wrong term. */
int rule_patterns(const char **name, int room);
/* Does the rule apply to any event of the model? If not, `why` says why not. */
bool rule_applies(const struct jump_rule *rule, const struct model *model,
                  const char **why);

#endif
