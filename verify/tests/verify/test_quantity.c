/* Keys of numbers (quantity/quantity.h): names are read as they are printed. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mechanisms/catalogue.h"
#include "model.h"
#include "quantity/quantity.h"

static void expect_printed(const char *name, const char *printed)
{
    char text[QUANTITY_NAME];
    struct quantity quantity = quantity_parse(name);
    quantity_print(&quantity, text, sizeof text);
    cr_expect_str_eq(text, printed, "%s is printed as %s", name, text);
}

Test(quantity, has_the_name_that_it_was_read_from)
{
    static const char *const names[] = {
        "q.x2", "dq.x2/dL01", "lambda.1", "dlambda.12/dL01", "dq.x2/d(w)", "psi.work",
        "dpsi.work/dL01", "event.3.t", "event.12.dt/dL01", "before.3.v.y",
        "after.3.dv.y/dL01", "stage.a.x2", "dstage.lambda.1/dL01", "twin.v.reach",
        "dtwin.reach/dg", "guard.hit", "guard.hit/dL01", "run.a.x2/dL01",
        "event.2.condition", "|Phi|", "energy of an arc", "series", "t", "dt/dL01",
        "before.2.dpsi.work/dL01", "start.q.x", "event.0.t", "event.x.t", "after.", "d",
        "", "/d", "after.3"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        expect_printed(names[k], names[k]);
}

Test(quantity, after_an_event_is_read_under_its_old_name_too)
{
    expect_printed("jump.3.dq.x2/dL01", "after.3.dq.x2/dL01");
    cr_expect(quantity_is_old_name("jump.3.q.x"));
    cr_expect_not(quantity_is_old_name("after.3.q.x"));
    cr_expect_not(quantity_is_old_name("jump.q.x"));
    cr_expect_not(quantity_is_old_name("q.jump.3.x"));
}

static void expect_parts(const char *name, const char *history, const char *group,
                         const char *word, const char *place)
{
    char text[QUANTITY_NAME];
    struct quantity quantity = quantity_parse(name);
    quantity_history(&quantity, text, sizeof text);
    cr_expect_str_eq(text, history);
    quantity_group(&quantity, text, sizeof text);
    cr_expect_str_eq(text, group);
    quantity_word(&quantity, text, sizeof text);
    cr_expect_str_eq(text, word);
    quantity_place(&quantity, 1.5, text, sizeof text);
    cr_expect_str_eq(text, place);
}

Test(quantity, knows_what_it_is_followed_by_and_measured_with)
{
    expect_parts("q.x2", "q.x2", "q", "q", "t = 1.5: q.x2");
    expect_parts("before.2.dz.work/dg", "dz.work/dg", "dz.work/dg", "dz",
                 "event 2: dz.work/dg before");
    expect_parts("after.2.dlambda.1/dg", "dlambda.1/dg", "dlambda/dg", "dlambda",
                 "event 2: dlambda.1/dg after");
    expect_parts("event.2.t", "event.t", "event.t", "t", "event 2: t");
    expect_parts("event.2.dt/dg", "dt/dg", "dt/dg", "dt", "event 2: dt/dg");
    expect_parts("dstage.a.x2/dg", "dstage.a.x2/dg", "dstage.a/dg", "dstage",
                 "t = 1.5: dstage.a.x2/dg");
    expect_parts("guard.hit/dg", "guard.hit/dg", "dguard.hit/dg", "dguard",
                 "t = 1.5: guard.hit/dg");
}

/* No two columns of any case share a key, and each has the name of its column. */
Test(quantity, of_a_column_has_its_name)
{
    for (int k = 0; catalogue[k]; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        struct model *model = model_new(catalogue[k], &diagnosis);
        struct columns columns;
        int parameter[64];
        cr_assert_not_null(model);
        cr_assert_lt(model->p, 64);
        int p = model_sensitivities(model, parameter);
        columns_init(&columns, model, p, parameter);
        for (int c = 0; c < columns.count; c++) {
            char name[QUANTITY_NAME], text[QUANTITY_NAME];
            enum column_group group;
            int i, j;
            struct quantity quantity = quantity_of_column(&columns, c);
            column_parts(&columns, c, &group, &i, &j);
            column_name(&columns, c, name, sizeof name);
            quantity_print(&quantity, text, sizeof text);
            cr_expect_str_eq(text, name);
            cr_expect_eq((int)quantity.kind, (int)group, "%s", name);
            cr_expect_str_eq(quantity.by, j < 0 ? "" : column_parameter(&columns, j));
            cr_expect_eq(quantity_column(&columns, name), c, "%s", name);
        }
        cr_expect_eq(quantity_column(&columns, "q.nowhere"), -1);
        model_free(model);
    }
}
