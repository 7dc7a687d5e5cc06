/*
 * segment_oracle.c - a segment of multiple shooting by complex step (segment_oracle.h)
 */
#include "orbits/segment_oracle.h"

#include <math.h>

#include "oracles/oracle.h"

struct run_request segment_request(const struct orbit_segment *segment,
                                   const struct orbit_request *request)
{
    struct run_request run = request->run;
    run.model = segment->model;
    run.value = segment->value;
    run.parameter = segment->parameter;
    run.parameters = segment->count + segment->parameters;
    run.t_end = NAN;
    run.samples = 0;
    run.without_costs = false;
    return run;
}

enum status segment_complex_step(const struct orbit_segment *segment,
                                 const struct orbit_request *request,
                                 struct trajectory **out, struct diagnosis *diagnosis)
{
    const struct run_request run = segment_request(segment, request);
    return complex_step_run(&run, out, diagnosis);
}
