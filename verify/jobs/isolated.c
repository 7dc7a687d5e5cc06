/*
 * isolated.c - jobs that call code of a plug-in, each in a child (isolated.h)
 */
#include "jobs/isolated.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "faults/rules.h"
#include "jobs/child.h"
#include "jobs/row_serialisation.h"
#include "plugins/registry.h"

struct isolated {
    struct child *child;                    /* NULL: it could not be made */
    int error;                              /* errno of the call that failed */
    const struct isolated_kind *kind;
    void (*work)(struct task *task);        /* task->run as it was before */
    char who[80];
    double timeout;
    double *done;                           /* fraction done, in shared memory: the child
                                               writes, the thread reads */
};

/* --- in the child ------------------------------------------------------------------- */

static void work_in_child(void *context, FILE *answer)
{
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    struct task *task = context;
    task->lock = &own;
    task->mirror = task->isolated->done;
    task->to = 1;
    task->isolated->work(task);
    task->isolated->kind->write(task, answer);
}

/* --- here --------------------------------------------------------------------------- */

static void tick(void *context)
{
    struct task *task = context;
    task_progress(task, *task->isolated->done);
}

static void run_isolated(struct task *task)
{
    struct isolated *isolated = task->isolated;
    struct diagnosis diagnosis = {.t = NAN};
    const struct child_request request = {
        .who = isolated->who, .timeout = isolated->timeout, .set_by = "--timeout",
        .tick = tick, .tick_context = task};
    char *text = NULL;
    size_t length = 0;
    enum status status =
        isolated->child ? child_finish(isolated->child, &request, &text, &length,
                                       &diagnosis)
                        : diagnose(&diagnosis, CRASHED, NAN, "no process for %s: %s",
                                   isolated->who, strerror(isolated->error));
    if (status == OK && !isolated->kind->read(task, text, length))
        status = diagnose(&diagnosis, BAD_ANSWER, NAN, "%s left results that cannot be "
                          "read", isolated->who);
    if (status != OK)
        isolated->kind->refuse(task, &diagnosis);
    free(text);
    munmap(isolated->done, sizeof *isolated->done);
    free(isolated);
    task->isolated = NULL;
}

void isolated_task(struct task *task, const struct isolated_kind *kind,
                   const char *plugin, double timeout)
{
    struct isolated *isolated = memory_new(1, sizeof *isolated);
    *isolated = (struct isolated){.kind = kind, .work = task->run, .timeout = timeout};
    snprintf(isolated->who, sizeof isolated->who, "plug-in %.60s", plugin);
    isolated->done = mmap(NULL, sizeof *isolated->done, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (isolated->done == MAP_FAILED)
        slip("no shared memory: %s", strerror(errno));
    task->isolated = isolated;
    task->run = run_isolated;
    isolated->child = child_new(work_in_child, task);
    isolated->error = errno;
}

const char *isolated_owner(const struct formulation *formulation,
                           const struct integrator *integrator,
                           const struct jump_rule *rule)
{
    const char *owner = registry_owner(formulation);
    if (!owner)
        owner = registry_owner(integrator);
    return owner ? owner : registry_owner(rule);
}

/* --- jobs of verify ----------------------------------------------------------------- */

static void write_job(const struct task *task, FILE *stream)
{
    rows_write(&((const struct job *)task)->rows, stream);
}

static bool read_job(struct task *task, const char *text, size_t length)
{
    size_t used = 0;
    return rows_read(&((struct job *)task)->rows, text, length, &used) &&
           used == length;
}

static void refuse_job(struct task *task, const struct diagnosis *diagnosis)
{
    judge_refused((struct job *)task, "-", diagnosis);
}

void isolated_jobs(struct job *const *job, int count, const struct jump_rule *rule,
                   double timeout)
{
    static const struct isolated_kind kind = {write_job, read_job, refuse_job};
    for (int k = 0; k < count; k++) {
        const char *plugin = isolated_owner(job[k]->formulation,
                                            job[k]->settings->integrator, rule);
        if (plugin && !job[k]->is_reference)
            isolated_task(&job[k]->task, &kind, plugin, timeout);
    }
}

/* --- a question --------------------------------------------------------------------- */

struct question {
    const struct jump_rule *rule;
    const struct model *model;
};

static void ask(void *context, FILE *answer)
{
    const struct question *question = context;
    const char *why = "";
    bool applies = rule_applies(question->rule, question->model, &why);
    fprintf(answer, "%d%s", applies, why ? why : "");
}

bool isolated_rule_applies(const struct jump_rule *rule, const struct model *model,
                           double timeout, char *why, int size)
{
    const char *reason = "", *plugin = registry_owner(rule);
    bool applies;
    char *text = NULL;
    size_t length = 0;
    if (!plugin) {
        applies = rule_applies(rule, model, &reason);
        snprintf(why, (size_t)size, "%s", reason);
        return applies;
    }
    struct question question = {rule, model};
    struct child *child = child_new(ask, &question);
    const struct child_request request = {.who = plugin, .timeout = timeout};
    enum status status = child ? child_finish(child, &request, &text, &length, NULL)
                               : CRASHED;
    applies = status != OK || text[0] != '0';
    snprintf(why, (size_t)size, "%s", status == OK && length > 0 ? text + 1 : "");
    free(text);
    return applies;
}
