/*
 * flags.h - how the hand-written code, and this program, were compiled, for the table.
 */
#ifndef SALTUS_FLAGS_H
#define SALTUS_FLAGS_H

/* From the Makefile. */
#ifndef PEER_FLAGS
#define PEER_FLAGS "flags not stated"
#endif

#ifndef OWN_FLAGS
#define OWN_FLAGS "flags not stated"
#endif

#ifdef __clang__
#define COMPILER "clang " __clang_version__ " "
#else
#define COMPILER "gcc " __VERSION__ " "
#endif

#define PEER_BUILD COMPILER PEER_FLAGS
#define OWN_BUILD COMPILER OWN_FLAGS

#endif
