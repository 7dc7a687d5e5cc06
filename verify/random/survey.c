/*
 * survey.c - drawn mechanisms judged on several threads (survey.h).
 */
#include "random/survey.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "jobs/pool.h"
#include "random/generate.h"

struct survey_task {
    struct task task;                   /* first member: a task is a survey_task */
    const struct survey_request *request;
    struct survey_draw *draw;
    atomic_int next, done;
};

enum { PENALTY_EVERY = 8, REFERENCE_EVERY = 16 };

struct draw_request survey_judges(const struct survey_request *request, uint64_t seed)
{
    return (struct draw_request){
        .only = request->only, .rule = request->rule, .complex_step = true,
        .penalty = seed % PENALTY_EVERY == 1 || request->only,
        .reference = seed % REFERENCE_EVERY == 3};
}

static void judge_seed(const struct survey_request *request, uint64_t seed,
                       struct draw *draw, struct survey_draw *out)
{
    struct draw_verdict *verdict = memory_new(1, sizeof *verdict);
    struct draw_request judges = survey_judges(request, seed);
    generate(draw, seed, request->kinds);
    judge_draw(draw, &judges, verdict);
    const struct disagreement *finding = first_finding(verdict);
    *out = (struct survey_draw){
        .seed = seed, .status = verdict->status, .events = verdict->events,
        .solutions = verdict->solutions, .late = verdict->late,
        .unanswered = verdict->unanswered, .judged = verdict->judged,
        .weak = verdict->weak, .found = finding != NULL,
        .refused = verdict->status != OK && verdict->count == 0};
    if (finding)
        out->finding = *finding;
    for (int k = 0; k < verdict->count; k++)
        if (verdict->disagreement[k].known)
            out->known = verdict->disagreement[k].known;
    free(verdict);
}

static void survey_some(struct task *task)
{
    struct survey_task *survey = (struct survey_task *)task;
    struct draw *draw = memory_new(1, sizeof *draw);
    for (int k; (k = atomic_fetch_add(&survey->next, 1)) < survey->request->count;) {
        judge_seed(survey->request, survey->request->seed + (uint64_t)k, draw,
                   &survey->draw[k]);
        task_items(task, atomic_fetch_add(&survey->done, 1) + 1);
    }
    free(draw);
}

void survey_run(const struct survey_request *request, struct survey_draw *draw)
{
    struct survey_task survey = {
        .task = {.title = "random mechanisms", .weight = 1, .run = survey_some,
                 .workers = request->threads, .items = request->count},
        .request = request, .draw = draw};
    struct task *task = &survey.task;
    pool_run(request->verb, &task, 1, request->threads);
}
