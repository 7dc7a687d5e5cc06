/*
 * plugin.h - a formulation, an integrator or a jump rule of one's own, as a shared
 * object.
 *
 * The shared object exports one `saltus_plugin`, which SALTUS_PLUGIN writes:
 *
 *     SALTUS_PLUGIN(mine,
 *         .formulations = (const struct formulation *const []){&f, NULL});
 *
 *     cc -shared -fPIC $(pkg-config --cflags saltus) mine.c -o mine.so
 *     saltus verify five-bar --plugin ./mine.so --formulation NAME
 *
 * All functions declared in the installed headers of cases/ and formulations/ (add, mul,
 * residual_new, jump_guard, ...) are found in the program that loads the plug-in. The
 * program exports no other function. Functions of the plug-in should be static: where a
 * global one has the symbol of an exported one, the exported one is called.
 *
 * Threads: saltus runs with several threads, and calls the functions of one table from
 * several of them at once, each time with a work space, a branch of the model or a jump
 * of that run. Tables are constant. A plug-in keeps what a run needs in the work space
 * that its `alloc` returns, not in variables of the file.
 *
 * A complete example stands in formulations/README.md.
 */
#ifndef SALTUS_PLUGIN_H
#define SALTUS_PLUGIN_H

#include "events/jump.h"
#include "formulation.h"
#include "integrators/integrator.h"
#include "linear/linear.h"
#include "projection/projection.h"

/* Raised when a struct below keeps its size but changes its meaning, or the list itself
   changes. */
enum { SALTUS_PLUGIN_ABI = 2 };

/* What a plug-in and the program that loads it must agree on: sizes are compared. */
#define SALTUS_PLUGIN_STRUCTS(X) \
    X(formula) X(struct model) X(struct mode) X(struct event) X(struct parameter) \
    X(struct residual) X(struct unknown) X(struct formulation) \
    X(struct formulation_option) X(struct linear_method) X(struct projection) \
    X(struct integrator) X(struct ode) X(struct implicit_equations) X(struct jump) \
    X(struct jump_side) X(struct jump_column) X(struct jump_direction) \
    X(struct jump_rule) X(struct diagnosis)

struct saltus_plugin {
    int abi;                    /* first in every version */
    int structs;                /* sizes in the order of SALTUS_PLUGIN_STRUCTS */
    const size_t *size;
    const char *name;           /* letters, digits, '-', '_', '.' */
    /* each NULL, or ends with NULL */
    const struct formulation *const *formulations;
    const struct integrator *const *integrators;
    const struct jump_rule *const *jump_rules;
};

#define SALTUS_SIZE_OF_(type) sizeof(type),
#define SALTUS_COUNT_(type) + 1
#define SALTUS_PLUGIN(id, ...) \
    extern const struct saltus_plugin saltus_plugin; \
    __attribute__((visibility("default"))) const struct saltus_plugin saltus_plugin = { \
        .abi = SALTUS_PLUGIN_ABI, .structs = 0 SALTUS_PLUGIN_STRUCTS(SALTUS_COUNT_), \
        .size = (const size_t[]){SALTUS_PLUGIN_STRUCTS(SALTUS_SIZE_OF_)}, .name = #id, \
        __VA_ARGS__}

#endif
