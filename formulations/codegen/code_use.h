/*
 * code_use.h - the choice of a run when equations are compiled (run.h).
 */
#ifndef SALTUS_CODE_USE_H
#define SALTUS_CODE_USE_H

/* An interpreted program and its compiled code compute the same to the bit. */
enum code_use {
    CODE_AUTO,          /* a program is compiled when it has been interpreted for as long
                           as compiling it will take */
    CODE_NEVER,         /* programs are interpreted */
    CODE_ALWAYS         /* programs are compiled before they run */
};

#endif
