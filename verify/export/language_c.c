/*
 * language_c.c - C11: one file of static inline functions, which is included.
 */
#include <stddef.h>

#include "export/language.h"

extern const struct language language_c;
const struct language language_c = {
    .name = "c",
    .suffix = ".h",
    .comment = "// ",
    .use = "#include \"$file\"",
    .head = "#ifndef $guard\n#define $guard\n\n#include <math.h>\n#include <string.h>\n\n"
            "#define SALTUS_PI 3.14159265358979323846\n"
            "#ifdef __GNUC__\n"
            "#define SALTUS_INLINE static inline __attribute__((unused))\n"
            "#else\n#define SALTUS_INLINE static inline\n#endif\n",
    .foot = "\n#endif\n",
    .reserved =
        " auto break case char const continue default do double else enum extern float"
        " for goto if inline int long register restrict return short signed sizeof static"
        " struct switch typedef union unsigned void volatile while memset out pow sqrt"
        " exp log sin cos tan asin acos atan atan2 sinh cosh tanh asm typeof bool true"
        " false"
        " nullptr alignas alignof constexpr thread_local static_assert typeof_unqual"
        " NULL NAN INFINITY MAXFLOAT math_errhandling unix linux i386 sun ",
    .reserved_beginnings = " _ M_ FP_ MATH_ HUGE_VAL SNAN ",
    .spelling = {.pi = "SALTUS_PI"},
    .multipliers = "lambda",
    .base = 0,
    .index_open = "[", .index_next = "][", .index_close = "]",
    .zeros = {"memset(out, 0, sizeof(double[$1]));",
              "memset(out, 0, sizeof(double[$1][$2]));",
              "memset(out, 0, sizeof(double[$1][$2][$3]));"},
    .number_function = "SALTUS_INLINE double $name($arguments)\n{\n",
    .array_function = "SALTUS_INLINE void $name($arguments)\n{\n",
    .number_argument = "double $name",
    .array_argument = "const double *$name",
    .out_argument = "double out$sizes",
    .unused = "(void)$name;",
    .local = "const double $name = $value;",
    .set = "$name = $value;",
    .number_result = "return $value;",
    .function_end = "}\n",
    .wrap_open = "", .wrap_close = "", .wrap_sign = "",
    .integer = "enum { $name = $value };\n",
    .string = "SALTUS_INLINE const char *$name(void)\n{\n    return $value;\n}\n",
    .integers = "SALTUS_INLINE int $name(int i)\n{\n    static const int list[] = "
                "{$value};\n    return list[i];\n}\n",
    .strings = "SALTUS_INLINE const char *$name(int i)\n{\n    static const char *const "
               "list[] = {$value};\n    return list[i];\n}\n",
    .no_empty_lists = true,
};
