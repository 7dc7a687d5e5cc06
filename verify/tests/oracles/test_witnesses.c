/* Who would see a wrong force, inertia or reset of a case (cross_checks.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "case.h"
#include "mechanisms/catalogue.h"
#include "oracles/cross_checks.h"
#include "running.h"

TestSuite(witnesses, .init = make_folder, .fini = remove_folder);

static const struct case_desc *find(const char *name)
{
    for (int k = 0; catalogue[k]; k++)
        if (strcmp(catalogue[k]->name, name) == 0)
            return catalogue[k];
    return NULL;
}

static void expect_witnesses(const char *name, const char *force, const char *reset)
{
    struct diagnosis diagnosis;
    char text[80];
    struct model *model = model_new(find(name), &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    struct cross_checks found = cross_checks_of(model, false);
    cross_checks_text(found.force, text, sizeof text);
    cr_expect_str_eq(text, force, "%s", name);
    cross_checks_text(found.reset, text, sizeof text);
    cr_expect_str_eq(text, reset, "%s", name);
    model_free(model);
}

Test(witnesses, are_those_that_do_not_take_the_case_for_true)
{
    expect_witnesses("bouncing-ball", "closed-form, energy", "closed-form");
    expect_witnesses("swing-load", "twin, energy", "twin");
    expect_witnesses("compass-gait", "published", "published");
    expect_witnesses("latch-redundant", "energy", "-");
    expect_witnesses("event-algebra", "-", "closed-form");
}

/* The same T makes M, F and the energy: that one sees nothing. */
static void record_of_energies(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(m);
    NOMINAL(m, 1, "kg", "mass");
    model->pen->T = EQ(m*vx*vx/2);
    model->pen->V = EQ(m*x*x/2);
    model->energy = add(model->pen->T, model->pen->V);
    model->q0[0] = EQ(m);
    model->v0[0] = EQ(0*m);
    model->t_end = EQ(1);
}

Test(witnesses, an_energy_that_M_and_F_were_made_of_is_none)
{
    const struct case_desc desc = {.name = "made", .record = record_of_energies};
    struct diagnosis diagnosis;
    struct model *model = model_new(&desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    cr_expect_eq(cross_checks_of(model, false).force, 0);
    cr_expect_eq(cross_checks_of(model, true).inertia, CROSS_CHECK_TWIN);
    model_free(model);
}

/* A case without one would fall short, as "nobody". */
Test(witnesses, each_case_with_numbers_has_one_for_all_that_it_states)
{
    cr_expect_eq(run_command("list --witnesses"), HELD);
    char *out = contents("out");
    cr_expect_null(strstr(out, "nobody"), "%s", out);
    cr_expect_not_null(strstr(out, "swing-load-angle"), "%s", out);
    free(out);
}

/* Thirty impacts, the last of them 1e-9 s apart: MPFR has them all, complex step says
   that it cannot, and nobody says Zeno. */
Test(witnesses, of_impacts_that_a_condition_ends_say_no_zeno)
{
    write_file("counted.yaml",
               "coordinates: [y]\nauxiliary: [n]\nparameters: {g: {nominal: 9.81}, "
               "h: {nominal: 1}, e: {nominal: 0.5}}\n"
               "modes: {A: {M: {y: {y: 1}}, F: {y: -g}}}\nevents:\n"
               "  hit: {guard: y, direction: falling, conditions: [29.5 - n], "
               "reset: {vy_plus: -e*vy, n_plus: n + 1}}\n"
               "initial: {state: {y: h, vy: 0, n: 0}}\nend: 2\n");
    expect_run("certify counted.yaml", HELD, "out", "30 events");
    expect_run("verify counted.yaml", HELD, "out", "complex step does not tell the "
               "events hit apart any more");
    expect_run("verify counted.yaml", HELD, "out", "4 rows passed, 0 failed");
}
