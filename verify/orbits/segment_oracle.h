/*
 * segment_oracle.h - a segment of multiple shooting by complex step.
 */
#ifndef SALTUS_SEGMENT_ORACLE_H
#define SALTUS_SEGMENT_ORACLE_H

#include "orbits/segment.h"

/* The run of a segment from its node, with its derivatives by the node and by parameters,
   as a request that stands by itself, costs included; `request` is that of the orbit. */
struct run_request segment_request(const struct orbit_segment *segment,
                                   const struct orbit_request *request);
/* This request by complex step; the caller frees *out. Statuses of complex_step_run. */
enum status segment_complex_step(const struct orbit_segment *segment,
                                 const struct orbit_request *request,
                                 struct trajectory **out, struct diagnosis *diagnosis);

#endif
