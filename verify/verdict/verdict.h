/*
 * verdict.h - one judged number: its name and time, both values, its digits and its bar.
 *
 * Tables, JSON, JUnit and TAP are views of this.
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
    char name[QUANTITY_NAME];   /* name of the quantity (quantity.h); "": there is none */
    double t;                   /* time of the number; NAN: it has none */
    double digits;              /* decimal digits that agree (comparison.c) */
    double bar;                 /* digits that are asked for (bars.h) */
    double scale, condition;    /* scale and condition of the quantity (scales.h);
                                   condition 0: not known */
    char got[NUMBER_TEXT], want[NUMBER_TEXT];
    enum verdict_status status;
};

/* Kinds of remark on a row: the source of a printed number, and the outcomes of the
   orders of events that come together. Remarks stand in this order, one after the
   other. */
enum remark_kind {
    REMARK_SOURCE,              /* text: where verdict `at` is printed */
    REMARK_DISPUTED,            /* text: why verdict `at` is only shown */
    REMARK_TOGETHER,            /* text: names of events; value: time; at: agree? */
    REMARK_ORDER,               /* begins one order of the events */
    REMARK_EVENT,               /*   text: name of an event */
    REMARK_TAU,                 /* name and value of the derivative of the event's time */
    REMARK_REFUSED,             /*   text: status with which the motion ends */
    REMARK_AFTER,               /* begins the numbers after all events of the order */
    REMARK_NUMBER               /*     text, value: a number */
};

struct remark {
    enum remark_kind kind;
    int at;
    double value;
    char text[480];
};

#endif
