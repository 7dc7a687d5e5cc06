/*
 * language_julia.c - Julia: functions and constants, for include() or a module.
 */
#include <stddef.h>

#include "export/language.h"

extern const struct language language_julia;
const struct language language_julia = {
    .name = "julia",
    .suffix = ".jl",
    .comment = "# ",
    .use = "include(\"$file\")",
    .head = "",
    .foot = "",
    .reserved =
        " baremodule begin break catch const continue do else elseif end export false"
        " finally for function global if import in isa let local macro module mutable"
        " quote return struct true try using where while out zeros Float64 pi acos asin"
        " atan cos cosh exp log sin sinh sqrt tan tanh abstract primitive type outer"
        " public ",
    .spelling = {.function = {[OP_ATAN2] = "atan"}, .pi = "Float64(pi)", .power = "^"},
    .multipliers = "lambda",
    .base = 1,
    .index_open = "[", .index_next = ", ", .index_close = "]",
    .zeros = {"out = zeros($1)", "out = zeros($1, $2)", "out = zeros($1, $2, $3)"},
    .number_function = "function $name($arguments)\n",
    .array_function = "function $name($arguments)\n",
    .number_argument = "$name",
    .array_argument = "$name",
    .local = "$name = $value",
    .set = "$name = $value",
    .number_result = "return $value",
    .array_result = "return out",
    .function_end = "end\n",
    .wrap_open = "(", .wrap_close = ")", .wrap_sign = "",
    .integer = "const $name = $value\n",
    .string = "const $name = $value\n",
    .integers = "const $name = Int[$value]\n",
    .strings = "const $name = String[$value]\n",
    .functions_open = "const FUNCTIONS = Dict{String,Function}(\n",
    .functions_item = "    \"$name\" => $name,\n",
    .functions_close = ")\n",
};
