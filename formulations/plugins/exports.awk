# exports.awk - symbols that public headers declare: the source of the version script.
#
# Reads headers, writes one symbol a line. A declaration stands between SALTUS_API_BEGIN
# and SALTUS_API_END (cases/base/api.h); its symbol is its name, or saltus_NAME where
# SALTUS_WORD(NAME) says so. Fails, naming file and declaration, where a function or an
# extern object is declared outside of such a pair, and where no symbol can be read.
#
#     awk -v prefixes='model event saltus' -f exports.awk HEADER ...
#
# Every symbol must begin with one of `prefixes` and an underscore, or be one of them.

function fail(what, text) {
    gsub(/[ \t\n]+/, " ", text)
    printf "%s: %s: %s\n", header, what, text > "/dev/stderr"
    bad = 1
}

function has_prefix(symbol,    k) {
    for (k in prefix)
        if (symbol == k || index(symbol, k "_") == 1)
            return 1
    return 0
}

# One statement of the top level, without what stood between braces.
function declare(text,    name, declarator) {
    gsub(/^[ \t\n]+|[ \t\n]+$/, "", text)
    if (text ~ /^(typedef|static|_Static_assert)/ || text == "")
        return
    if (text !~ /\(/ && text !~ /^extern/)      # a struct, a union or an enum
        return
    if (!public) {
        fail("declared outside of SALTUS_API_BEGIN .. SALTUS_API_END", text)
        return
    }
    if (match(text, /SALTUS_WORD\([A-Za-z_0-9]+\)/)) {
        name = "saltus_" substr(text, RSTART + 12, RLENGTH - 13)
    } else {
        declarator = text
        sub(/[\[(].*/, "", declarator)
        if (!match(declarator, /[A-Za-z_][A-Za-z_0-9]*[ \t\n]*$/)) {
            fail("no symbol in", text)
            return
        }
        name = substr(declarator, RSTART, RLENGTH)
        gsub(/[ \t\n]/, "", name)
    }
    if (!has_prefix(name))
        fail("symbol " name " has no prefix of the list (EXPORT_PREFIXES)", text)
    print name
}

function read_header(text,    i, c, depth, statement) {
    while (match(text, /\/\*([^*]|\*+[^*\/])*\*+\//))
        text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
    gsub(/\\\n/, " ", text)
    gsub(/\n[ \t]*#[^\n]*/, "\n", text)
    public = depth = 0
    statement = ""
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "{") {
            depth++
        } else if (c == "}") {
            depth--
            if (depth == 0 && statement ~ /^[ \t\n]*static/)
                statement = ""                  # an inline function has ended
        } else if (depth == 0 && c == ";") {
            declare(statement)
            statement = ""
        } else if (depth == 0) {
            statement = statement c
            if ((c == "N" || c == "D") && statement ~ /SALTUS_API_(BEGIN|END)$/) {
                public = statement ~ /BEGIN$/
                statement = ""
            }
        }
    }
    if (public)
        fail("no SALTUS_API_END", "")
}

BEGIN {
    split(prefixes, list, " ")
    for (k in list)
        prefix[list[k]] = 1
}
FNR == 1 {
    if (header != "")
        read_header(text)
    header = FILENAME
    text = "\n"
}
{ text = text $0 "\n" }
END {
    if (header != "")
        read_header(text)
    exit bad
}
