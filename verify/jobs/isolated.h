/*
 * isolated.h - tasks that call code of a plug-in are done in processes of their own.
 *
 * A task is copied into a waiting child before any thread runs (child.h). When its turn
 * comes, a thread lets the child work and takes over what it has found; when the child
 * crashes, hangs or answers nonsense, only this task is refused.
 */
#ifndef SALTUS_ISOLATED_H
#define SALTUS_ISOLATED_H

#include <stdio.h>

#include "jobs/judge.h"
#include "jobs/pool.h"

/* How the results of a kind of task are carried over. */
struct isolated_kind {
    void (*write)(const struct task *task, FILE *stream);       /* called in the child */
    bool (*read)(struct task *task, const char *text, size_t length);
    void (*refuse)(struct task *task, const struct diagnosis *diagnosis);
};

/* From now on task->run is done in a child; `plugin` is named in diagnoses, `timeout` in
   seconds. To be called by the main thread, before pool_run. */
void isolated_task(struct task *task, const struct isolated_kind *kind,
                   const char *plugin, double timeout);

/* The plug-in that a formulation, integrator or rule comes with, of the first that comes
   with any; NULL: none of them does. Each may be NULL. */
const char *isolated_owner(const struct formulation *formulation,
                           const struct integrator *integrator,
                           const struct jump_rule *rule);

/* Isolates the solutions of `saltus verify` that call code of a plug-in. */
void isolated_jobs(struct job *const *job, int count, const struct jump_rule *rule,
                   double timeout);

/* Does the rule apply to any event of the model? Asked in a child when the rule comes
   with a plug-in; true when that fails, so that its row says how. */
bool isolated_rule_applies(const struct jump_rule *rule, const struct model *model,
                           double timeout, char *why, int size);

#endif
