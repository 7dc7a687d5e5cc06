/*
 * language_octave.c - GNU Octave: a script that defines functions.
 */
#include <stddef.h>

#include "export/language.h"

extern const struct language language_octave;
const struct language language_octave = {
    .name = "octave",
    .suffix = ".m",
    .comment = "% ",
    .use = "source(\"$file\")",
    .head = "1;  % a script, no function file\n",
    .foot = "",
    .reserved =
        " break case catch continue do else elseif end end_try_catch end_unwind_protect"
        " endfor endfunction endif endparfor endswitch endwhile for function global if"
        " otherwise parfor persistent return switch try until unwind_protect"
        " unwind_protect_cleanup while out zeros pi acos asin atan atan2 cos cosh exp log"
        " sin sinh sqrt tan tanh __FILE__ __LINE__ classdef endclassdef enumeration"
        " endenumeration events endevents methods endmethods properties endproperties ",
    .spelling = {.pi = "pi", .power = "^"},
    .multipliers = "lambda",
    .base = 1,
    .index_open = "(", .index_next = ", ", .index_close = ")",
    .zeros = {"out = zeros($1, 1);", "out = zeros($1, $2);", "out = zeros($1, $2, $3);"},
    .number_function = "function out = $name($arguments)\n",
    .array_function = "function out = $name($arguments)\n",
    .number_argument = "$name",
    .array_argument = "$name",
    .local = "$name = $value;",
    .set = "$name = $value;",
    .number_result = "out = $value;",
    .function_end = "end\n",
    .wrap_open = "", .wrap_close = "", .wrap_sign = " ...",
    .integer = "$name = $value;\n",
    .string = "$name = $value;\n",
    .integers = "$name = [$value];\n",
    .strings = "$name = {$value};\n",
    .functions_open = "FUNCTIONS = struct();\n",
    .functions_item = "FUNCTIONS.$name = @$name;\n",
    .functions_close = "",
};
