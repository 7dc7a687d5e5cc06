/*
 * show_equations.c - for `saltus show`: M, F, Phi and rates of every mode, as formulas.
 */
#include <stdio.h>

#include "commands/show.h"
#include "tables/report.h"

/* More coordinates fill pages: `saltus problem` writes all of them for programs. */
enum { MOST_SHOWN = 24, TEXT = SHOW_TEXT };

static void print_formula(const struct model *model, const char *name, formula f)
{
    char text[TEXT];
    formula_print(f, model->names, text, sizeof text);
    printf("  %-14s %s\n", name, text);
}

/* Prints "F.x = ..." for every formula that is not zero. */
static void print_array(const struct model *model, const char *prefix, const formula *f,
                        char *const *of, int count)
{
    char name[80];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s.%.60s =", prefix, of[i]);
        if (!is_zero(f[i]))
            print_formula(model, name, f[i]);
    }
}

/* Prints one half of M, which is symmetric. */
static void print_mass(const struct model *model, const struct mode *mode)
{
    char name[160];
    for (int i = 0; i < model->n; i++)
        for (int j = i; j < model->n; j++) {
            snprintf(name, sizeof name, "M.%.60s.%.60s =", model->coordinate[i],
                     model->coordinate[j]);
            if (!is_zero(mode->M[i][j]))
                print_formula(model, name, mode->M[i][j]);
        }
}

static void print_constraints(const struct model *model, const struct mode *mode)
{
    char name[40];
    for (int i = 0; i < mode->m; i++) {
        snprintf(name, sizeof name, "%s.%d =", mode->velocity_level[i] ? "Phid" : "Phi",
                 i + 1);
        print_formula(model, name, mode->Phi[i]);
    }
}

void show_equations(const struct model *model)
{
    for (int k = 0; k < model->modes; k++) {
        const struct mode *mode = model->mode[k];
        printf("\n%smode %s%s: M a%s = F%s\n", colour_on(stdout, BOLD), mode->name,
               colour_off(stdout), mode->m > 0 ? " + Phi_q' lambda" : "",
               mode->m > 0 ? ", Phi = 0; what is not there is zero"
                           : "; what is not there is zero");
        if (model->n > MOST_SHOWN) {
            printf("  %d coordinates; `saltus problem %s` writes their equations\n",
                   model->n, model->desc->name);
            continue;
        }
        print_mass(model, mode);
        print_array(model, "F", mode->F, model->coordinate, model->n);
        print_constraints(model, mode);
        print_array(model, "d/dt", mode->f_s, model->auxiliary, model->ns);
        if (model->modes > 1)
            print_array(model, "g", mode->g, model->cost, model->nz);
    }
}

void show_impulses(const struct model *model, const struct event *event)
{
    for (int i = 0; i < event->impulses; i++) {
        char Psi[TEXT], E[TEXT];
        formula_print(event->Psi[i], model->names, Psi, sizeof Psi);
        formula_print(event->E[i], model->names, E, sizeof E);
        printf("      Psi.%d = %s, restitution %s\n", i + 1, Psi, E);
    }
}
