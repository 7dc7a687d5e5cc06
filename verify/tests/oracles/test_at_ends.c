/*
 * test_at_ends.c - what a model says of events exactly at the start and at the end
 * (at_ends), every judge takes it so: certified values, complex step, differences.
 */
#include "running.h"

TestSuite(at_ends, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* A free fall of an end at 1, with events at times that the run ends or begins at. */
static void expect_judged(const char *word, bool first, bool last, int events)
{
    char text[1000], wanted[60];
    snprintf(text, sizeof text,
             "time: t\nat_ends: %s\ncoordinates: [x]\n"
             "parameters: {g: {nominal: 2}, e: {nominal: 0.5}}\n"
             "modes: {A: {M: {x: {x: 1}}, F: {x: -g}}}\nevents:\n"
             "  half: {guard: t - 0.4, direction: rising, reset: {vx_plus: vx + e*g}}\n"
             "%s%sinitial: {state: {x: 5, vx: 1}}\nend: 1\n", word,
             first ? "  zero: {guard: t, direction: rising, reset: {vx_plus: vx + e}}\n"
                   : "",
             last ? "  one: {guard: t - 1, direction: rising, reset: {vx_plus: -e*vx}}\n"
                  : "");
    write_file("ends.yaml", text);
    snprintf(wanted, sizeof wanted, "9 samples, %d events", events);
    expect_run("certify ends.yaml", HELD, "out", wanted);
    expect_run("verify ends.yaml", HELD, "out", "6 rows passed, 0 failed");
}

Test(at_ends, are_skipped_by_every_judge)
{
    expect_judged("skip", true, false, 1);
    expect_judged("skip", false, true, 1);
    expect_judged("skip", true, true, 1);
}

Test(at_ends, happen_for_every_judge)
{
    expect_judged("happen", true, false, 2);
    expect_judged("happen", false, true, 2);
    expect_judged("happen", true, true, 3);
}
