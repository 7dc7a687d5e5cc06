/*
 * closed_forms.h - closed forms evaluated for the request of a run.
 */
#ifndef SALTUS_CLOSED_FORMS_H
#define SALTUS_CLOSED_FORMS_H

#include "oracles/closed.h"
#include "solving.h"

/* By this form, wrong or right. */
static inline struct results *closed_by(struct solving *s, const struct closed_form *form)
{
    struct results *results;
    enum status status = closed_form_evaluate(form, &s->request, CLOSED_DIGITS, &results,
                                              &s->diagnosis);
    cr_assert_eq(status, OK, "%s: %s: %s", form->case_name, status_text(status),
                 s->diagnosis.place);
    return results;
}

/* By that of its case. */
static inline struct results *closed(struct solving *s)
{
    const struct closed_form *form = closed_form_find(s->model->desc->name);
    cr_assert_not_null(form);
    return closed_by(s, form);
}

#endif
