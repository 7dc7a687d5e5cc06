/*
 * classes.h - the kinds of event and of mechanism that a case has, read off its model.
 * The words that the case declares (.classes) must not contradict them.
 */
#ifndef SALTUS_CLASSES_H
#define SALTUS_CLASSES_H

#include "model.h"

enum class {
#define CLASS(ID, word, meaning) CLASS_##ID,
#include "coverage/classes.def"
#undef CLASS
    CLASSES
};

/* A set of classes: bit 1 << CLASS_x. */
typedef unsigned class_set;

struct class_info {
    const char *word, *meaning;
};
extern const struct class_info class_info[CLASSES];

/* The classes that the case declares. Words that are not in classes.def are left out. */
class_set classes_declared(const struct case_desc *desc);
/* The classes that the formulas of one event show. */
class_set classes_of_event(const struct model *model, const struct event *event);
/*
 * The classes of all events, and of the mechanism. Redundancy is the rank of Phi_q at the
 * start, at nominal values. Classes that no formula shows (simultaneous events; singular
 * points; redundancy of a mode that is entered later) are as declared.
 */
class_set classes_of_model(const struct model *model);
/* BAD_INPUT: a declared word contradicts the model; the diagnosis names the word. */
enum status classes_check(const struct model *model, struct diagnosis *diagnosis);

/* The words of .classes in the catalogue, each once, at most `room`; returns how many. */
int case_class_words(const char **name, int room);

#endif
