/*
 * plugin.h - a formulation, an integrator, a jump rule or a case of one's own, as a
 * shared object.
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
 * Threads: several threads of saltus call the functions of one table at once, each with a
 * work space, a branch of the model or a jump of its own run. Tables are constant. A
 * plug-in keeps the data of a run in the work space that its `alloc` returns, not in
 * variables of the file.
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

/* Version of the face. The number is raised when a struct below keeps its size but
   changes its meaning, or when the list changes. */
enum { SALTUS_PLUGIN_ABI = 3 };

/* The types whose sizes must be equal in a plug-in and in the program that loads it. */
#define SALTUS_PLUGIN_STRUCTS(X) \
    X(formula) X(struct model) X(struct mode) X(struct event) X(struct parameter) \
    X(struct residual) X(struct unknown) X(struct formulation) \
    X(struct formulation_option) X(struct linear_method) X(struct projection) \
    X(struct integrator) X(struct ode) X(struct implicit_equations) X(struct jump) \
    X(struct jump_side) X(struct jump_column) X(struct jump_direction) \
    X(struct jump_rule) X(struct diagnosis) X(struct case_desc)

/* SALTUS_PLUGIN sets the first four members, the author the lists. */
struct saltus_plugin {
    int abi;                    /* SALTUS_PLUGIN_ABI; the first member in every version */
    int structs;                /* number of sizes */
    const size_t *size;         /* [structs] bytes, as in SALTUS_PLUGIN_STRUCTS */
    const char *name;           /* of letters, digits, '-', '_', '.' */
    /* Formulations, NULL-terminated; NULL: none. */
    const struct formulation *const *formulations;
    /* Integrators, NULL-terminated; NULL: none. */
    const struct integrator *const *integrators;
    /* Jump rules, NULL-terminated; NULL: none. */
    const struct jump_rule *const *jump_rules;
    /* Cases written with case.h, NULL-terminated; NULL: none. A mechanism that needs no C
       is a model file (file/model_file.h). */
    const struct case_desc *const *cases;
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
