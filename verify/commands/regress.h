/*
 * regress.h - the digits of all verdicts kept and compared, for the commands that judge.
 */
#ifndef SALTUS_COMMANDS_REGRESS_H
#define SALTUS_COMMANDS_REGRESS_H

#include "commands/request.h"
#include "tables/regress.h"

struct regress {
    const struct args *args;
    struct request *request;
    const char *save, *against;     /* files of the options; NULL: not asked for */
    double tolerance;               /* digits that a kind may lose; --tolerance */
    struct settings_text settings;
    struct table before;            /* table of the file `against` */
    struct regression regression;
};

/* Reads --save, --against and --tolerance, and the table of --against. The request must
   stay in its place; its cases become those of the table where no operand names any.
   False after a complaint; regress_clear is due in either case. */
bool regress_read(struct regress *regress, const struct args *args,
                  struct request *request);
/* Saves and compares the verdicts of the request, all of which are there, and says so on
   standard output unless `alone`. EXIT_SHORT: something is worse, or nothing was
   compared; EXIT_USAGE after a complaint: the file cannot be written. */
enum exit_status regress_end(struct regress *regress, bool alone);
void regress_clear(struct regress *regress);

#endif
