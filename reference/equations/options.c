/* options.c - options of the reference motion: variant, reset policy, and the
   symmetric matrices alpha, K_D, K_P of the penalty family (Corner, Sandu, Sandu 2019,
   (64)). */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan.h"

/* The policy is that of the model's resets. A truth names it, too, so that certified
   values of one policy are not taken for those of the other. */
enum status plan_check_truth(const struct model *model, const struct truth *truth,
                             struct diagnosis *diagnosis)
{
    bool exact = truth->variant == NULL || strcmp(truth->variant, "exact") == 0;
    const char *policy = reset_policy_text[model->reset];
    const char *named = truth->reset ? truth->reset : reset_policy_text[RESET_IMPULSIVE];
    if (!exact && strcmp(truth->variant, "penalty") != 0)
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "the reference knows the motions \"exact\" and \"penalty\", not "
                        "\"%s\"", truth->variant);
    if (strcmp(named, policy) != 0)
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "the resets of this model are %s, those asked for %s", policy,
                        named);
    if (exact && model->reset != RESET_IMPULSIVE)
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "%s resets leave velocities that violate the constraints: they "
                        "belong to the penalty motion, not to the exact one", policy);
    return OK;
}

/* Splits a text at commas into numbers, which stay text, each ended by a zero byte.
   Returns their count, or -1 with the culprit in *bad; at most `room` of them. */
static int split(char *text, char **number, int room, const char **bad)
{
    int count = 0;
    for (char *rest = text, *part; (part = strsep(&rest, ",")) != NULL; count++) {
        while (isspace((unsigned char)*part))
            part++;
        for (char *end = part + strlen(part);
             end > part && isspace((unsigned char)end[-1]);)
            *--end = '\0';
        mpfr_t value;
        char *end;
        mpfr_init2(value, 64);
        mpfr_strtofr(value, part, &end, 10, MPFR_RNDN);
        bool ok = *part != '\0' && *end == '\0' && mpfr_number_p(value) && count < room;
        mpfr_clear(value);
        *bad = part;
        if (!ok)
            return -1;
        number[count] = part;
    }
    return count;
}

/* The matrix out [m * m] of a text: one number times the identity, m numbers on the
   diagonal, or m*m numbers by rows. BAD_INPUT: another count, or a word that is no
   number. */
static enum status matrix(const struct model *model, int m, const char *name,
                          const char *text, formula *out, struct diagnosis *diagnosis)
{
    char *copy = memory_text(text, strlen(text));
    int room = m * m > 1 ? m * m : 1;
    char **number = memory_new(room, sizeof *number);
    const char *bad = "";
    int count = split(copy, number, room, &bad);
    enum status status = OK;
    if (count < 0)
        status = diagnose(diagnosis, BAD_INPUT, NAN,
                          "%s: \"%s\" is not a number, or there are more than %d of them",
                          name, bad, room);
    else if (m > 0 && count != 1 && count != m && count != m * m)
        status = diagnose(
            diagnosis, BAD_INPUT, NAN,
            "%s: %d numbers given; with %d constraints it takes 1, %d or %d", name, count,
            m, m, m * m);
    for (int i = 0; status == OK && i < m; i++)
        for (int j = 0; j < m; j++) {
            if (count == m * m && m > 1)
                out[i * m + j] = constant(model->tape, number[i * m + j]);
            else if (i == j)
                out[i * m + j] = constant(model->tape, number[count == 1 ? 0 : i]);
        }
    free(number);
    free(copy);
    return status;
}

/* Cholesky factorisation in double is enough for matrices that a person has typed. */
static bool positive_definite(const struct model *model, const formula *matrix, int m)
{
    static const unsigned char no_stage[BLOCK_LIMIT];
    struct program *program = program_seal(model->tape, matrix, m * m, no_stage);
    double *w = memory_new(program->slots, sizeof *w);
    double *a = memory_new(m * m, sizeof *a);
    program_init(program, w);
    for (int i = 0; i < m * m; i++)
        a[i] = w[program->output[i]];
    bool good = true;
    for (int j = 0; good && j < m; j++)
        for (int i = j; good && i < m; i++) {
            double sum = a[i * m + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * m + k] * a[j * m + k];
            if (i == j && !(sum > 0))
                good = false;
            a[i * m + j] = i == j ? sqrt(sum) : sum / a[j * m + j];
        }
    free(a);
    free(w);
    program_free(program);
    return good;
}

static bool symmetric(const formula *matrix, int m)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            if (!same_formula(matrix[i * m + j], matrix[j * m + i]))
                return false;
    return true;
}

enum status plan_matrices(const struct model *model, int m, const struct truth *truth,
                          formula *alpha, formula *K_D, formula *K_P,
                          struct diagnosis *diagnosis)
{
    if (truth->alpha == NULL)
        return diagnose(diagnosis, BAD_INPUT, NAN, "the penalty motion needs alpha");
    const struct { const char *name, *text; formula *out; } each[] = {
        {"alpha", truth->alpha, alpha},
        {"K_D", truth->K_D ? truth->K_D : "0", K_D},
        {"K_P", truth->K_P ? truth->K_P : "0", K_P},
    };
    for (int i = 0; i < 3; i++) {
        enum status status = matrix(model, m, each[i].name, each[i].text, each[i].out,
                                    diagnosis);
        if (status != OK)
            return status;
        if (!symmetric(each[i].out, m))
            return diagnose(diagnosis, NOT_SPD, NAN, "%s is not symmetric", each[i].name);
    }
    if (m > 0 && !positive_definite(model, alpha, m))
        return diagnose(diagnosis, NOT_SPD, NAN, "alpha is not positive definite");
    return OK;
}
