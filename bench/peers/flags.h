/*
 * flags.h - how the hand-written code was compiled, for the table.
 */
#ifndef SALTUS_BENCH_FLAGS_H
#define SALTUS_BENCH_FLAGS_H

/* From the Makefile. */
#ifndef PEER_FLAGS
#define PEER_FLAGS "flags not stated"
#endif

#ifdef __clang__
#define PEER_BUILD "clang " __clang_version__ " " PEER_FLAGS
#else
#define PEER_BUILD "gcc " __VERSION__ " " PEER_FLAGS
#endif

#endif
