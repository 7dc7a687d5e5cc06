/*
 * test_stream.c - the verdict table while it is made: what is there, and when.
 */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>

#include "mechanisms/catalogue.h"
#include "random_formulas.h"
#include "running.h"
#include "tables/stream.h"

TestSuite(live, .init = make_folder, .fini = remove_folder, .timeout = 300);

enum { PIECES = 12, MOST_ROWS = 20 };

/* Pieces whose rows are made up, and the table that shows them. */
struct fake {
    struct job job[PIECES], *list[PIECES];
    struct task *task[PIECES];
    int planned[PIECES];            /* rows that each is going to have */
    struct live live;
    char *text;                     /* what has been printed */
    size_t size;
    FILE *stream;
};

static struct judge_settings settings = {.rtol = NAN, .digits = NAN};
static struct fake *current;        /* for the work of its tasks */

static struct random start_random(void)
{
    struct random random = random_start();
    cr_log_info("seed %llu", random.seed);
    return random;
}

static void open_fake(struct fake *fake, struct random *random)
{
    static const char *const name[] = {"bouncing-ball", "five-bar"};
    *fake = (struct fake){0};
    fake->stream = open_memstream(&fake->text, &fake->size);
    for (int k = 0; k < PIECES; k++) {
        struct job *job = &fake->job[k];
        job->settings = &settings;
        job->desc = case_find(name[2 * k / PIECES]);
        job->oracles = ORACLE_CERTIFIED;
        job->task.weight = k;
        snprintf(job->solution, sizeof job->solution, "way-%d", k);
        fake->planned[k] = random_below(random, MOST_ROWS);
        fake->list[k] = job;
        fake->task[k] = &job->task;
    }
    live_begin(&fake->live, fake->stream, fake->list, PIECES, false);
}

static void close_fake(struct fake *fake)
{
    live_end(&fake->live);
    for (int k = 0; k < PIECES; k++)
        rows_clear(&fake->job[k].rows);
    fclose(fake->stream);
    free(fake->text);
}

static void make_row(struct job *job)
{
    struct row *row = rows_add(&job->rows, ROW_EMPTY, job->desc->name,
                               job->solution, "certified");
    snprintf(row->note, sizeof row->note, "row %d", job->rows.count);
}

/* What must be there: settled rows up to the first that is not. */
static char *expected(struct fake *fake)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const char *last = "";
    bool complete = true, begun = false;
    for (int k = 0; k < PIECES && complete; k++) {
        const struct rows *rows = &fake->job[k].rows;
        for (int i = 0; i < rows->settled; i++) {
            const struct row *row = &rows->row[i];
            if (!begun)
                report_introduction(stream, fake->list, PIECES);
            if (!begun)
                report_heading(stream, &fake->live.layout);
            begun = true;
            report_row(stream, &fake->live.layout, row,
                       strcmp(row->case_name, last) != 0);
            last = row->case_name;
        }
        complete = rows->complete;
    }
    fclose(stream);
    return text;
}

/* A step of a piece that is not complete: a row, perhaps settled, or its end. */
static void step(struct fake *fake, int k, struct random *random)
{
    struct job *job = &fake->job[k];
    if (job->rows.complete)
        return;
    if (job->rows.count == fake->planned[k]) {
        rows_settle(&job->rows, true);
        return;
    }
    make_row(job);
    if (random_below(random, 2))
        rows_settle(&job->rows, false);
}

Test(live, shows_what_is_settled_up_to_the_first_row_that_is_not)
{
    struct fake fake;
    struct random random = start_random();
    open_fake(&fake, &random);
    for (int steps = 0; steps < 20 * PIECES * MOST_ROWS; steps++) {
        step(&fake, random_below(&random, PIECES), &random);
        char *want = expected(&fake);
        cr_assert_str_eq(fake.text ? fake.text : "", want);
        free(want);
    }
    for (int k = 0; k < PIECES; k++)
        cr_assert(fake.job[k].rows.complete);
    close_fake(&fake);
}

Test(live, prints_nothing_where_there_is_no_row)
{
    struct fake fake;
    struct random random = start_random();
    open_fake(&fake, &random);
    for (int k = 0; k < PIECES; k++)
        rows_settle(&fake.job[k].rows, true);
    cr_assert_eq(fake.size, 0);
    close_fake(&fake);
}

/* --- on threads --------------------------------------------------------------------- */

static bool is_there(const struct job *job, int row)
{
    char word[80];
    snprintf(word, sizeof word, "%s ", job->solution);
    const char *line = current->text;
    for (int k = 0; line && k < row; k++) {
        line = strstr(line, word);
        line = line ? line + 1 : NULL;
    }
    return line != NULL;
}

static void work(struct task *task)
{
    struct job *job = (struct job *)task;
    for (int k = 0; k < current->planned[job - current->job]; k++) {
        make_row(job);
        rows_settle(&job->rows, false);
    }
}

/* The same, where rows of pieces before and of this one are to be there at once. */
static void work_and_look(struct task *task)
{
    struct job *job = (struct job *)task;
    long own = job - current->job;
    for (int k = 0; k < own; k++)
        cr_assert(is_there(&current->job[k], current->planned[k]));
    for (int k = 0; k < current->planned[own]; k++) {
        make_row(job);
        cr_assert_not(is_there(job, k + 1));
        rows_settle(&job->rows, false);
        cr_assert(is_there(job, k + 1));
    }
}

Test(live, shows_a_row_before_the_work_of_the_next_one_begins)
{
    struct fake fake;
    struct random random = start_random();
    current = &fake;
    open_fake(&fake, &random);
    for (int k = 0; k < PIECES; k++)
        fake.job[k].task.run = work_and_look;
    pool_run(NULL, fake.task, PIECES, 1);
    close_fake(&fake);
}

Test(live, prints_the_same_bytes_with_any_number_of_threads)
{
    char *want = NULL;
    for (int jobs = 1; jobs <= 8; jobs++) {
        struct fake fake;
        struct random random = start_random();
        current = &fake;
        open_fake(&fake, &random);
        for (int k = 0; k < PIECES; k++)
            fake.job[k].task.run = work;
        pool_run(NULL, fake.task, PIECES, jobs);
        if (!want)
            want = strdup(fake.text);
        cr_assert_str_eq(fake.text, want);
        close_fake(&fake);
    }
    free(want);
}

/* --- the command -------------------------------------------------------------------- */

/* The command with its output in a pipe, and its process. */
static pid_t start_command(const char *arguments, FILE **out)
{
    int end[2];
    char command[3 * PATH_MAX];
    snprintf(command, sizeof command, "cd %s && exec '%s' %s 2> err", folder,
             command_path(), arguments);
    cr_assert_eq(pipe(end), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(end[1], STDOUT_FILENO);
        close(end[0]);
        close(end[1]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(end[1]);
    *out = fdopen(end[0], "r");
    return pid;
}

/* Reads lines up to one that begins like this. */
static void read_up_to(FILE *out, const char *beginning)
{
    char line[2000];
    while (fgets(line, sizeof line, out))
        if (strncmp(line, beginning, strlen(beginning)) == 0)
            return;
    cr_assert_fail("no line '%s'", beginning);
}

/* The second solver answers only when it is told so: through a pipe that is opened after
   the row of the first one has been read. */
static const char waits[] = "verify bouncing-ball --solver 'echo no answer' "
                            "--solver 'read word < told; echo $word' --timeout 200 -j 1";
static const char first_row[] = "bouncing-ball  echo";

static void make_told(char *path, size_t size)
{
    snprintf(path, size, "%s/told", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
}

Test(live, a_pipe_sees_the_first_row_before_the_case_is_finished)
{
    FILE *out;
    char path[200];
    int end;
    make_told(path, sizeof path);
    pid_t pid = start_command(waits, &out);
    read_up_to(out, first_row);
    int told = open(path, O_WRONLY);
    cr_assert_geq(told, 0);
    cr_assert_eq(write(told, "x\n", 2), 2);
    close(told);
    read_up_to(out, "               read");
    read_up_to(out, "0 rows passed, 2 failed");
    cr_assert_eq(waitpid(pid, &end, 0), pid);
    cr_assert(WIFEXITED(end) && WEXITSTATUS(end) == SHORT);
    fclose(out);
}

Test(live, what_was_printed_stays_when_the_command_is_killed)
{
    FILE *out;
    char path[200];
    int end;
    make_told(path, sizeof path);
    pid_t pid = start_command(waits, &out);
    int told = open(path, O_WRONLY);        /* the second solver has begun */
    cr_assert_geq(told, 0);
    kill(pid, SIGKILL);
    cr_assert_eq(waitpid(pid, &end, 0), pid);
    cr_assert(WIFSIGNALED(end));
    close(told);
    read_up_to(out, first_row);
    fclose(out);
}
