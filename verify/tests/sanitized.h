/*
 * sanitized.h - is this program compiled with AddressSanitizer? It has a malloc of its
 * own and a large shadow of memory, and looks for other mistakes than tests do.
 */
#ifndef SALTUS_SANITIZED_H
#define SALTUS_SANITIZED_H

#if defined __SANITIZE_ADDRESS__            /* gcc */
#define SANITIZED 1
#elif defined __has_feature                 /* clang */
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

/* Beside a sanitizer, tests that go through the whole catalogue take every fourth case:
   is case `k` left to the plain build, which takes all? */
#define LEFT_TO_PLAIN_BUILD(k) (SANITIZED && (k) % 4 > 0)

#endif
