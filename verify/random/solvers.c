/*
 * solvers.c - solutions of a random mechanism: formulations in double, complex step, the
 * reference (solvers.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "motion/direction.h"
#include "motion/reference_motion.h"
#include "oracles/oracle.h"
#include "random/solvers.h"

/* The two tolerances, 100 apart, the finer one with room above rounding; and the rtol of
   a run that asks for a lower one. */
static const double coarse_rtol = 1e-8, fine_rtol = 1e-10, finest_rtol = 1e-12;

/* A condition times rtol from which on a refusal as grazing says nothing: at one the run
   is refused (event.c), and at another rtol the condition is a little different. */
static const double near_no_digit = 0.1;
enum { REFERENCE_DIGITS = 30, MOST_STEPS = 20000, MOST_EVENTS = 60 };

/* CPU seconds after which a solver is stopped, and not judged. */
static const double patience = 1.5, patience_of_oracles = 6;

struct stopwatch {
    double end;                         /* end in CPU seconds of this thread */
    bool late;
};

/* A run that reaches the most steps is late, and not judged: a light body that swings
   fast takes many. A run whose steps collapse has another status. */
static bool is_late(const struct stopwatch *stopwatch, enum status status)
{
    return stopwatch->late || status == TOO_MANY_STEPS;
}

enum status solvers_open(struct solvers *solvers, struct diagnosis *diagnosis)
{
    double t0, t_end;
    solvers->model = draw_model(solvers->draw, diagnosis);
    if (!solvers->model)
        return diagnosis->status;
    solvers->parameters = model_sensitivities(solvers->model, solvers->parameter);
    enum status status = model_nominal_values(solvers->model, solvers->value, diagnosis);
    if (status == OK)
        status = model_times(solvers->model, solvers->value, &t0, &t_end, diagnosis);
    if (status != OK)
        return status;
    solvers->span = t_end - t0;
    for (int k = 0; k < SOLVERS_POINTS; k++)
        solvers->sample[k] = t0 + solvers->span * (k + 0.5) / SOLVERS_POINTS;
    return OK;
}

void solvers_close(struct solvers *solvers)
{
    solution_clear(&solvers->base);
    solution_clear(&solvers->reference);
    model_free(solvers->model);
}

/* --- solutions in double ------------------------------------------------------------ */

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool in_time(void *context, double done)
{
    struct stopwatch *stopwatch = context;
    (void)done;
    stopwatch->late = stopwatch->late || thread_seconds() > stopwatch->end;
    return !stopwatch->late;
}

static struct stopwatch start_watch(double seconds)
{
    return (struct stopwatch){.end = thread_seconds() + seconds};
}

static struct run_request ask(const struct solvers *solvers,
                              const struct formulation *formulation,
                              const char *const *option, double rtol)
{
    long most = solvers->request->most_steps;
    return (struct run_request){
        .model = solvers->model, .formulation = formulation, .option = option,
        .rtol = rtol, .atol = rtol / 1000, .parameters = solvers->parameters,
        .parameter = solvers->parameter, .value = solvers->value, .t_end = NAN,
        .samples = SOLVERS_POINTS, .sample = solvers->sample, .code = CODE_NEVER,
        .max_steps = most > 0 ? most : MOST_STEPS, .max_events = MOST_EVENTS};
}

/* Chooses options; a redundant row is the double of another, so every formulation takes
   it. */
static void choose_options(const struct solvers *solvers,
                           const struct formulation *formulation, const char **option)
{
    options_nominal(formulation, option);
    int redundant = option_index(formulation, "redundant");
    if (redundant >= 0 && draw_is_redundant(solvers->draw))
        option[redundant] = "minimum-norm";
}

static double largest_condition(const struct trajectory *trajectory)
{
    double largest = 0;
    for (int k = 0; k < trajectory->events; k++)
        largest = fmax(largest, trajectory->event[k].condition);
    return largest;
}

/* Runs in double, once. */
static enum status solve_at(struct run_request *request, double rtol,
                            struct solution *solution, struct results **results)
{
    struct trajectory *trajectory = NULL;
    struct stopwatch stopwatch = start_watch(patience);
    request->rtol = rtol;
    request->atol = rtol / 1000;
    request->progress = in_time;
    request->progress_context = &stopwatch;
    enum status status = run_once(request, &trajectory, &solution->diagnosis);
    if (status == OK) {
        *results = results_of_trajectory(trajectory);
        solution->events = trajectory->events;
        solution->condition = fmax(solution->condition, largest_condition(trajectory));
    }
    if (trajectory)
        trajectory_free(trajectory);
    solution->late = is_late(&stopwatch, status);
    return status;
}

struct solution solvers_solve(const struct solvers *solvers,
                              const struct formulation *formulation,
                              const struct jump_rule *rule)
{
    struct solution solution = {.formulation = formulation, .diagnosis = {.t = NAN}};
    const char *option[MAX_OPTIONS];
    choose_options(solvers, formulation, option);
    snprintf(solution.name, sizeof solution.name, "%s%s%s", formulation->name,
             rule ? " with " : "", rule ? rule->name : "");
    struct run_request request = ask(solvers, formulation, option, fine_rtol);
    request.rule = rule;
    solution.status = solve_at(&request, fine_rtol, &solution, &solution.fine);
    if (solution.status == PRECISION) {
        solution.coarse_status = PRECISION;
        solution.status = solve_at(&request, finest_rtol, &solution, &solution.fine);
        solution.unanswered = solution.status == PRECISION;
    } else if (solution.status == OK) {
        struct solution coarse = solution;
        solution.coarse_status = solve_at(&request, coarse_rtol, &coarse,
                                          &solution.coarse);
        solution.diagnosis = coarse.diagnosis;
        solution.late = coarse.late;
    }
    return solution;
}

bool solvers_lacks_digits(const struct solution *solution)
{
    bool grazes = solution->coarse_status == GRAZING &&
                  solution->condition * coarse_rtol > near_no_digit;
    return grazes || solution->coarse_status == PRECISION ||
           solution->coarse_status == NO_DIGITS;
}

/* Runs complex step, once. */
static enum status step_complex(const struct solvers *solvers, struct solution *solution,
                                double rtol, struct results **results)
{
    struct trajectory *trajectory = NULL;
    const char *option[MAX_OPTIONS];
    struct stopwatch stopwatch = start_watch(patience_of_oracles);
    choose_options(solvers, solution->formulation, option);
    struct run_request request = ask(solvers, solution->formulation, option, rtol);
    request.progress = in_time;
    request.progress_context = &stopwatch;
    enum status status = complex_step_run(&request, &trajectory, &solution->diagnosis);
    if (trajectory && status == OK) {
        *results = results_of_trajectory(trajectory);
        solution->events = trajectory->events;
    }
    if (trajectory)
        trajectory_free(trajectory);
    solution->late = is_late(&stopwatch, status);
    return status;
}

struct solution solvers_complex_step(const struct solvers *solvers,
                                     const struct formulation *formulation)
{
    struct solution solution = {.formulation = formulation, .diagnosis = {.t = NAN},
                                .by_complex_step = true};
    snprintf(solution.name, sizeof solution.name, "complex-step of %.30s",
             formulation->name);
    solution.status = step_complex(solvers, &solution, fine_rtol, &solution.fine);
    return solution;
}

bool solvers_complex_step_coarse(const struct solvers *solvers, struct solution *solution)
{
    if (!solution->by_complex_step || solution->coarse)
        return false;
    solution->coarse_status = step_complex(solvers, solution, coarse_rtol,
                                           &solution->coarse);
    return solution->coarse != NULL;
}

/* --- the reference ------------------------------------------------------------------ */

/* Sample times as text. */
struct times {
    char text[SOLVERS_POINTS][32];
    const char *sample[SOLVERS_POINTS], *nominal[DRAW_PARAMETERS];
};

static struct reference_request ask_in_mpfr(const struct solvers *solvers,
                                            struct times *times,
                                            struct stopwatch *stopwatch)
{
    *stopwatch = start_watch(patience_of_oracles);
    for (int k = 0; k < SOLVERS_POINTS; k++) {
        snprintf(times->text[k], sizeof times->text[k], "%.17g", solvers->sample[k]);
        times->sample[k] = times->text[k];
    }
    for (int j = 0; j < DRAW_PARAMETERS; j++)
        times->nominal[j] = NULL;
    return (struct reference_request){
        .model = solvers->model, .truth = {.variant = "exact"}, .digits =
            REFERENCE_DIGITS,
        .parameters = solvers->parameters, .parameter = solvers->parameter,
        .value = times->nominal, .samples = SOLVERS_POINTS, .sample = times->sample,
        .max_events = MOST_EVENTS, .progress = in_time, .progress_context = stopwatch};
}

static void take_reference(struct solution *solution, const char *name,
                           struct mp_trajectory *trajectory,
                           const struct stopwatch *stopwatch)
{
    snprintf(solution->name, sizeof solution->name, "%s", name);
    solution->late = stopwatch->late;
    if (solution->status == OK) {
        solution->events = trajectory->events;
        solution->fine = results_of_reference(trajectory);
        mp_trajectory_free(trajectory);
    }
}

void solvers_ask_reference(struct solvers *solvers)
{
    struct times times;
    struct stopwatch stopwatch;
    struct mp_trajectory *trajectory = NULL;
    struct solution *reference = &solvers->reference;
    if (solvers->asked)
        return;
    struct reference_request request = ask_in_mpfr(solvers, &times, &stopwatch);
    *reference = (struct solution){.diagnosis = {.t = NAN}};
    reference->status = reference_run(&request, &trajectory, &reference->diagnosis);
    take_reference(reference, "reference", trajectory, &stopwatch);
    solvers->asked = true;
}

/* Could the reference not be asked, or has it no answer itself? */
static bool has_no_answer(enum status status)
{
    return status == NOT_APPLICABLE || status == BAD_INPUT || status == PRECISION;
}

struct solution solvers_variant(const struct solvers *solvers,
                                const struct formulation *formulation)
{
    struct times times;
    struct stopwatch stopwatch;
    struct reference_motion own;
    struct mp_trajectory *trajectory = NULL;
    struct solution solution = {.diagnosis = {.t = NAN}};
    const char *option[MAX_OPTIONS];
    char name[48];
    choose_options(solvers, formulation, option);
    snprintf(name, sizeof name, "reference of %.30s", formulation->name);
    struct reference_request request = ask_in_mpfr(solvers, &times, &stopwatch);
    solution.status = reference_motion_of(formulation, solvers->model, option, &own,
                                          &solution.diagnosis);
    request.truth = own.truth;
    if (solution.status == OK)
        solution.status = reference_run(&request, &trajectory, &solution.diagnosis);
    take_reference(&solution, name, trajectory, &stopwatch);
    solution.unanswered = has_no_answer(solution.status);
    return solution;
}

bool solvers_two_routes(const struct solvers *solvers, struct solution *variational,
                        struct solution *differences)
{
    struct times times;
    struct stopwatch stopwatch;
    struct parameter_direction direction;
    struct mp_trajectory *trajectory = NULL;
    struct reference_request request = ask_in_mpfr(solvers, &times, &stopwatch);
    *variational = *differences = (struct solution){.diagnosis = {.t = NAN}};
    variational->status = direction_random(solvers->model, solvers->parameters,
                                           solvers->parameter, &direction,
                                           &variational->diagnosis);
    request.direction = (const char *const *)direction.w;
    if (variational->status == OK)
        variational->status = reference_run(&request, &trajectory,
                                            &variational->diagnosis);
    take_reference(variational, "reference", trajectory, &stopwatch);
    trajectory = NULL;
    differences->status = variational->status;
    if (variational->status == OK && !stopwatch.late)
        differences->status = reference_difference(&request, false, 1, &trajectory,
                                                   &differences->diagnosis);
    take_reference(differences, "differences of the reference", trajectory, &stopwatch);
    direction_clear(&direction);
    return variational->status == OK && differences->status == OK && !stopwatch.late;
}
