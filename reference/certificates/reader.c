/* reader.c - lexer of files of certified values: lines, words, numbers; see reader.h. */
#include "reader.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "file/model_file.h"

void reader_fail(struct reader *r, const char *format, ...)
{
    char message[300];
    va_list arguments;
    if (r->status != OK)
        return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    r->status = diagnose(r->diagnosis, BAD_INPUT, NAN, "%s:%d: %s", r->path, r->line,
                         message);
}

/* --- the file ----------------------------------------------------------------------- */

enum status reader_open(const char *path, const struct model *model, const char *command,
                        struct reader **out, struct diagnosis *diagnosis)
{
    FILE *file = fopen(path, "re");
    *out = NULL;
    if (file == NULL)
        return diagnose(diagnosis, BAD_INPUT, NAN, "cannot read %s: %s", path,
                        strerror(errno));
    struct reader *r = *out = memory_new(1, sizeof *r);
    *r = (struct reader){.file = file, .path = path, .sum = HASH_BEGIN,
                         .diagnosis = diagnosis};
    r->rest = r->text = memory_new(1, 1);
    r->room = 1;
    snprintf(r->again, sizeof r->again, command, case_word(model->desc));
    return OK;
}

void reader_close(struct reader *r)
{
    if (r == NULL)
        return;
    fclose(r->file);
    free(r->text);
    free(r);
}

/* --- lines, words, numbers ---------------------------------------------------------- */

void reader_next(struct reader *r)
{
    if (r->status != OK)
        return;
    r->line++;
    ssize_t length = getline(&r->text, &r->room, r->file);
    r->rest = r->text;
    if (length <= 0) {
        r->text[0] = '\0';
        reader_fail(r, "the file ends early");
        return;
    }
    r->sum_before = r->sum;
    r->sum = hash_bytes(r->sum, r->text, (size_t)length);
    if (r->text[length - 1] != '\n' || strlen(r->text) != (size_t)length)
        reader_fail(r, "the line is cut off");
    else
        r->text[length - 1] = '\0';
}

const char *reader_word(struct reader *r)
{
    if (r->status != OK || *r->rest == '\0')
        return "";
    char *start = r->rest, *space = strchr(start, ' ');
    r->rest = space ? space + 1 : start + strlen(start);
    if (space)
        *space = '\0';
    return start;
}

void reader_expect(struct reader *r, const char *want)
{
    const char *got = reader_word(r);
    if (r->status == OK && strcmp(got, want) != 0)
        reader_fail(r, "\"%s\" is expected, not \"%.60s\"", want, got);
}

void reader_end(struct reader *r)
{
    if (r->status == OK && *r->rest != '\0')
        reader_fail(r, "\"%.60s\" is left over", r->rest);
}

void reader_number(struct reader *r, mpfr_ptr x)
{
    char *end;
    const char *text = reader_word(r);
    if (r->status != OK)
        return;
    mpfr_strtofr(x, text, &end, 10, MPFR_RNDN);
    if (*text == '\0' || *end != '\0' || !mpfr_number_p(x))
        reader_fail(r, "\"%.60s\" is not a number", text);
}

long reader_count(struct reader *r, long least, long most)
{
    const char *text = reader_word(r);
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (r->status == OK &&
        (*text == '\0' || *end != '\0' || errno != 0 || value < least || value > most))
        reader_fail(r, "\"%.60s\" is not a whole number from %ld to %ld", text, least,
                    most);
    return r->status == OK ? value : least;
}

void reader_value(struct reader *r, const char *name, mpfr_ptr value, mpfr_ptr agreed)
{
    reader_next(r);
    reader_expect(r, name);
    reader_number(r, value);
    reader_number(r, agreed);
    reader_end(r);
}

long reader_count_line(struct reader *r, const char *name, long least, long most)
{
    reader_next(r);
    reader_expect(r, name);
    long value = reader_count(r, least, most);
    reader_end(r);
    return value;
}

char *reader_text(struct reader *r, const char *name)
{
    reader_next(r);
    reader_expect(r, name);
    return r->status == OK && strcmp(r->rest, "-") != 0 ? certificate_text(r->rest)
                                                        : NULL;
}

double reader_double(struct reader *r, const char *name)
{
    mpfr_t value;
    mpfr_init2(value, 64);
    mpfr_set_zero(value, 1);
    reader_next(r);
    reader_expect(r, name);
    reader_number(r, value);
    reader_end(r);
    double x = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return x;
}

uint64_t reader_hash(struct reader *r, const char *name)
{
    reader_expect(r, name);
    const char *text = reader_word(r);
    char *end;
    uint64_t hash = strtoull(text, &end, 16);
    if (r->status == OK && (strlen(text) != 16 || *end != '\0'))
        reader_fail(r, "\"%.60s\" is not a sum of 16 hexadecimal digits", text);
    reader_end(r);
    return hash;
}

void reader_title(struct reader *r, const char *title, int format)
{
    size_t length = strlen(title);
    reader_next(r);
    bool titled = strncmp(r->text, title, length) == 0 && r->text[length] == ' ';
    r->rest = r->text + (titled ? length + 1 : 0);
    if (!titled)
        reader_fail(r, "this is not a file of %s", title + strlen("saltus "));
    long own = reader_count(r, 1, 1000000);
    if (r->status == OK && own != format)
        reader_fail(r, "made by %s saltus; %s", own < format ? "an older" : "a newer",
                    r->again);
    reader_end(r);
}

void reader_case(struct reader *r, const struct model *model)
{
    char *name = reader_text(r, "case");
    if (r->status == OK && (name == NULL || strcmp(name, model->desc->name) != 0))
        reader_fail(r, "made for case %s, not %s", name ? name : "-", model->desc->name);
    free(name);
    free(reader_text(r, "file"));
}

void reader_formulas(struct reader *r, const struct model *model)
{
    reader_next(r);
    uint64_t formulas = reader_hash(r, "formulas");
    if (r->status == OK && formulas != model->fingerprint)
        reader_fail(r, "the model has changed since this was made: %s", r->again);
}

char *reader_parameter(struct reader *r, const struct model *model, int j)
{
    const struct parameter *parameter = &model->parameter[j];
    char *given = NULL;
    reader_next(r);
    reader_expect(r, "parameter");
    reader_expect(r, parameter->name);
    if (r->status == OK && strncmp(r->rest, "given ", strlen("given ")) == 0) {
        mpfr_t value;
        mpfr_init2(value, 64);
        given = certificate_text(r->rest + strlen("given "));
        reader_word(r);
        reader_number(r, value);
        reader_end(r);
        mpfr_clear(value);
        return given;
    }
    reader_expect(r, "nominal");
    char *stated = formula_text(parameter->nominal, NULL, NULL);
    if (r->status == OK && strcmp(r->rest, stated) != 0)
        reader_fail(r, "the nominal value of %s has changed since this was made, from "
                    "%.60s to %.60s: %s", parameter->name, r->rest, stated, r->again);
    free(stated);
    return NULL;
}

void reader_seal(struct reader *r)
{
    reader_next(r);
    uint64_t sum = reader_hash(r, "checksum");
    if (r->status == OK && sum != r->sum_before)
        reader_fail(r, "the checksum is wrong: the file has been changed since it was "
                    "written; %s", r->again);
    reader_next(r);
    reader_expect(r, "complete");
    reader_end(r);
    if (r->status == OK && fgetc(r->file) != EOF)
        reader_fail(r, "something follows the end");
}
