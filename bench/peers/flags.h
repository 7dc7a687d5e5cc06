/*
 * flags.h - compiler and flags of the hand-written code and of this program, as text.
 */
#ifndef SALTUS_FLAGS_H
#define SALTUS_FLAGS_H

/* The Makefile defines both. */
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
