/*
 * test_foreign_csv.c - the reader of numbers and tables that other programs have written.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "foreign/csv.h"
#include "sampling.h"

TestSuite(foreign_csv, .timeout = 120);

/* --- numbers ------------------------------------------------------------------------ */

static void expect_number(const char *text)
{
    const char *end;
    char *end_of_strtod;
    double got = csv_number(text, &end), want = strtod(text, &end_of_strtod);
    cr_assert(memcmp(&got, &want, sizeof got) == 0, "%s: %.17g, strtod %.17g", text, got,
              want);
    cr_assert_eq(end, end_of_strtod, "%s: %td characters", text, end - text);
}

Test(foreign_csv, numbers_are_those_of_strtod_to_the_bit)
{
    static const char *const edges[] = {
        "0", "-0", "+0", "1", "-1", "+1", ".5", "5.", "-.5e1", "1e", "1e+", "1e5x",
        "00012.5000", "0.1", "0.3", "9007199254740993", "9007199254740992.5",
        "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "1e22", "1e23", "1e27", "1e28", "8.98846567431158e307",
        "1.7976931348623157e308", "1.7976931348623159e308", "2.2250738585072014e-308",
        "4.9e-324", "2.4e-324", "1e-400", "1e400", "-1e400", "0e999999999",
        "1e99999999999", "0.000000000000000000000000000000000000001",
        "123456789012345678901234567890", "1.00000000000000011102230246251565404",
        "1.000000000000000111022302462515654", "0.1e-5,7", "3\n",
    };
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++)
        expect_number(edges[k]);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Bit patterns printed with 1 to 20 digits, and digits at random. */
Test(foreign_csv, random_numbers_are_those_of_strtod_to_the_bit)
{
    uint64_t seed = (uint64_t)time(NULL) | 1, state = seed;
    cr_log_info("seed %llu", (unsigned long long)seed);
    for (int k = 0; k < 300000; k++) {
        char text[80];
        uint64_t bits = next_random(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (k % 2)
            value = ldexp((double)(bits >> 11), (int)(bits % 120) - 110);
        if (isfinite(value)) {
            snprintf(text, sizeof text, "%.*g", 1 + (int)(bits % 20), value);
            expect_number(text);
        }
        snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(bits >> 34),
                 (unsigned long long)(next_random(&state) >> (bits % 60)),
                 (int)(bits % 61) - 30);
        expect_number(text);
    }
}

/* --- tables ------------------------------------------------------------------------- */

static enum csv_step read_all(const char *text, size_t length, long *rows,
                              struct diagnosis *diagnosis)
{
    struct csv csv;
    enum csv_step step = CSV_WRONG;
    *rows = 0;
    if (csv_open(&csv, "x.csv", text, length, 0, diagnosis) == OK) {
        for (int k = 0; k < csv.columns; k++)
            csv.kind[k] = strcmp(csv.name[k], "word") == 0 ? CSV_WORD
                          : csv.name[k][0] == 'm'          ? CSV_MAYBE
                                                           : CSV_NUMBER;
        while ((step = csv_next(&csv)) == CSV_ROW)
            ++*rows;
    }
    csv_close(&csv);
    return step;
}

Test(foreign_csv, tables_are_read_however_they_are_spaced_and_ended)
{
    static const struct { const char *text; long rows; } tables[] = {
        {"a,b\n1,2\n3,4\n", 2},
        {"a , b\r\n 1 ,\t2\r\n3,4\r\n", 2},
        {"\xef\xbb\xbf" "a,b\n1,2\n\n\n3,4\n\n", 2},
        {"\"a\",\"b\"\n1,2\n", 1},
        {"a,m\n1,nan\n2,-NaN\n3,4\n", 3},
        {"a,word\n1,x y\n2,\n", 2},
        {"a\n", 0},
    };
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        struct diagnosis diagnosis = {.place = ""};
        long rows;
        enum csv_step step = read_all(tables[k].text, strlen(tables[k].text), &rows,
                                      &diagnosis);
        cr_assert_eq(step, CSV_END, "%zu: %s", k, diagnosis.place);
        cr_assert_eq(rows, tables[k].rows, "%zu", k);
    }
}

Test(foreign_csv, what_is_wrong_with_a_table_is_one_line_with_its_place)
{
    static const struct { const char *text, *says; } tables[] = {
        {"", "x.csv: it is empty"},
        {"a,b", "line 1: the header is cut off"},
        {"a,b,a\n1,2,3\n", "line 1: column 'a' is there twice"},
        {"a,b\n1,2\n3,x4\n", "line 3, column b: 'x4' is not a number"},
        {"a,b\n1,2\n,4\n", "line 3, column a: nothing stands there"},
        {"a,b\n1,nan\n", "line 2, column b: 'nan' is not a finite number"},
        {"a,b\n1,inf\n", "line 2, column b: 'inf' is not a finite number"},
        {"a,b\n1,1e999\n", "line 2, column b: '1e999' is larger than any double"},
        {"a,b\n1,0x10\n", "line 2, column b: '0x10' is not a number"},
        {"a,b\n1,2 3\n", "line 2, column b: '2 3' is not a number"},
        {"a,b\n1,2\n3\n", "line 3: 1 fields; the header has 2 columns"},
        {"a,b\n1,2,3\n", "line 2: 3 fields; the header has 2 columns"},
        {"a,b\n1,2\n3,4", "line 3: it is cut off after 2 of 2 fields"},
        {"a,b\n1,2\n3,", "line 3, column b: the line is cut off here"},
        {"a,b\n1,2\n3", "line 3: it is cut off after 1 of 2 fields"},
        {"a\x01,b\n", "line 1: the header is not text"},
        {"a,b\n1,\x7f\x80\n", "line 2, column b: '?\?' is not a number"},
        {"a,b\n1;2\n", "line 2, column a: '1;2' is not a number"},
    };
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        struct diagnosis diagnosis = {.place = ""};
        long rows;
        enum csv_step step = read_all(tables[k].text, strlen(tables[k].text), &rows,
                                      &diagnosis);
        cr_assert_eq(step, CSV_WRONG, "%zu", k);
        cr_assert_eq(diagnosis.status, BAD_INPUT);
        cr_assert_not_null(strstr(diagnosis.place, tables[k].says), "%zu: %s", k,
                           diagnosis.place);
        cr_assert_null(strchr(diagnosis.place, '\n'));
    }
}

/* Nothing is read beyond the text, whatever is in it. */
Test(foreign_csv, junk_never_crashes_the_reader)
{
    static const char alphabet[] = "0123456789.,-+eEnaif \n\r\t\"#x";
    uint64_t seed = (uint64_t)time(NULL) | 1, state = seed;
    cr_log_info("seed %llu", (unsigned long long)seed);
    for (int k = 0; k < 100000; k++) {
        int length = (int)(next_random(&state) % 60);
        char *text = malloc((size_t)length + 1);    /* exact: for the sanitizer */
        struct diagnosis diagnosis;
        long rows;
        for (int i = 0; i < length; i++)
            text[i] = k % 4 ? alphabet[next_random(&state) % (sizeof alphabet - 1)]
                            : (char)next_random(&state);
        text[length] = '\0';
        read_all(text, (size_t)length, &rows, &diagnosis);
        free(text);
    }
}

/* Slow: issue 5 asks for 10^6 lines of 10 columns in two seconds. */
Test(foreign_csv, a_million_lines_of_ten_columns_are_read_in_two_seconds)
{
    if (!in_test_all())
        return;
    char *text;
    size_t length;
    struct diagnosis diagnosis;
    long rows;
    uint64_t state = 1;
    FILE *memory = open_memstream(&text, &length);
    fputs("a,b,c,d,e,f,g,h,i,j\n", memory);
    for (int k = 0; k < 1000000; k++)
        for (int i = 0; i < 10; i++)
            fprintf(memory, "%.17g%c", (double)next_random(&state) * 1e-15,
                    i < 9 ? ',' : '\n');
    fclose(memory);
    clock_t start = clock();
    cr_assert_eq(read_all(text, length, &rows, &diagnosis), CSV_END);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    cr_log_info("%zu MB in %.2f s", length >> 20, seconds);
    cr_assert_eq(rows, 1000000);
    cr_assert_lt(seconds, 2);
    free(text);
}
