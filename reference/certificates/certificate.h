/*
 * certificate.h - the file of certified values: format, and the parts of its reader and
 * writer.
 *
 * The file is text, one item a line, the same in every locale:
 *
 *     saltus certified values 2
 *     case bouncing-ball
 *     file -                             the model file; -: of the catalogue
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
 * A certified refusal has other lines from the order on:
 *
 *     refused grazing 1.25 34            status, time, digits agreed of the time
 *     place event ceiling: ...
 *     differences grazing 1.25           status and time of the other route; -: no time
 *     place event ceiling: ...
 *     how ...
 *     checksum 93c467e37db0c7a4
 *     complete
 *
 * So has a periodic motion:
 *
 *     orbit 2 nodes 3 events 0 groups 2 multipliers 1 ones 0 zeros
 *     node 1 smooth                      number, mode
 *     event 1 phase                      number, name
 *     trivial 48                         digits to which the ones are 1 and the zeros 0
 *     newton 4 order 2.000 runs 190      steps; observed order, -: not seen; runs
 *     how ...
 *     period 6.28...  73                 a line for each number, then their derivatives
 *     multiplier.1.re -0.58429...  48
 *     dperiod/dk ...
 *     checksum 93c467e37db0c7a4
 *     complete
 *
 * A line of the header, `formulas`, is the fingerprint of the statement that the values
 * belong to (model.h); a line for each parameter has its nominal value as it is stated
 * there, `parameter k nominal sqrt(2)`, or the number that was given instead.
 */
#ifndef SALTUS_CERTIFICATE_H
#define SALTUS_CERTIFICATE_H

#include <inttypes.h>
#include <stdio.h>

#include "arithmetic/mp.h"
#include "reference.h"
#include "value_sizes.h"

/* An empty certificate of a model. */
struct certificate *certificate_new(const struct model *model);
/* A copy of a text; NULL for NULL. */
char *certificate_text(const char *text);

/* Nominal parameters [model->p] to `digits` digits. Free by mp_vector_free. */
mpfr_ptr certificate_nominal(const struct model *model, int digits);

/* First line of a file: title and format. Format 2 has a fingerprint of all that the
   model states, and nominal values as they are stated. */
extern const char certificate_title[];
enum { CERTIFICATE_FORMAT = 2 };
/* The line `how` of certified values. */
extern const char certificate_how[];
/* The line `how` of a certified refusal. */
extern const char certificate_how_refused[];
/* The line `how` of a certified orbit. */
extern const char certificate_how_orbit[];

/* Writes a file: the text that `print` writes, its checksum and a last line, under a
   temporary name that is then renamed. BAD_INPUT: it cannot be written. */
typedef void certificate_print(FILE *file, const void *context);
enum status certificate_store(const char *path, certificate_print *print,
                              const void *context, struct diagnosis *diagnosis);

/* A certificate with all that the request says, without numbers and refusal. */
struct certificate *certificate_of_request(const struct reference_request *request);

/* True: the status states a fact about the motion or its derivative, and cannot be
   numerical trouble (refused.c). */
bool certifiable_refusal(enum status status);
/* The variational route was refused as `diagnosis` says, at refused_at: certifies the
   refusal if the differences agree, and a strict run with more digits does, in the
   time, too. Otherwise the status and *diagnosis say why not; *doubt: more digits and
   shorter steps may tell. */
enum status certify_refusal(const struct reference_request *request, int threads,
                            mpfr_srcptr refused_at, struct certificate **out,
                            bool *doubt, struct diagnosis *diagnosis);

/* Makes a strict run of the values with other digits (confirm.c). OK: it has the same
   events, at times that agree to `digits` digits, and the same values at the samples, by
   their sizes (NULL: there are no samples); the run is in *again, unless that is NULL.
   PRECISION: it differs. */
enum status certify_confirm(const struct reference_request *request, int digits,
                            const struct mp_trajectory *trajectory,
                            const struct value_sizes *sizes, struct mp_trajectory **again,
                            struct diagnosis *diagnosis);

/* Writes the name of number i of psi: "psi.height" or "dpsi.height/dg". */
void certificate_cost_name(const struct columns *columns, int i, char *name, int size);

#endif
