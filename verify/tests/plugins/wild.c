/*
 * wild.c - a plug-in of test_plugin.c: everything that code of others may do.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "plugin.h"

#define ARGUMENTS const struct model *model, const struct mode *mode, \
                  const char *const *value, struct diagnosis *diagnosis

/* The residual of index1: what is done to it is what is wrong. */
static struct residual *index1(ARGUMENTS)
{
    return formulation_find("index1")->residual(model, mode, value, diagnosis);
}

static struct residual *crash(ARGUMENTS)
{
    volatile int *nowhere = NULL;
    *nowhere = 1;
    return index1(model, mode, value, diagnosis);
}

static struct residual *hang(ARGUMENTS)
{
    for (;;)
        pause();
    return index1(model, mode, value, diagnosis);
}

static struct residual *leave(ARGUMENTS)
{
    fputs("so long\n", stderr);
    exit(0);
    return index1(model, mode, value, diagnosis);
}

/* A process in a session of its own, which no signal to a group reaches. */
static struct residual *session(ARGUMENTS)
{
    if (fork() == 0) {
        setsid();
        execlp("sleep", "sleep", "47.25", (char *)NULL);
        _exit(1);
    }
    return index1(model, mode, value, diagnosis);
}

/* Nothing that ends a process politely ends this one. */
static struct residual *deaf(ARGUMENTS)
{
    for (int k = 1; k < NSIG; k++)
        signal(k, SIG_IGN);
    for (;;)
        pause();
    return index1(model, mode, value, diagnosis);
}

/* In every process that has it loaded and ends by exit(). */
#ifdef CRASH_AT_THE_END
__attribute__((destructor)) static void crash_at_the_end(void)
{
    abort();
}
#endif

#ifdef HANG_WHEN_LOADED
__attribute__((constructor)) static void hang_when_loaded(void)
{
    for (;;)
        pause();
}
#endif

/* Descriptor 3 is where the answer goes. */
static struct residual *scribble(ARGUMENTS)
{
    if (write(3, "nonsense", 8) != 8)
        abort();
    return index1(model, mode, value, diagnosis);
}

static struct residual *nothing(ARGUMENTS)
{
    (void)model;
    (void)mode;
    (void)value;
    (void)diagnosis;
    return NULL;
}

static struct residual *twice(ARGUMENTS)
{
    struct residual *residual = index1(model, mode, value, diagnosis);
    residual->unknown[1] = residual->unknown[0];
    return residual;
}

/* A force that is nowhere in the model. */
static struct residual *damped(ARGUMENTS)
{
    struct residual *residual = index1(model, mode, value, diagnosis);
    formula force = mul(constant(model->tape, "1e-6"), variable(model->tape, BLOCK_V, 0));
    residual->R[0] = add(residual->R[0], force);
    return residual;
}

/* A number that does not exist. */
static struct residual *undefined(ARGUMENTS)
{
    struct residual *residual = index1(model, mode, value, diagnosis);
    formula square = power(variable(model->tape, BLOCK_Q, 0), 2);
    residual->R[0] = add(residual->R[0], apply(OP_LOG, negate(square)));
    return residual;
}

#define WILD(id) \
    static const struct formulation formulation_##id = { \
        .name = "w-" #id, .title = "test", .source = "test", .kind = ALGEBRAIC, \
        .capabilities = TAKES_CONSTRAINTS | KEEPS_CONSTRAINTS, .residual = id};
WILD(crash)
WILD(hang)
WILD(leave)
WILD(deaf)
WILD(session)
WILD(scribble)
WILD(nothing)
WILD(twice)
WILD(damped)
WILD(undefined)

/* --- jump rules --------------------------------------------------------------------- */

static enum status nan_tau(const struct jump *jump, int parameter,
                           const struct jump_column *before, double *tau)
{
    (void)jump;
    (void)parameter;
    (void)before;
    *tau = NAN;
    return OK;
}

static enum status infinite_jump(const struct jump *jump, int parameter,
                                 const struct jump_column *before, double tau,
                                 struct jump_column *after)
{
    enum status status = saltation_apply(jump, parameter, before, tau, after);
    after->Lambda[0] = INFINITY;
    after->A[0] = NAN;
    return status;
}

static enum status no_status(const struct jump *jump, int parameter,
                             const struct jump_column *before, double tau,
                             struct jump_column *after)
{
    saltation_apply(jump, parameter, before, tau, after);
    return (enum status)4711;
}

static bool crash_when_asked(const struct event *event, const char **why)
{
    (void)event;
    (void)why;
    abort();
}

#define RULE(id, ...) \
    static const struct jump_rule rule_##id = { \
        .name = "w-" #id, .title = "test", .source = "test", __VA_ARGS__};
RULE(nan, .tau = nan_tau, .apply = saltation_apply)
RULE(infinite, .tau = saltation_tau, .apply = infinite_jump)
RULE(status, .tau = saltation_tau, .apply = no_status)
RULE(applies, .applies = crash_when_asked, .tau = saltation_tau, .apply = saltation_apply)

SALTUS_PLUGIN(wild,
    .formulations = (const struct formulation *const []){
        &formulation_crash, &formulation_hang, &formulation_leave, &formulation_deaf,
        &formulation_session, &formulation_scribble,
        &formulation_nothing, &formulation_twice, &formulation_damped,
        &formulation_undefined, NULL},
    .jump_rules = (const struct jump_rule *const []){
        &rule_nan, &rule_infinite, &rule_status, &rule_applies, NULL});
