/*
 * test_corner_formulas.c - the ledger of Corner, Sandu, Sandu 2019 (verify/papers/corner)
 * comes out as mathematics has it, and its verdicts turn when numbers are disturbed.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "jobs/pool.h"
#include "papers/corner/formulas.h"

extern const struct study corner_formulas;

static struct ledger *open_ledger(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct task task = {.lock = &lock};
    char why[400] = "";
    void *ledger;
    enum status status = corner_formulas.open(&task, &ledger, why, sizeof why);
    cr_assert_eq(status, OK, "%s", why);
    return ledger;
}

static struct trial attempt(const struct ledger *ledger,
                            const struct printed_formula *row)
{
    struct trial trial = {0};
    row->attempt(ledger, row, &trial);
    return trial;
}

static const struct printed_formula *row_of(const char *where)
{
    const struct printed_formula *row = corner_formulas.formula;
    while (row->where && strcmp(row->where, where) != 0)
        row++;
    cr_assert_not_null(row->where, "no row %s", where);
    return row;
}

static bool refuted(const struct ledger *ledger, const char *where)
{
    const struct printed_formula *row = row_of(where);
    const struct trial trial = attempt(ledger, row);
    return trial_outcome(row, &trial) != TRIAL_HOLDS;
}

/* A row with a corrected formula is refuted, and the correction has digits; a row without
   one holds. */
Test(corner_formulas, every_row_comes_out)
{
    struct ledger *ledger = open_ledger();
    for (const struct printed_formula *row = corner_formulas.formula; row->where; row++) {
        const struct trial trial = attempt(ledger, row);
        bool wrong = *row->corrected != '\0';
        enum trial_outcome outcome = trial_outcome(row, &trial);
        bool read = strstr(row->where, "extracted");
        bool beyond = strstr(row->where, "beyond");
        cr_expect_eq(outcome, !wrong   ? TRIAL_HOLDS
                              : read   ? TRIAL_WRONG_AS_EXTRACTED
                              : beyond ? TRIAL_DOES_NOT_EXTEND
                                       : TRIAL_WRONG,
                     "%s, %s: %g, %g: %s", row->where, row->printed, trial.printed,
                     trial.corrected, trial.evidence);
        cr_expect_geq(trial.corrected, strcmp(row->where, "Sec. 7") == 0 ? 3 : 9,
                      "%s: %g", row->where, trial.corrected);
        cr_expect(wrong || trial.printed >= 9, "%s: %g", row->where, trial.printed);
        cr_expect_neq(*trial.judge, '\0');
        cr_expect_lt(strlen(trial.evidence), sizeof trial.evidence - 1, "%s is cut",
                     row->where);
    }
    corner_formulas.close(ledger);
}

/* Numbers before an event enter the printed jumps, and not their judge. */
Test(corner_formulas, jumps_turn)
{
    static const struct { const char *where; enum ledger_motion motion;
                          enum column_group group; } jumps[] = {
        {"(35)", FIVE_BAR, GROUP_Q}, {"(48)", FIVE_BAR, GROUP_Z},
        {"(38)", SLEIGH, GROUP_V},   {"(44)", DRAUGHT, GROUP_V},
        {"(97)", CAUGHT_SOFTLY, GROUP_V}};
    struct ledger *ledger = open_ledger();
    for (size_t k = 0; k < sizeof jumps / sizeof *jumps; k++) {
        const struct trajectory *exact = ledger->motion[jumps[k].motion].exact;
        double *x = exact->event[0].before.x + column(&exact->columns, jumps[k].group, 0,
                                                      0);
        double kept = *x;
        cr_expect_not(refuted(ledger, jumps[k].where), "%s", jumps[k].where);
        *x += 1e-3;
        cr_expect(refuted(ledger, jumps[k].where), "%s", jumps[k].where);
        *x = kept;
    }
    corner_formulas.close(ledger);
}

/* Sensitivities at a sample enter the tangent linear models, and not their judge. */
Test(corner_formulas, motions_turn)
{
    static const struct { const char *where; enum ledger_motion motion; } rows[] = {
        {"(14), (15)", ARM}, {"(56), (63)", CAR}, {"(65), (67)", CAR_PENALTY}};
    struct ledger *ledger = open_ledger();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct trajectory *exact = ledger->motion[rows[k].motion].exact;
        double *x = exact->sample[1].x + column(&exact->columns, GROUP_Q, 0, 0);
        double kept = *x;
        cr_expect_not(refuted(ledger, rows[k].where), "%s", rows[k].where);
        *x += 1e-3;
        cr_expect(refuted(ledger, rows[k].where), "%s", rows[k].where);
        *x = kept;
    }
    corner_formulas.close(ledger);
}

/* The whole of (91) is its pieces: with none of them as printed the system is right. */
Test(corner_formulas, pieces_of_91)
{
    static const int pieces[] = {PRINTED_RATES, PRINTED_MASS, PRINTED_TIME,
                                 PRINTED_MIXED};
    struct ledger *ledger = open_ledger();
    struct printed_formula row = *row_of("(91)");
    row.subject = 0;
    struct trial trial = attempt(ledger, &row);
    cr_expect_eq(trial.printed, trial.corrected);
    cr_expect_geq(trial.printed, 14);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        row.subject = pieces[k];
        trial = attempt(ledger, &row);
        cr_expect_lt(trial.printed, 1);
    }
    corner_formulas.close(ledger);
}
