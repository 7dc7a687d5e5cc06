/*
 * verdict.h - one number, judged: what it is, when, both values, its digits and its bar.
 *
 * Whatever is written of verdicts, a table, JSON, JUnit or TAP, is a view of this.
 */
#ifndef SALTUS_VERDICT_H
#define SALTUS_VERDICT_H

#include "quantity/quantity.h"

enum verdict_status {
    VERDICT_FAIL,               /* fewer digits than its bar */
    VERDICT_PASS,
    VERDICT_SHOWN               /* not judged: part of a modelling gap, or disputed */
};

/* Decimal text of a number of any precision, up to 60 digits. */
enum { NUMBER_TEXT = 72 };

struct verdict {
    char name[QUANTITY_NAME];   /* of the quantity (quantity.h); "": there is none */
    double t;                   /* NAN: at no time */
    double digits;              /* decimal digits that agree (comparison.c) */
    double bar;                 /* digits that are asked for (bars.h) */
    double scale, condition;    /* of the quantity (scales.h); condition 0: not known */
    char got[NUMBER_TEXT], want[NUMBER_TEXT];
    enum verdict_status status;
};

/* Beside the verdicts of a row: where a number is printed, and what events that come
   together lead to in each of their orders. In this order, one after the other. */
enum remark_kind {
    REMARK_SOURCE,              /* text: where verdict `at` is printed */
    REMARK_DISPUTED,            /* text: why verdict `at` is only shown */
    REMARK_TOGETHER,            /* text: names of events; value: time; at: agree? */
    REMARK_ORDER,               /* one order of them: */
    REMARK_EVENT,               /*   text: name of an event */
    REMARK_TAU,                 /*     text, value: the derivative of its time */
    REMARK_REFUSED,             /*   text: status with which the motion ends */
    REMARK_AFTER,               /*   after all of them: */
    REMARK_NUMBER               /*     text, value: a number */
};

struct remark {
    enum remark_kind kind;
    int at;
    double value;
    char text[480];
};

#endif
