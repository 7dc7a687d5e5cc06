/*
 * for_each.h - recursion by the C preprocessor: FOR_EACH(MACRO, a, b, c) expands to
 * MACRO(a) MACRO(b) MACRO(c).
 *
 * The preprocessor does not recurse, but it rescans. A postponed call (POSTPONE_) is not
 * expanded in the scan that makes it, only in the next; SCAN_4 scans often enough for 256
 * names. The list ends with an empty pair of brackets, which MARK_ recognises.
 */
#ifndef SALTUS_FOR_EACH_H
#define SALTUS_FOR_EACH_H

#define FOR_EACH(macro, ...) SCAN_4_(EACH_(macro, __VA_ARGS__, (), ()))

#define SCAN_4_(...) SCAN_3_(SCAN_3_(SCAN_3_(SCAN_3_(__VA_ARGS__))))
#define SCAN_3_(...) SCAN_2_(SCAN_2_(SCAN_2_(SCAN_2_(__VA_ARGS__))))
#define SCAN_2_(...) SCAN_1_(SCAN_1_(SCAN_1_(SCAN_1_(__VA_ARGS__))))
#define SCAN_1_(...) SCAN_0_(SCAN_0_(SCAN_0_(SCAN_0_(__VA_ARGS__))))
#define SCAN_0_(...) __VA_ARGS__

#define NOTHING_()
#define POSTPONE_(macro) macro NOTHING_()

/* Before a name, MARK_ stays as it is, and the second argument of CHOOSE_ goes on;
   before the empty pair it becomes "~, EACH_END_", and the second argument ends the
   list. */
#define EACH_(macro, x, next, ...) \
    macro(x) CHOOSE_(MARK_ next, EACH_AGAIN_)(macro, next, __VA_ARGS__)
#define EACH_AGAIN_(macro, next, ...) POSTPONE_(EACH_NAME_)()(macro, next, __VA_ARGS__)
#define EACH_NAME_() EACH_
#define MARK_() ~, EACH_END_
#define EACH_END_(...)
#define CHOOSE_(...) SECOND_(__VA_ARGS__, ~, ~)
#define SECOND_(first, second, ...) second

#endif
