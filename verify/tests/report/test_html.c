/* Text of the page: nothing that it is given can become markup. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "report/html.h"

static char *written;
static size_t size;

static FILE *begin(void)
{
    return open_memstream(&written, &size);
}

static void expect(FILE *stream, const char *text)
{
    fclose(stream);
    cr_expect_str_eq(written, text);
    free(written);
}

Test(html, texts_are_escaped_and_formats_are_not)
{
    FILE *stream = begin();
    html(stream, "<td title=\"%s\">%d of %ld, %.2f %c%%</td>", "a \"b\" <c> & 'd'", 3,
         4l, 0.125, 'x');
    expect(stream, "<td title=\"a &quot;b&quot; &lt;c&gt; &amp; &#39;d&#39;\">3 of 4, "
                   "0.12 x%</td>");
    stream = begin();
    html(stream, "%.0e %6.3g|%-4d|%c", 12345.0, 2.5, 7, '<');
    expect(stream, "1e+04    2.5|7   |&lt;");
}

Test(html, counts_have_commas_and_their_noun)
{
    FILE *stream = begin();
    html_count(stream, 1878012);
    fputc(' ', stream);
    html_count(stream, 999);
    fputc(' ', stream);
    html_counted(stream, 1, "row", "rows");
    fputc(' ', stream);
    html_counted(stream, 1000, "row", "rows");
    expect(stream, "1,878,012 999 1 row 1,000 rows");
}

/* RFC 4648, section 10. */
Test(html, base_64_is_that_of_the_standard)
{
    static const struct { const char *plain, *coded; } known[] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        FILE *stream = begin();
        html_base64(stream, known[k].plain, k);
        expect(stream, known[k].coded);
    }
}
