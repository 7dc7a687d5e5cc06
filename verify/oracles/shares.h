/*
 * shares.h - what oracles share with what they judge (shares.def).
 */
#ifndef SALTUS_SHARES_H
#define SALTUS_SHARES_H

#include <stddef.h>

struct shares_part {
    const char *id, *words;
};
extern const struct shares_part shares_parts[];
extern const int shares_part_count;

/* In the order of oracle_names. */
struct shares {
    const char *oracle;
    const char *shared, *apart;     /* comma separated IDs of parts */
    const char *more;
};
extern const struct shares shares[];
extern const int shares_count;

enum { SHARES_TEXT = 512 };
/* "shares the formulas of the case; not equations of resets; values only" for an oracle
   by its place in oracle_names. */
void shares_text(int oracle, char *text, size_t size);

#endif
