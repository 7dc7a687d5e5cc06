/*
 * certificate.h - what writing and reading certified values share.
 *
 * The file is text, one item a line, the same in every locale:
 *
 *     saltus certified values 1
 *     case bouncing-ball
 *     ...                                header, in the order of certificate_write.c
 *     sample 1 flight 0.5                number, mode, time; then a line for each column
 *     q.y 48.775 73                      name, value, digits agreed
 *     ...
 *     event 1 impact 3.19438...  73      number, name, time, digits agreed
 *     dt/dg -0.16297... 38
 *     condition 1.2e7                    of the time and its derivatives, where the event
 *                                        is near grazing (condition.h)
 *     before flight                      columns before, then
 *     after flight                       columns after
 *     end                                costs at the end
 *     psi.height 296.857... 73
 *     dpsi.height/dg ...
 *     complete
 *
 * Instead of order and all that follows it, where there are no numbers:
 *
 *     refused grazing 1.25 34            what, when, digits agreed of the time
 *     place event ceiling: ...
 *     differences grazing 1.25           what the other route says; - for no time
 *     place event ceiling: ...
 *     how ...
 *     complete
 */
#ifndef SALTUS_CERTIFICATE_H
#define SALTUS_CERTIFICATE_H

#include "mp.h"
#include "reference.h"

struct certificate *certificate_new(const struct model *model);
/* A copy; NULL of NULL. */
char *certificate_text(const char *text);

/* Nominal parameters [model->p] to `digits` digits; to be freed. */
mpfr_ptr certificate_nominal(const struct model *model, int digits);

extern const char certificate_title[];
extern const char certificate_how[];
extern const char certificate_how_refused[];

/* Everything but the numbers, or the refusal. */
struct certificate *certificate_of_request(const struct reference_request *request);

/* refused.c: refusals that say what is true, and no numerical trouble. */
bool certifiable_refusal(enum status status);
/* The variational route was refused as `diagnosis` says, at refused_at: does the other
   one agree, and does the time hold with more digits? If not, why, in *diagnosis. */
enum status certify_refusal(const struct reference_request *request, int threads,
                            mpfr_srcptr refused_at, struct certificate **out,
                            struct diagnosis *diagnosis);

/* "psi.height", "dpsi.height/dg" */
void certificate_cost_name(const struct columns *columns, int i, char *name, int size);

#endif
