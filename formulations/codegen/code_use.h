/*
 * code_use.h - when equations are compiled: a choice of a run (run.h).
 */
#ifndef SALTUS_CODE_USE_H
#define SALTUS_CODE_USE_H

/* An interpreted program and its compiled code compute the same to the bit. */
enum code_use {
    CODE_AUTO,          /* a program is compiled when it has been interpreted for as long
                           as compiling it will take */
    CODE_NEVER,
    CODE_ALWAYS         /* at once */
};

#endif
