/*
 * test_sweep_points.c - which trajectories a sweep has, who computes them, in which order
 * their rows are written.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "base/memory.h"
#include "mechanisms/catalogue.h"
#include "random_formulas.h"
#include "sweep/batches.h"
#include "sweep/identity.h"
#include "sweep/sweep.h"

static struct model *model_of(const char *name)
{
    struct model *model = model_new(case_find(name), NULL);
    cr_assert_not_null(model, "%s", name);
    return model;
}

/* Adds the axis PARAMETER, TEXT to the points. */
static void add_axis(struct points *points, const struct model *model,
                     const char *parameter, bool grid, const char *text)
{
    char error[200] = "";
    cr_assert(axis_read(text, grid, model, model_parameter_index(model, parameter),
                        &points->axis[points->axes++], error, sizeof error),
              "%s %s: %s", parameter, text, error);
}

/* --- points ------------------------------------------------------------------------- */

Test(sweep_points, a_grid_is_a_product_with_its_first_axis_slowest)
{
    struct model *model = model_of("bouncing-ball");
    int e = model_parameter_index(model, "e"), g = model_parameter_index(model, "g");
    struct points points = {0};
    double value[16] = {0};
    add_axis(&points, model, "e", true, "0.1:0.5:5");
    add_axis(&points, model, "g", true, "1:100:3:log");
    cr_assert(points_count(&points));
    cr_assert_eq(points.count, 15);
    for (long k = 0; k < points.count; k++) {
        points_set(&points, k, value);
        const double ten[] = {1, 10, 100};
        cr_expect_float_eq(value[e], 0.1 * (double)(1 + k / 3), 1e-16);
        cr_expect_float_eq(value[g], ten[k % 3], 2e-15 * ten[k % 3]);
    }
    /* the ends are as given, to the bit */
    points_set(&points, 14, value);
    cr_expect(value[e] >= 0.5 && value[e] <= 0.5 && value[g] >= 100 && value[g] <= 100);
    model_free(model);
}

Test(sweep_points, a_random_point_depends_on_nothing_but_seed_name_and_number)
{
    struct model *model = model_of("bouncing-ball");
    int e = model_parameter_index(model, "e");
    struct points few = {.samples = 10, .seed = 3}, many = {.samples = 1000, .seed = 3};
    struct points other = {.samples = 1000, .seed = 4};
    double a[16] = {0}, b[16] = {0}, c[16] = {0};
    add_axis(&few, model, "e", false, "0.5:0.9");
    add_axis(&many, model, "g", true, "5:10:7");
    add_axis(&many, model, "h0", false, "40:50");
    add_axis(&many, model, "e", false, "0.5:0.9");
    add_axis(&other, model, "e", false, "0.5:0.9");
    cr_assert(points_count(&few) && points_count(&many) && points_count(&other));
    cr_assert_eq(many.count, 7000);
    for (long k = 0; k < 10; k++) {
        points_set(&few, k, a);
        points_set(&many, 3000 + k, b);
        points_set(&other, k, c);
        cr_expect(a[e] >= b[e] && a[e] <= b[e], "point %ld", k);
        cr_expect(a[e] < c[e] || a[e] > c[e], "point %ld has no seed", k);
    }
    model_free(model);
}

/* Of each of the N parts of the interval: how many samples of e are in it. */
static void count_parts(const struct points *points, const struct model *model, int *part)
{
    int e = model_parameter_index(model, "e");
    double value[16] = {0};
    for (long k = 0; k < points->samples; k++) {
        points_set(points, k, value);
        cr_assert(value[e] > 0 && value[e] < 1);
        part[(int)(value[e] * (double)points->samples)]++;
    }
}

Test(sweep_points, samples_are_uniform_and_latin_ones_have_one_in_each_part)
{
    enum { N = 1000 };
    struct model *model = model_of("bouncing-ball");
    for (uint64_t seed = 0; seed < 5; seed++) {
        int random[N] = {0}, latin[N] = {0}, empty = 0, moved = 0;
        struct points points = {.samples = N, .seed = seed};
        add_axis(&points, model, "e", false, "0:1");
        count_parts(&points, model, random);
        points.latin = true;
        count_parts(&points, model, latin);
        for (int k = 0; k < N; k++) {
            cr_expect_eq(latin[k], 1, "part %d has %d, seed %d", k, latin[k], (int)seed);
            empty += random[k] == 0;
        }
        /* each part is empty with probability 1/e; standard deviation 9.7 (Weiss 1958) */
        cr_expect(fabs(empty - N * exp(-1)) < 5 * 9.7, "%d empty, seed %d", empty,
                  (int)seed);
        double value[16] = {0};
        for (long k = 0; k < N; k++) {
            points_set(&points, k, value);
            moved += (long)(value[model_parameter_index(model, "e")] * N) != k;
        }
        cr_expect(moved > N - 10, "%d are moved by the permutation", moved);
    }
    model_free(model);
}

Test(sweep_points, more_than_a_milliard_trajectories_are_refused_without_overflow)
{
    struct model *model = model_of("bouncing-ball");
    struct points points = {0};
    add_axis(&points, model, "e", true, "0:1:1000000000");
    cr_expect(points_count(&points));
    add_axis(&points, model, "g", true, "1:2:1000000000");
    add_axis(&points, model, "h0", true, "1:2:1000000000");
    cr_expect_not(points_count(&points));
    model_free(model);
}

/* --- identity ----------------------------------------------------------------------- */

/* 9.8 and 1e1, each with 300 characters. */
Test(sweep_points, numbers_of_any_length_are_read_whole)
{
    static const char *const form[] = {"%s:%s:2", "%s:%s"};
    struct model *model = model_of("bouncing-ball");
    char lo[302], hi[302], text[700];
    memset(lo, '0', sizeof lo);
    memset(hi, '0', sizeof hi);
    memcpy(lo + 297, "9.8", 4);
    memcpy(hi, "1.", 2);
    memcpy(hi + 297, "e1", 3);
    for (int grid = 0; grid < 2; grid++) {
        struct points points = {0};
        snprintf(text, sizeof text, form[!grid], lo, hi);
        add_axis(&points, model, "g", grid, text);
        cr_expect_eq(points.axis[0].lo, 9.8);
        cr_expect_eq(points.axis[0].hi, 10.0);
    }
    model_free(model);
}

Test(sweep_points, the_identity_of_a_mechanism_is_that_of_its_formulas)
{
    uint64_t seen[256];
    int count = 0;
    for (; catalogue[count] && count < 256; count++) {
        struct model *model = model_new(catalogue[count], NULL);
        cr_assert_not_null(model);
        seen[count] = model_identity(model);
        cr_expect_eq(seen[count], model_identity(model), "%s", catalogue[count]->name);
        for (int k = 0; k < count; k++)
            cr_expect_neq(seen[k], seen[count], "%s and %s", catalogue[k]->name,
                          catalogue[count]->name);
        model_free(model);
    }
    cr_assert(count > 40);
}

Test(sweep_points, another_reset_or_nominal_value_is_another_identity)
{
    struct model *model = model_of("mass-drop"), *same = model_of("mass-drop");
    uint64_t identity = model_identity(model);
    cr_expect_eq(identity, model_identity(same));
    model_free(same);
    same = model_branch(model);
    cr_expect_eq(identity, model_identity(same));
    same->parameter[0].nominal = add(same->parameter[0].nominal, integer(same->tape, 1));
    cr_expect_neq(identity, model_identity(same));
    model_branch_free(same);
    same = model_branch(model);
    same->event[0]->direction = same->event[0]->direction == EITHER ? RISING : EITHER;
    cr_expect_neq(identity, model_identity(same));
    same->event[0]->direction = model->event[0]->direction;
    cr_expect_eq(identity, model_identity(same));
    /* a formula that was never set is another thing than 0 */
    same->v0[0] = same->v0[0].tape ? (formula){NULL, 0} : integer(same->tape, 0);
    cr_expect_neq(identity, model_identity(same));
    model_branch_free(same);
    model_free(model);
}

/* --- batches ------------------------------------------------------------------------ */

enum { ROWS = 60 };

/* A small sweep of bouncing balls. */
struct small {
    struct sweep sweep;
    struct model *model;
    double value[16];
};

static void small_open(struct small *small)
{
    small->model = model_of("bouncing-ball");
    cr_assert_eq(model_nominal_values(small->model, small->value, NULL), OK);
    small->sweep = (struct sweep){.desc = small->model->desc, .model = small->model,
                                  .value = small->value, .t_end = 4};
    small->sweep.request.formulation = formulation_find("ode");
    small->sweep.request.rtol = 1e-8;
    small->sweep.request.atol = 1e-11;
    add_axis(&small->sweep.points, small->model, "e", true, "0.5:0.9:60");
    cr_assert(points_count(&small->sweep.points));
    columns_init(&small->sweep.columns.state, small->model, 0, NULL);
    cr_assert(sweep_columns_add(&small->sweep.columns, "q"));
}

static void small_close(struct small *small)
{
    sweep_columns_clear(&small->sweep.columns);
    model_free(small->model);
}

static void open_memory(struct output *output, struct small *small, int file)
{
    *output = (struct output){.row = sweep_rows(&small->sweep), .descriptor = file};
}

static char *contents_of(int file, size_t room)
{
    char *text = memory_new((int)room, 1);
    lseek(file, 0, SEEK_SET);
    cr_assert(read(file, text, room - 1) >= 0);
    close(file);
    return text;
}

Test(sweep_batches, rows_are_written_in_order_however_batches_come_back)
{
    struct small small;
    struct random random = random_start();
    small_open(&small);
    struct worker *worker = worker_open(&small.sweep);
    char *straight = worker_batch(worker, 0, ROWS);
    int file = fileno(tmpfile()), taken = 0, count;
    struct output output;
    struct batches *batches = memory_new(1, sizeof *batches);
    struct { long first; int count; } mine[ROWS];
    open_memory(&output, &small, file);
    batches_init(batches, &output);
    while (count = 1 + random_below(&random, 7),
           batches_take(batches, &mine[taken].first, &count))
        mine[taken++].count = count;
    while (taken > 0) {
        int k = random_below(&random, taken);
        batches_give(batches, mine[k].first,
                     worker_batch(worker, mine[k].first, mine[k].count));
        mine[k] = mine[--taken];
    }
    char *written = contents_of(file, 100000);
    cr_expect_str_eq(written, straight, "seed %llu", random.seed);
    cr_expect_eq(output.rows, ROWS);
    cr_expect_eq(output.status[OK], ROWS);
    batches_clear(batches);
    free(batches);
    free(written);
    free(straight);
    worker_close(worker);
    small_close(&small);
}

Test(sweep_batches, nobody_runs_further_ahead_than_the_window)
{
    struct small small;
    small_open(&small);
    struct output output;
    struct batches *batches = memory_new(1, sizeof *batches);
    long first, ahead = 0;
    int count = 50;
    small.sweep.points.count = 1000000;
    open_memory(&output, &small, -1);
    batches_init(batches, &output);
    while (batches_try(batches, &first, &count) == TAKE_ROWS)
        ahead += count;
    cr_expect(ahead <= WINDOW && ahead > WINDOW - 50, "%ld", ahead);
    count = 1;
    cr_expect_eq(batches_try(batches, &first, &count),
                 ahead < WINDOW ? TAKE_ROWS : TAKE_LATER);
    batches_clear(batches);
    free(batches);
    small_close(&small);
}
