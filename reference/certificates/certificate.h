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
 *     checksum 93c467e37db0c7a4          of all bytes before it, FNV-1a
 *     complete
 *
 * Instead of order and all that follows it, where there are no numbers:
 *
 *     refused grazing 1.25 34            what, when, digits agreed of the time
 *     place event ceiling: ...
 *     differences grazing 1.25           what the other route says; - for no time
 *     place event ceiling: ...
 *     how ...
 *     checksum 93c467e37db0c7a4
 *     complete
 *
 * A line of the header, `formulas`, is the fingerprint of the formulas that the values
 * belong to (model.h).
 */
#ifndef SALTUS_CERTIFICATE_H
#define SALTUS_CERTIFICATE_H

#include <inttypes.h>
#include <stdio.h>

#include "arithmetic/mp.h"
#include "reference.h"

struct certificate *certificate_new(const struct model *model);
/* A copy; NULL of NULL. */
char *certificate_text(const char *text);

/* Nominal parameters [model->p] to `digits` digits; to be freed. */
mpfr_ptr certificate_nominal(const struct model *model, int digits);

extern const char certificate_title[];
extern const char certificate_how[];
extern const char certificate_how_refused[];

#define CERTIFICATE_FORMULAS "formulas %016" PRIx64 "\n"
/* Writes the text with its checksum and the last line; false: it cannot be written. */
bool certificate_seal(FILE *file, const char *text, size_t length);

/* Everything but the numbers, or the refusal. */
struct certificate *certificate_of_request(const struct reference_request *request);

/* refused.c: refusals that say what is true, and no numerical trouble. */
bool certifiable_refusal(enum status status);
/* The variational route was refused as `diagnosis` says, at refused_at: does the other
   one agree, and a strict run with more digits, in the time, too? If not, why, in
   *diagnosis, and *doubt: more digits and shorter steps may tell. */
enum status certify_refusal(const struct reference_request *request, int threads,
                            mpfr_srcptr refused_at, struct certificate **out,
                            bool *doubt, struct diagnosis *diagnosis);

/* confirm.c: has a strict run of values with other digits the same events, at times that
   agree to `digits` digits, and the same values at the samples? PRECISION if not; OK: the
   run is in *again, unless that is NULL. */
enum status certify_confirm(const struct reference_request *request, int digits,
                            const struct mp_trajectory *trajectory,
                            struct mp_trajectory **again, struct diagnosis *diagnosis);

/* "psi.height", "dpsi.height/dg" */
void certificate_cost_name(const struct columns *columns, int i, char *name, int size);

#endif
