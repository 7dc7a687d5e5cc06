/*
 * language_python.c - Python 3: a module that needs its standard library only.
 */
#include <stddef.h>

#include "export/language.h"

extern const struct language language_python;
const struct language language_python = {
    .name = "python",
    .suffix = ".py",
    .comment = "# ",
    .use = "import it as a module",
    .head = "from math import acos, asin, atan, atan2, cos, cosh, exp, log, pi, sin, sinh"
            ", sqrt\nfrom math import tan, tanh\n",
    .foot = "",
    .reserved =
        " False None True and as assert async await break class continue def del elif"
        " else except finally for from global if import in is lambda nonlocal not or pass"
        " raise return try while with yield lam out range pi acos asin atan atan2 cos"
        " cosh exp log sin sinh sqrt tan tanh _ ",
    .spelling = {.pi = "pi", .power = "**"},
    .multipliers = "lam",
    .base = 0,
    .index_open = "[", .index_next = "][", .index_close = "]",
    .zeros = {"out = [0.0] * $1",
              "out = [[0.0] * $2 for _ in range($1)]",
              "out = [[[0.0] * $3 for _ in range($2)] for _ in range($1)]"},
    .number_function = "def $name($arguments):\n",
    .array_function = "def $name($arguments):\n",
    .number_argument = "$name",
    .array_argument = "$name",
    .local = "$name = $value",
    .set = "$name = $value",
    .number_result = "return $value",
    .array_result = "return out",
    .function_end = "",
    .wrap_open = "(", .wrap_close = ")", .wrap_sign = "",
    .integer = "$name = $value\n",
    .string = "$name = $value\n",
    .integers = "$name = [$value]\n",
    .strings = "$name = [$value]\n",
    .functions_open = "FUNCTIONS = {\n",
    .functions_item = "    \"$name\": $name,\n",
    .functions_close = "}\n",
};
