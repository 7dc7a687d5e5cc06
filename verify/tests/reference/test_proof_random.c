/*
 * test_proof_random.c - random mechanisms (random/) are proved, and a run in MPFR with
 * twice the digits lies within all balls. SALTUS_SEED moves the seeds.
 */
#include <time.h>

#include "base/memory.h"
#include "proving.h"
#include "random/generate.h"
#include "sampling.h"

TestSuite(proof_random, .timeout = 36000);

enum {
    FEW = 12, MANY = 4000,      /* mechanisms; of make test-all */
    DIGITS = 15,
    COLUMNS = 2,                /* parameters that one mechanism is differentiated by */
    POINTS = 3
};

/* CPU seconds after which a mechanism is given up: in make test only those count that are
   quick. */
static double patience(void)
{
    return in_test_all() ? 5 : 0.3;
}

/* What has come of them. */
struct count {
    int status[STATUSES], late;
    int events, constrained;    /* of those that are proved: events; with constraints */
    long numbers;
};

struct instance {
    unsigned long long seed;
    struct draw *draw;
    struct proving of;
    char text[POINTS][40];
    const char *sample[POINTS];
    int column[COLUMNS];
    clock_t end;
    bool late;
};

static bool go_on(void *context, double done)
{
    struct instance *instance = context;
    (void)done;
    instance->late = instance->late || clock() > instance->end;
    return !instance->late;
}

/* Times between the start and the end, as decimals; some parameters, others for each
   mechanism. */
static void ask(struct instance *instance)
{
    struct referring *r = &instance->of.of;
    double t0, t_end;
    cr_assert_eq(nominal_times(r->model, &t0, &t_end, &r->diagnosis), OK);
    for (int k = 0; k < POINTS; k++) {
        snprintf(instance->text[k], sizeof instance->text[k], "%.9f",
                 t0 + (t_end - t0) * (k + 0.37) / POINTS);
        instance->sample[k] = instance->text[k];
    }
    r->request.samples = POINTS;
    r->request.sample = instance->sample;
    int all = r->request.parameters;
    r->request.parameters = all < COLUMNS ? all : COLUMNS;
    for (int j = 0; j < r->request.parameters; j++)
        instance->column[j] = r->parameter[(instance->seed + (unsigned)j) %
                                              (unsigned)all];
    r->request.parameter = instance->column;
    r->request.max_events = 30;
    r->request.progress = go_on;
    r->request.progress_context = instance;
    instance->end = clock() + (clock_t)(patience() * CLOCKS_PER_SEC);
}

/* The same motion by other steps and with more digits. Many of them are lost where it is
   sensitive: a quarter. */
static void compare(struct instance *instance, const struct proof *proof,
                    struct count *count)
{
    struct referring *r = &instance->of.of;
    struct mp_trajectory *run;
    r->request.digits = 2 * proof->carried;
    r->request.progress = NULL;
    enum status status = reference_run(&r->request, &run, &r->diagnosis);
    cr_assert_eq(status, OK, "seed %llu: proved, but the run is refused: %s",
                 instance->seed, r->diagnosis.place);
    struct beside_balls b = look_at_all(proof->motion, run, 1.5 * proof->carried);
    cr_expect_str_empty(b.outside, "seed %llu: %s lies outside of its ball; saltus "
                        "random --seed %llu --count 1 --show", instance->seed, b.outside,
                        instance->seed);
    count->events += proof->motion->events;
    count->constrained += r->model->start->m > 0;
    count->numbers += b.numbers;
    mp_trajectory_free(run);
}

static void look_at_seed(struct instance *instance, struct count *count)
{
    struct referring *r = &instance->of.of;
    struct diagnosis diagnosis;
    struct proof *proof;
    generate(instance->draw, instance->seed, ALL_KINDS);
    struct model *model = draw_model(instance->draw, &diagnosis);
    cr_assert_not_null(model, "seed %llu: %s", instance->seed, diagnosis.place);
    referring_of_model(r, model, 0);
    ask(instance);
    enum status status = prove(&r->request, DIGITS, &proof, &r->diagnosis);
    if (instance->late)
        count->late++;
    else
        count->status[status]++;
    if (status == OK)
        compare(instance, proof, count);
    else
        cr_expect(instance->late || r->diagnosis.place[0] != '\0',
                  "seed %llu: refused without a reason", instance->seed);
    proof_free(proof);
    proving_end(&instance->of);
}

Test(proof_random, a_run_with_twice_the_digits_lies_within_the_balls)
{
    const char *text = getenv("SALTUS_SEED");
    unsigned long long first = text ? strtoull(text, NULL, 10) : 1;
    int mechanisms = in_test_all() ? MANY : FEW;
    struct count count = {.late = 0};
    struct draw *draw = memory_new(1, sizeof *draw);
    for (int k = 0; k < mechanisms; k++) {
        struct instance instance = {.seed = first + (unsigned)k, .draw = draw};
        look_at_seed(&instance, &count);
    }
    free(draw);
    char said[1000] = "";
    for (int k = 0; k < STATUSES; k++)
        if (count.status[k] > 0)
            snprintf(said + strlen(said), sizeof said - strlen(said), ", %d %s",
                     count.status[k], status_text((enum status)k));
    cr_log_info("seeds from %llu: %d mechanisms, %d late%s; %ld numbers, %d events, %d "
                "with constraints", first, mechanisms, count.late, said, count.numbers,
                count.events, count.constrained);
    /* Else this test looks at little. */
    cr_expect_geq(count.status[OK], mechanisms / 4, "seeds from %llu%s", first, said);
    cr_expect_geq(count.events, mechanisms / 4, "seeds from %llu%s", first, said);
    if (in_test_all())
        cr_expect_geq(count.constrained, mechanisms / 10, "seeds from %llu%s", first,
                      said);
}
