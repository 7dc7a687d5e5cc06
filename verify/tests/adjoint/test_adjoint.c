/*
 * test_adjoint.c - gradients backwards against the direct method, over the whole
 * catalogue.
 */
#include "adjoint/adjoint.h"
#include "solving.h"

TestSuite(adjoint, .timeout = 300);

static struct gradient *back(struct solving *s, const char *method, int cost,
                             int component, enum status *status)
{
    struct adjoint_request request = {.run = s->request, .cost = cost,
                                      .component = component,
                                      .method = adjoint_method_find(method)};
    struct gradient *gradient = NULL;
    struct adjoint *adjoint = adjoint_new(&request, &s->diagnosis);
    *status = adjoint ? adjoint_run(adjoint, NULL, &gradient, &s->diagnosis)
                      : s->diagnosis.status;
    adjoint_free(adjoint);
    return gradient;
}

Test(adjoint, try)
{
    for (int k = 0; catalogue[k]; k++) {
        for (int f = 0; formulations[f]; f++) {
        struct solving s;
        const char *only = getenv("ONLY"), *onlyf = getenv("ONLYF");
        if (only && strcmp(only, catalogue[k]->name)) continue;
        if (onlyf && strcmp(onlyf, formulations[f]->name)) continue;
        struct model *model = model_new(catalogue[k], NULL);
        const char *why;
        if (!formulation_applies(formulations[f], model, &why)) { model_free(model); continue; }
        solving_of_model(&s, model, formulations[f]->name);
        s.request.rtol = formulations[f]->kind == DAE ? 1e-8 : 1e-12;
        s.request.atol = s.request.rtol / 1000;
        if (getenv("RTOL")) { s.request.rtol = atof(getenv("RTOL")); s.request.atol = s.request.rtol/1000; }
        s.request.samples = 1; s.request.sample = s.sample + TEST_SAMPLES - 1;
        int p = s.request.parameters;
        struct trajectory *direct;
        enum status status = run_once(&s.request, &direct, &s.diagnosis);
        if (status != OK) { printf("%s %s: direct %s\n", catalogue[k]->name, formulations[f]->name, status_text(status)); trajectory_free(direct); solving_end(&s); continue; }
        for (int m = 0; adjoint_methods[m]; m++) {
            int cost = model->nz > 0 ? 0 : -1;
            struct gradient *g = back(&s, adjoint_method_name(adjoint_methods[m]), cost, 0, &status);
            printf("%s %s %s: ev %d ", catalogue[k]->name, formulations[f]->name, adjoint_method_name(adjoint_methods[m]), direct->events);
            if (!g) { printf("%s: %s\n", status_text(status), s.diagnosis.place); continue; }
            double worst = 0, size = 0, value;
            int at = 0;
            const struct run_point *end = &direct->sample[direct->samples - 1];
            for (int j = 0; j < p; j++) {
                double want = cost >= 0 ? direct->psi[(1 + j) * model->nz] : end->x[column(&direct->columns, model->n > 0 ? GROUP_Q : GROUP_S, 0, j)];
                double rho = fabs(s.value[s.parameter[j]]); if (rho == 0) rho = 1;
                size = fmax(size, fabs(want) * rho);
                double off = fabs(want - g->by_rho[j]) * rho;
                if (off > worst) { worst = off; at = j; }
            }
            value = cost >= 0 ? direct->psi[0] : end->x[column(&direct->columns, model->n > 0 ? GROUP_Q : GROUP_S, 0, -1)];
            printf("digits %.1f (%s %.17g) value %.1f fw %ld bw %ld pb %ld\n", -log10(worst / size + 1e-17), model->parameter[s.parameter[at]].name, g->by_rho[at], -log10(fabs(value - g->value) / fabs(value) + 1e-17), g->trajectory->steps, g->steps, g->pullbacks);
            gradient_free(g);
        }
        trajectory_free(direct);
        solving_end(&s);
        }
    }
}
