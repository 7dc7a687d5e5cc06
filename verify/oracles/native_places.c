/*
 * native_places.c - places of the native oracle on a trajectory, and names of its
 * entries.
 */
#include "oracles/native_places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formulation.h"
#include "oracles/complex_newton.h"
#include "oracles/quad_results.h"

/* --- where constraints depend on others --------------------------------------------- */

/* Rank of A [m * n] (destroyed), by complete pivoting; entries below 1e-9 of the largest
   count as zero: states come from runs in double. */
static int rank_of(double complex *A, int m, int n)
{
    double largest = 0;
    int rank = 0;
    for (; rank < m && rank < n; rank++) {
        int row = rank, column = 0;
        for (int i = rank; i < m; i++)
            for (int j = 0; j < n; j++)
                if (cabs(A[i * n + j]) > cabs(A[row * n + column])) {
                    row = i;
                    column = j;
                }
        double complex pivot = A[row * n + column];
        largest = fmax(largest, cabs(pivot));
        if (!(cabs(pivot) > 1e-9 * largest))
            break;
        for (int j = 0; j < n; j++) {
            double complex keep = A[rank * n + j];
            A[rank * n + j] = A[row * n + j];
            A[row * n + j] = keep;
        }
        for (int i = rank + 1; i < m; i++) {
            double complex factor = A[i * n + column] / pivot;
            for (int j = 0; j < n; j++)
                A[i * n + j] -= factor * A[rank * n + j];
        }
    }
    return rank;
}

/* The Jacobians of all modes, and the values they are evaluated at. */
struct jacobians {
    const struct model *model;
    struct complex_values *values;
    struct complex_outputs *Phi_q;      /* [modes] */
    double complex *A;
};

static void jacobians_init(struct jacobians *j, const struct model *model,
                           const double *rho)
{
    *j = (struct jacobians){.model = model, .values = complex_values_new(model, 0)};
    j->Phi_q = calloc((size_t)model->modes + 1, sizeof *j->Phi_q);
    j->A = calloc((size_t)(model->m * model->n) + 1, sizeof *j->A);
    if (!j->Phi_q || !j->A)
        memory_exhausted();
    for (int i = 0; i < model->p; i++)
        j->values->x[BLOCK_RHO][i] = rho[i];
    for (int k = 0; k < model->modes; k++) {
        const struct mode *mode = model->mode[k];
        complex_outputs_init(&j->Phi_q[k], model->tape, mode->Phi_q, mode->m * model->n);
        complex_outputs_rho(&j->Phi_q[k], j->values);
    }
}

static void jacobians_clear(struct jacobians *j)
{
    for (int k = 0; k < j->model->modes; k++)
        complex_outputs_clear(&j->Phi_q[k]);
    complex_values_free(j->values);
    free(j->Phi_q);
    free(j->A);
}

static bool dependent(struct jacobians *j, const struct columns *columns,
                      const struct run_point *at)
{
    const struct model *model = j->model;
    double complex **block = j->values->x;
    block[BLOCK_T][0] = at->t;
    for (int i = 0; i < model->n; i++) {
        block[BLOCK_Q][i] = at->x[column(columns, GROUP_Q, i, -1)];
        block[BLOCK_V][i] = at->x[column(columns, GROUP_V, i, -1)];
    }
    for (int i = 0; i < model->ns; i++)
        block[BLOCK_S][i] = at->x[column(columns, GROUP_S, i, -1)];
    complex_outputs_eval(&j->Phi_q[at->mode->index], j->values, j->A);
    return rank_of(j->A, at->mode->m, model->n) < at->mode->m;
}

/* A penalty motion has accelerations and multipliers of its own. */
static bool follows(const struct run_request *request, const struct mode *mode)
{
    return mode->m == 0 || (request->formulation->capabilities & KEEPS_CONSTRAINTS);
}

/* Events at one time have the states before and after all of them. */
static bool is_alone(const struct trajectory *trajectory,
                     const struct event_record *event)
{
    const struct event_record *first = trajectory->event;
    const struct event_record *last = first + trajectory->events - 1;
    return (event == first || event[-1].after.t != event->before.t) &&
           (event == last || event[1].before.t != event->after.t);
}

/* --- the visit ---------------------------------------------------------------------- */

enum status native_visit(const struct run_request *request,
                         const struct trajectory *trajectory, native_visitor *visitor,
                         void *context, struct diagnosis *diagnosis)
{
    const struct model *model = request->model;
    double *rho = calloc((size_t)model->p + 1, sizeof *rho);
    if (!rho)
        memory_exhausted();
    enum status status = model_nominal_values(model, rho, diagnosis);
    for (int j = 0; j < model->p && request->value; j++)
        rho[j] = request->value[j];
    struct native_place place = {.columns = &trajectory->columns, .rho = rho};
    struct jacobians jacobians;
    jacobians_init(&jacobians, model, rho);
    int samples = trajectory->samples, stride = 1 + samples / NATIVE_SAMPLES;
    int kept = (samples + stride - 1) / stride;
    for (int k = 0; status == OK && k < kept + 2 * trajectory->events; k++) {
        const struct event_record *event = k < kept ? NULL
                                                 : &trajectory->event[(k - kept) / 2];
        bool before = event && (k - kept) % 2 == 0;
        place.at = !event ? &trajectory->sample[k * stride]
                 : before ? &event->before : &event->after;
        place.follows = follows(request, place.at->mode);
        place.fires = before ? event->event : NULL;
        place.alone = before && is_alone(trajectory, event) ? event : NULL;
        place.dependent = dependent(&jacobians, place.columns, place.at);
        status = visitor(context, &place, k, diagnosis);
    }
    jacobians_clear(&jacobians);
    free(rho);
    return status;
}

void native_entry(const struct run_request *request, const char *kind, const char *name,
                  int by, char entry[96], char group[64])
{
    bool own = strcmp(kind, "guard") == 0 || strcmp(kind, "rate") == 0;
    char of[48];
    if (own)
        snprintf(of, sizeof of, "%.16s.%.30s", kind, name);
    else
        snprintf(of, sizeof of, "%.47s", kind);
    if (by < 0) {
        snprintf(entry, 96, "%.50s.%.40s", kind, name);
        snprintf(group, 64, "%s", of);
        return;
    }
    const char *parameter = request->model->parameter[request->parameter[by]].name;
    snprintf(entry, 96, "%.40s.%.30s/d%.20s", kind, name, parameter);
    snprintf(group, 64, "d%.40s/d%.20s", of, parameter);
}
