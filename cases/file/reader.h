/*
 * reader.h - the keys of a model file become the words of a case (model.h).
 *
 * A section is a table of keys; a list of struct key says which it may have, in the order
 * in which they are read. Whatever is wrong is kept by model_misuse with its place, the
 * first one counts, and reading goes on.
 */
#ifndef SALTUS_FILE_READER_H
#define SALTUS_FILE_READER_H

#include "file/document.h"
#include "file/keys.h"
#include "model.h"

struct reader {
    struct model *model;
    const struct document *document;
    /* the part that is being read */
    struct parameter *parameter;
    struct mode *mode;
    struct event *event;
    struct load load;
    struct { formula Psi, E; bool velocity_level; } impulse;
    const struct names *names;      /* of formulas in this part; NULL: the model's */
    struct elements *elements;      /* points, bodies and places (element.h) */
};

/* The functions that read the values of keys. */
#define KEY(SECTION, name, read, SHAPE, meaning) \
    void read(struct reader *reader, const struct node *value);
#include "file/keys.def"
#undef KEY

/* Refuses the model at a node, printf-like. */
void yaml_refuse(struct reader *reader, const struct node *node, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));
/* True: something has been refused already. The first refusal counts, so others need not
   be worked out: in a loop there may be thousands, each with names to choose from. */
bool yaml_failed(const struct reader *reader);
/* Is it of the kind? Else the model is refused: `what` must be `kind`. */
bool yaml_is(struct reader *reader, const struct node *node, enum node_kind kind,
               const char *what);
/* Reads a section: refuses keys that it may not have, with the nearest that it may, and
   reads the others in the order of keys.def. `what` names the section: "an event". */
void yaml_section(struct reader *reader, enum section section, const struct node *table,
                    const char *what);
/* Refuses a node that is no table, and keys that the section may not have; false: it is
   no table. */
bool yaml_keys(struct reader *reader, enum section section, const struct node *table,
               const char *what);
/* The meaning of a key, as keys.def has it. */
const char *yaml_meaning(enum section section, const char *key);
/* Calls `read` for each part of a section of named parts: a table from names to parts, or
   a list of tables that have the key `name`. */
void yaml_named(struct reader *reader, const struct node *section, const char *what,
                  void (*read)(struct reader *reader, const struct node *name,
                               const struct node *part));

/* The formula that a text is; the zero formula after a refusal. */
formula yaml_formula(struct reader *reader, const struct node *node);
/* The blocks of variables that formulas depend on, 1 << block of each. */
uint32_t yaml_blocks(const formula *f, int count);
/* The number of a word in a NULL-terminated list of words; -1 after a refusal. */
int yaml_word(struct reader *reader, const struct node *node, const char *what,
                const char *const *words);
/* "true" or "false". */
bool yaml_flag(struct reader *reader, const struct node *node, const char *what);
/* "null", "~" and the empty text in a list leave its entry unset. */
bool yaml_unset(const struct node *node);
/* The text of a node; "" after a refusal. */
const char *yaml_text(struct reader *reader, const struct node *node, const char *what);
/* Texts with ", " in between: a text, or a list of texts. To be freed. */
char *yaml_words(struct reader *reader, const struct node *node, const char *what);

/* The variable that a key names; false after a refusal, unless one of blocks[count]. */
bool yaml_variable(struct reader *reader, const struct node *key, const char *what,
                     const int *blocks, int count, int *block, int *index);
/* out[k] for the name of variable k of a block, or for entry k of a list. */
void yaml_vector(struct reader *reader, const struct node *node, const char *what,
                   int block, int count, formula *out);
/* The same for costs, which are no variables. */
void yaml_costs(struct reader *reader, const struct node *node, const char *what,
                  formula *out);
/* The index of a name in a list of names; -1 after a refusal. */
int yaml_name(struct reader *reader, const struct node *node, const char *what,
                char *const *name, int count);
/* The mode that a text names; NULL after a refusal. */
struct mode *yaml_mode(struct reader *reader, const struct node *node);

#endif
