/*
 * junit.c - checks as JUnit XML: a suite for each case, a test case for each row.
 */
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tables/checks.h"
#include "tables/json_parts.h"

#define XML(text) ((const xmlChar *)(text))

static void attribute(xmlTextWriterPtr xml, const char *name, const char *text)
{
    char *clean = text_cleaned(text);
    xmlTextWriterWriteAttribute(xml, XML(name), XML(clean));
    free(clean);
}

/* Writes how many checks there are in from..to - 1, and how many failed and were
   skipped. */
static void counts(xmlTextWriterPtr xml, const struct checks *checks, int from, int to)
{
    int of[CHECK_RESULTS] = {0};
    char text[20];
    for (int k = from; k < to; k++)
        of[checks->check[k].result]++;
    const struct { const char *name; int count; } number[] = {
        {"tests", to - from}, {"failures", of[CHECK_FAILED]}, {"errors", 0},
        {"skipped", of[CHECK_SKIPPED]},
    };
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        snprintf(text, sizeof text, "%d", number[k].count);
        attribute(xml, number[k].name, text);
    }
}

/* "name: value", a line each. */
static void details(xmlTextWriterPtr xml, const cJSON *detail)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, detail) {
        char *text = json_printed(item);
        char *clean = text_cleaned(text);
        xmlTextWriterWriteFormatString(xml, "\n%s: %s", item->string, clean);
        free(clean);
        cJSON_free(text);
    }
    xmlTextWriterWriteString(xml, XML("\n"));
}

static void test_case(xmlTextWriterPtr xml, const struct check *check)
{
    xmlTextWriterStartElement(xml, XML("testcase"));
    attribute(xml, "classname", check->group);
    attribute(xml, "name", check->name);
    if (check->result != CHECK_PASSED) {
        bool failed = check->result == CHECK_FAILED;
        xmlTextWriterStartElement(xml, XML(failed ? "failure" : "skipped"));
        attribute(xml, "message", check->message);
        if (failed) {
            attribute(xml, "type", check->kind);
            details(xml, check->detail);
        }
        xmlTextWriterEndElement(xml);
    }
    xmlTextWriterEndElement(xml);
}

/* The end of the suite that begins at `from`: its checks are of one case. */
static int end_of_suite(const struct checks *checks, int from)
{
    int to = from;
    while (to < checks->count &&
           strcmp(checks->check[to].group, checks->check[from].group) == 0)
        to++;
    return to;
}

static void suites(xmlTextWriterPtr xml, const struct checks *checks)
{
    xmlTextWriterStartElement(xml, XML("testsuites"));
    attribute(xml, "name", checks->title);
    counts(xml, checks, 0, checks->count);
    for (int from = 0, to; from < checks->count; from = to) {
        to = end_of_suite(checks, from);
        xmlTextWriterStartElement(xml, XML("testsuite"));
        attribute(xml, "name", checks->check[from].group);
        counts(xml, checks, from, to);
        for (int k = from; k < to; k++)
            test_case(xml, &checks->check[k]);
        xmlTextWriterEndElement(xml);
    }
    xmlTextWriterEndElement(xml);
}

/* The text is written into memory first, where only memory can fail. */
bool report_junit(FILE *stream, const struct checks *checks)
{
    xmlBufferPtr buffer = xmlBufferCreate();
    xmlTextWriterPtr xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (!xml)
        memory_exhausted();
    xmlTextWriterSetIndent(xml, 1);
    xmlTextWriterStartDocument(xml, NULL, "UTF-8", NULL);
    suites(xml, checks);
    bool good = xmlTextWriterEndDocument(xml) >= 0;
    xmlFreeTextWriter(xml);
    if (good)
        fputs((const char *)xmlBufferContent(buffer), stream);
    xmlBufferFree(buffer);
    return good;
}
