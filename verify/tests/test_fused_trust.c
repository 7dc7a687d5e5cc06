/*
 * test_fused_trust.c - formulations/fused.c: where the order of its pivots fails, the
 * program is not used.
 */
#include "systems.h"

TestSuite(fused_trust, .timeout = 120);

/* five-bar at its start, where the program is compared and trusted. */
static struct fused *open_five_bar(struct opened *b, struct random *random)
{
    open_system(b, "five-bar", "index1", -1);
    state_at_start(b, random);
    cr_assert_eq(system_rhs_restart(b->system, 0, b->x, b->dx), OK);
    cr_assert(b->system->now->fused->trusted);
    return b->system->now->fused;
}

/* With a bar of a third of its length its pivot is about a ninth; the program is as good
   there as anywhere. */
Test(fused_trust, is_compared_again_where_a_pivot_has_become_small)
{
    struct random random = random_start();
    struct opened b;
    struct fused *fused = open_five_bar(&b, &random);
    cr_expect(!fused_in_doubt(fused));
    b.x[0] = -0.5 + (b.x[0] + 0.5) / 3;
    b.x[1] /= 3;
    cr_assert_eq(system_rhs(b.system, 0, b.x, b.dx), OK);
    cr_expect(fused_in_doubt(fused));
    system_review(b.system, 0, b.x);
    cr_expect(fused->trusted);
    cr_expect(!fused_in_doubt(fused), "compared, and still in doubt");
    close_system(&b);
}

Test(fused_trust, is_not_trusted_with_what_is_not_a_number)
{
    struct random random = random_start();
    for (int i = 0; i < 6; i++) {
        struct opened b;
        struct fused *fused = open_five_bar(&b, &random);
        b.x[i] = NAN;
        cr_assert_eq(system_rhs(b.system, 0, b.x, b.dx), OK);
        system_review(b.system, 0, b.x);
        cr_expect(!fused->trusted, "q[%d] is not a number", i);
        cr_expect_eq(system_rhs(b.system, 0, b.x, b.dx), NOT_FINITE);
        close_system(&b);
    }
}

/* Redundant constraints have a pivot that is rounding. It is not taken for a number. */
Test(fused_trust, is_not_trusted_where_constraints_are_redundant)
{
    struct random random = random_start();
    struct opened b;
    open_system(&b, "five-bar-redundant", "baumgarte", -1);
    state_at_start(&b, &random);
    cr_assert_eq(system_rhs_restart(b.system, 0, b.x, b.dx), OK);
    cr_assert_not_null(b.system->now->fused);
    cr_expect(!b.system->now->fused->trusted);
    close_system(&b);
}

/* four-bar-2 with its cranks at th, turning with the rate 1; derivatives are zero. */
static void set_cranks(struct opened *b, double th)
{
    memset(b->x, 0, (size_t)b->system->dim * sizeof *b->x);
    for (int k = 0; k < 3; k++) {
        double *q = b->x + 2 * k, *v = q + 6;
        q[0] = k + cos(th);
        q[1] = v[0] = sin(th);
        v[0] = -v[0];
        v[1] = cos(th);
    }
}

/*
 * Down to horizontal cranks, where two constraints depend on the others, by steps of a
 * fifth: the pivots go to zero with th^2. Wherever the program is trusted it must be as
 * good as the pivoting solver, though nobody compares at each step; at the end it is not.
 * Both lose digits as 1/th^2.
 */
Test(fused_trust, is_no_longer_trusted_on_the_way_to_a_singular_configuration)
{
    struct opened b;
    int trusted = 0, steps = 0;
    open_system(&b, "four-bar-2", "index1", -1);
    set_cranks(&b, 1.2);
    cr_assert_eq(system_rhs_restart(b.system, 0, b.x, b.dx), OK);
    struct fused *fused = b.system->now->fused;
    cr_assert(fused && fused->trusted);
    for (double th = 1.2; th > 1e-9; th *= 0.8, steps++) {
        set_cranks(&b, th);
        cr_assert_eq(system_rhs(b.system, 0, b.x, b.dx), OK);
        system_review(b.system, 0, b.x);
        if (!fused->trusted)
            continue;
        trusted++;
        fused->trusted = false;
        cr_assert_eq(system_rhs(b.system, 0, b.x, b.other), OK);
        fused->trusted = true;
        double error = column_error(b.dx, b.other, b.system->state);
        cr_expect_leq(error, 1e-11, "%.1e at th = %g", error, th);
        }
    cr_expect(trusted > 0 && !fused->trusted, "trusted at %d of %d", trusted, steps);
    set_cranks(&b, 0);
    system_rhs_restart(b.system, 0, b.x, b.dx);
    cr_expect(!fused->trusted);
    close_system(&b);
}
