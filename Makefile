# saltus - one Makefile, not recursive.
#
# Each folder is one static library, compiled with only the include paths it may use, so
# that the build itself enforces who may see whom (README.md, "The five folders"):
#
#     cases <- formulations <-+
#       ^                     +- verify <- bench <- build/saltus
#       +---- reference <-----+
#
#   make CC=clang     builds in build-clang/         make SAN=1    ASan + UBSan, build-san/
#   make WERROR=1     a warning is an error          make V=1      prints every command
#   make MPI=1        `saltus sweep` also under mpirun (Open MPI), build-mpi/
#   make PETSC=1      `saltus bench` also beside PETSc, build-petsc/
#   make AUTO=1 deps  installs AUTO-07p, a program that `saltus bench --orbits` runs

VERSION := 0.1.0
SONAME  := 0

PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
VALUES  := $(PREFIX)/share/saltus/values

ifeq ($(origin CC),default)
CC := gcc
endif
# In parallel, unless called with a -j or by another make; goals that run or remove
# things go one after the other.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
ifneq ($(word 2,$(filter-out tests read-tests,$(MAKECMDGOALS))),)
.NOTPARALLEL:
endif
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

CLANG := $(if $(findstring clang,$(CC)),-clang)
B     := build$(CLANG)$(if $(MPI),-mpi)$(if $(PETSC),-petsc)$(if $(SAN),-san)
at    := $(if $(V),,@)
comma := ,
quote  = '$(subst ','\'',$(1))'

# With MPI=1 the same compiler, called through Open MPI's, which knows its flags.
ifneq ($(MPI),)
export OMPI_CC := $(CC)
override CC := mpicc
endif

# --- flags ----------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla
# Undefined behaviour is a trap, which ASan reports with its line (handle_sigill): texts of
# every place where there might be some take a sixth of a build, and half of each start.
ifneq ($(SAN),)
SANITIZE := -fsanitize=address,undefined -fsanitize-undefined-trap-on-error \
            -fno-omit-frame-pointer
endif
# Lines are all that reports of sanitizers, and of CI, ask of a build.
OPTIMISE := $(if $(SAN),-O1,-O2) $(if $(SAN)$(CI),-g1,-g)

# -ffp-contract=off: results do not depend on the compiler's choice of fused operations;
# -fno-math-errno: nobody asks errno about a square root, which then is one instruction;
# -fvisibility=hidden: what public headers declare is exported, nothing else (cases/base/api.h)
BASE  := -std=c11 -D_GNU_SOURCE -DHAVE_INLINE $(OPTIMISE) -ffp-contract=off \
         -fno-math-errno -fPIC -fvisibility=hidden $(SANITIZE) -DSALTUS_VERSION='"$(VERSION)"' -MMD -MP
BASE  += $(if $(WERROR),-Werror)

# Where the certified values are: the source tree for a command run from build/, PREFIX
# for the installed one. The environment variable SALTUS_VALUES overrides both.
VALUES_HERE      := -DSALTUS_VALUES_DIR='"$(CURDIR)/reference/values"'
VALUES_INSTALLED := -DSALTUS_VALUES_DIR='"$(VALUES)"'

SEES_cases        := -Icases -Icases/model
SEES_formulations := $(SEES_cases) -Iformulations
SEES_reference    := $(SEES_cases) -Ireference
SEES_verify       := $(SEES_cases) -Iformulations -Ireference -Iverify \
                     -isystem /usr/include/libxml2
SEES_bench        := $(SEES_verify) -Ibench

LINK_cases        := -lyaml
LINK_formulations := -lklu -lgsl -lgslcblas -lm -ldl
LINK_reference    := -lflint-arb -lflint -lmpfr -lgmp -lm
LINK_all          := -lyaml -lcjson -lxml2 -lflint-arb -lflint -lmpfr -lgmp -lklu -lgsl -lgslcblas -lpthread -lm

FOLDERS := cases formulations reference verify bench

# Layers inside a folder: each includes only headers of itself and of those before it.
LAYERS_cases     := base formula program optimise emit model units elements mechanisms file
LAYERS_formulations := base simd codegen linear integrators monitors explicit projection forms \
                       equations initial events adjoint orbits batch plugins library
LAYERS_reference := arithmetic equations motion events runs enclosure certificates
LAYERS_verify    := base options quantity motion coverage verdict oracles refusals faults jobs \
                    tables drawings studies mutants problem export foreign random sweep gradients \
                    optimise orbits papers report manual commands
LAYERS_bench     := workloads peers measure growth tables survey bvp

# The public headers: they are installed, and the functions and tables that they declare
# are exported, nothing else is. Plug-ins see those of the first two folders.
PUBLIC_cases        := $(addprefix cases/,base/api.h base/status.h base/status.def \
    formula/formula.h formula/ops.def model/case.h model/columns.h model/for_each.h \
    model/model.h units/model_units.h mechanisms/catalogue.h file/model_file.h) $(sort $(wildcard cases/elements/*.h))
PUBLIC_formulations := $(addprefix formulations/,run.h formulation.h plugin.h \
    codegen/code_use.h events/jump.h integrators/integrator.h linear/linear.h projection/projection.h)
PUBLIC := $(PUBLIC_cases) $(PUBLIC_formulations)
# The header of libsaltus, which exports what it declares and nothing else.
LIBRARY_FACE        := formulations/library/saltus.h

# How the name of an exported symbol may begin: the module; saltus, a word of the language
# of formulas (SALTUS_WORD).
EXPORT_PREFIXES := at batch body case column columns event formulation formula frame \
    friction integrator joint jump linear mode model option options planar point projection \
    reset residual run runner saltation saltus status tape trajectory vector

# `make bench` measures beside SUNDIALS, too, and unpacks it for that; and its source, to
# build it with better flags than Debian's. Otherwise both are used where they are there.
SUNDIALS_SOURCE := build/sundials-source
HAVE_SUNDIALS := $(if $(wildcard /usr/include/cvodes/cvodes.h \
                               build/sundials/include/cvodes/cvodes.h),yes)
LINK_all    := $(if $(HAVE_SUNDIALS),-Lbuild/sundials/lib $(patsubst %,-l:libsundials_%.a,\
    cvodes idas nvecserial sunmatrixdense sunlinsoldense sunnonlinsolfixedpoint \
    sunnonlinsolnewton generic)) $(LINK_all)
# With PETSC=1 gradients are measured beside PETSc, too, which is no part of other builds:
# MPI and a hundred libraries come with it.
ifneq ($(PETSC),)
PETSC_ROOT := $(lastword $(wildcard /usr/lib/petscdir/petsc*/*-real))
SEES_PETSC := -isystem $(PETSC_ROOT)/include $(patsubst %,-isystem %,$(wildcard \
    /usr/lib/*/openmpi/include))
LINK_all   := -lpetsc_real -lmpi $(LINK_all)
endif
HAVE_SOURCE := $(if $(SAN),,$(if $(HAVE_SUNDIALS),$(wildcard $(SUNDIALS_SOURCE))))

# `saltus optimise` minimises by NLopt, which `deps` installs; with SKIP_DEPS=1 by GSL where
# there is no NLopt.
HAVE_NLOPT := $(if $(SKIP_DEPS),$(if $(wildcard $(addsuffix /nlopt.h,/usr/include \
                /usr/local/include $(subst :, ,$(CPATH)))),yes),yes)
LINK_all   := $(if $(HAVE_NLOPT),-lnlopt) $(LINK_all)

# The hand-written limit in bench/peers is compiled as well as it can be, for this machine.
# No other object may have these flags: results would depend on them.
PEER_FLAGS ?= -O3 -march=native -ffp-contract=fast -fno-math-errno

# --- what there is --------------------------------------------------------------------

sources = $(sort $(wildcard $(1)/*.c $(1)/*/*.c))
headers = $(sort $(foreach e,h def,$(wildcard $(1)/*.$(e) $(1)/*/*.$(e))))

SRC_cases        := $(call sources,cases)
SRC_formulations := $(call sources,formulations)
SRC_reference    := $(call sources,reference)
NO_RANKS         := verify/sweep/ranks_$(if $(MPI),one,mpi).c
NO_MINIMISER     := verify/optimise/minimiser_$(if $(HAVE_NLOPT),gsl,nlopt).c
SRC_verify       := $(filter-out verify/commands/main.c verify/tests/% $(NO_RANKS) \
                      $(NO_MINIMISER),\
                    $(call sources,verify) $(sort $(wildcard verify/oracles/*/*.c verify/papers/*/*.c)))
SUNDIALS_PEERS   := $(addprefix bench/peers/,cvodes.c cvodes_adjoint.c ida.c idas.c idas_formulas.c)
PETSC_PEERS      := bench/peers/petsc.c
SRC_bench        := $(filter-out $(if $(HAVE_SUNDIALS),,$(SUNDIALS_PEERS)) $(if $(PETSC),,$(PETSC_PEERS)),\
                      $(call sources,bench))

# Of the tests each folder is a program, the longest first; what lies beside the folders is
# linked with each of them.
TEST_FOLDERS := commands formulations reference papers codegen verify adjoint bench oracles events \
                cases orbits integrators report unanswered linear malformed
TEST_SOURCES := $(sort $(foreach f,$(TEST_FOLDERS),$(wildcard verify/tests/$(f)/*.c)))
TEST_HELPERS := $(sort $(wildcard verify/tests/*.c))
# `make test TEST="cases commands"` builds and runs those alone.
TEST         ?= $(TEST_FOLDERS)
TESTS        := $(TEST:%=$(B)/tests/%)

object = $(patsubst %.c,$(B)/%.o,$(1))
$(foreach f,$(FOLDERS),$(eval OBJ_$(f) := $(call object,$(SRC_$(f)))))
$(foreach f,$(FOLDERS),$(eval LIB_$(f) := $(B)/lib$(f).a))
REBUILT   := $(if $(HAVE_SOURCE),$(B)/bench/sundials-rebuilt.o)
OBJ_bench += $(REBUILT)
LIBRARIES := $(LIB_bench) $(LIB_verify) $(LIB_reference) $(LIB_formulations) $(LIB_cases)

# Files that define a CASE by text alone are compiled once more as plain quadruple
# precision C: the native oracle. It has no differentiation, so no elements.
ifneq ($(wildcard verify/oracles/native/case.h),)
CASE_FILES := $(filter-out $(shell grep -ls 'include "elements/' cases/mechanisms/*.c),\
                $(sort $(shell grep -lsw '^CASE' cases/mechanisms/*.c)))
NATIVE     := $(patsubst %.c,$(B)/native/%.o,$(CASE_FILES))
endif

# --- what is made ---------------------------------------------------------------------

# Manual pages and the completion of shells are printed by the command itself, that which is
# installed: `make install` leaves the one of the tree as it is, which tests may be running.
MADE_TEXTS := $(B)/saltus.1 $(B)/saltus-model.5 $(B)/saltus.bash $(B)/_saltus

.PHONY: all tests verify test test-all deps deps-dev clean install install-headers uninstall certify
.PHONY: certify-all prove bench reproduce gallery columns mutants regress record same-digits sanitized read-tests
.PHONY: format lint help
.PHONY: docs deb deps-deb fuzz report report-test deps-report deps-valgrind deps-bench deps-foreign foreign foreign-programs FORCE

all: $(B)/saltus $(B)/libsaltus.a $(B)/libsaltus.so $(B)/arrows $(B)/face  ## the command and the library (default)
tests: $(TESTS)                         ## the test programs, without running them

# When nothing is missing this is a few file look-ups. There is no pkg-config here: it may
# not be installed yet when make reads this file.
header  = $(if $(wildcard $(addsuffix /$(2),/usr/include /usr/include/* \
          /usr/local/include $(subst :, ,$(CPATH)))),,$(1))
program = $(if $(wildcard $(addsuffix /$(2),$(subst :, ,$(PATH)))),,$(1))
MISSING := $(strip \
    $(call program,gcc,gcc)            $(call header,libc6-dev,stdlib.h) \
    $(call header,libgsl-dev,gsl/gsl_odeiv2.h) \
    $(call header,libsuitesparse-dev,suitesparse/klu.h) \
    $(call header,libmpfr-dev,mpfr.h)  $(call header,libgmp-dev,gmp.h) \
    $(call header,libcjson-dev,cjson/cJSON.h) $(call header,libyaml-dev,yaml.h) \
    $(call header,libxml2-dev,libxml/xmlwriter.h) \
    $(call header,libflint-arb-dev,acb.h) $(call header,libnlopt-dev,nlopt.h) \
    $(call header,libcriterion-dev,criterion/criterion.h) \
    $(call program,gnuplot-nox,gnuplot) $(call program,pkg-config,pkg-config) \
    $(if $(CLANG)$(filter fuzz,$(MAKECMDGOALS)),$(call program,clang,clang)) \
    $(if $(MPI),$(call program,libopenmpi-dev,mpicc) $(call program,openmpi-bin,mpirun)) \
    $(if $(PETSC),$(if $(PETSC_ROOT),,libpetsc-real-dev)) \
    $(if $(AUTO),$(if $(wildcard /usr/lib/auto-07p/lib/toolboxbv.o),,auto-07p) \
        $(call program,gfortran,gfortran)))
MISSING_DEV := $(strip $(call program,valgrind,valgrind) $(call program,clang,clang) \
    $(call program,clang-format,clang-format) $(call program,clang-tidy,clang-tidy) \
    $(call program,cppcheck,cppcheck) $(call program,doxygen,doxygen) \
    $(call program,lintian,lintian))

# What the programs in verify/foreign/examples and exported source need: make test and make
# foreign only.
module          = $(if $(wildcard /usr/lib/python3/dist-packages/$(2)),,$(1))
MISSING_FOREIGN := $(strip $(call program,python3,python3) \
    $(call module,python3-scipy,scipy) $(call module,python3-sympy,sympy) \
    $(call program,octave,octave-cli))

# A browser looks at the page of `saltus report`, and prints it as PDF: make report-test
# only.
MISSING_REPORT := $(strip $(call program,chromium,chromium) $(call program,python3,python3))

# What it takes to unpack the source of SUNDIALS: make bench only.
MISSING_BENCH := $(strip $(call program,xz-utils,xz))

# What makes Debian packages: make deb only.
MISSING_DEB := $(strip $(if $(wildcard /usr/share/build-essential),,build-essential) \
    $(call program,debhelper,dh) $(call program,dh-python,dh_python3) \
    $(call program,git,git))

# Everything compiled waits for `deps` if and only if something is missing.
AUTO_DEPS := $(if $(SKIP_DEPS),,$(if $(MISSING),deps))

# --- compiling ------------------------------------------------------------------------

# $(B)/flags changes when the flags do, *.list when files are added or removed.
define compile
$(B)/$(1)/%.o: $(1)/%.c $(B)/flags | $(AUTO_DEPS)
	@mkdir -p $$(@D)
	$(if $(V),,@echo "  CC    $$<")
	$(at)$(CC) $(BASE) $(WARNINGS) $(SEES_$(1)) $(2) $(CFLAGS) $$(EXTRA) -c -o $$@ $$<
$(B)/lib$(1).a: $(OBJ_$(1)) $(B)/$(1).list
	$(if $(V),,@echo "  AR    $$@")
	$(at)rm -f $$@ && ar rcs $$@ $$(filter %.o,$$^)
$(B)/$(1).list: FORCE
	@mkdir -p $(B)
	@printf '%s\n' $(SRC_$(1)) $(3) | cmp -s - $$@ || printf '%s\n' $(SRC_$(1)) $(3) > $$@
endef
$(eval $(call compile,cases))
$(eval $(call compile,formulations))
$(eval $(call compile,reference))
$(eval $(call compile,verify,,$(NATIVE)))
$(eval $(call compile,bench,$(if $(HAVE_SUNDIALS),-isystem build/sundials/include),$(HAVE_SUNDIALS) $(HAVE_SOURCE) $(PEER_FLAGS)))

# Files of text that become part of the program (base/embed.h).
$(B)/verify/drawings/gnuplot.o: verify/drawings/style.gnuplot
$(B)/verify/report/page.o: verify/report/page.css verify/report/page.js
$(B)/verify/report/sheet.o: verify/report/sheet.css
$(B)/verify/commands/new.o: $(wildcard verify/commands/starter_*.yaml)
$(B)/verify/manual/model_page.o: verify/manual/model.txt

# Steps of Runge-Kutta methods are unrolled: thousands of places in arrays, each a constant,
# that ASan watches as well.
UNROLLED    = $(call object,$(addprefix formulations/integrators/,rk87.c dop853.c verner98.c))
$(UNROLLED): EXTRA = $(if $(SAN),-O0 -fno-sanitize=bounds$(comma)object-size$(comma)pointer-overflow$(comma)null$(comma)alignment)

STATED      = -Wno-psabi -DPEER_FLAGS='"$(PEER_FLAGS)"'
BY_HAND     = $(call object,$(wildcard bench/peers/five_bar*.c) bench/peers/hand.c)
$(BY_HAND): EXTRA = $(if $(SAN),,$(PEER_FLAGS)) $(STATED)
SEES_tests = -Iverify/tests -Ibench
$(B)/verify/tests/%.o: EXTRA = $(SEES_tests) $(if $(SAN),-O0,-O1)
$(B)/bench/tables/table.o: EXTRA = -DOWN_FLAGS='"$(OPTIMISE) -ffp-contract=off -fno-math-errno"'
$(B)/bench/peers/peers.o: EXTRA = $(HAVE_SUNDIALS:yes=-DHAVE_SUNDIALS) $(if $(HAVE_SOURCE),-DHAVE_REBUILT) \
    $(if $(PETSC),-DHAVE_PETSC)
$(B)/bench/peers/petsc.o: EXTRA = $(SEES_PETSC)
$(B)/bench/peers/peers.o $(B)/bench/tables/table.o $(BY_HAND): $(B)/bench.list

FLAGS := $(CC) $(BASE) $(WARNINGS) $(CFLAGS) $(LDFLAGS)
$(B)/flags: FORCE
	@mkdir -p $(B)
	@printf '%s\n' $(call quote,$(FLAGS)) | cmp -s - $@ \
	    || printf '%s\n' $(call quote,$(FLAGS)) > $@

# Words of case.h as plain quadruple precision C: that folder comes first. The warnings are
# those of the first compile.
$(B)/native/%.o: %.c $(B)/flags | $(AUTO_DEPS)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC    $< (native)")
	$(at)$(CC) $(BASE) -Wall -DSALTUS_NATIVE -Iverify/oracles/native $(SEES_cases) $(CFLAGS) \
	    -c -o $@ $<

# A case that is listed by the wrong word is told here: the linker would only name a symbol.
# The first list is of native cases, the second of all.
LISTED_RIGHT = { nm -g --defined-only $@.whole | sed -n 's/.* native_/N /p'; \
    nm -g --defined-only $(LIB_cases) | sed -n 's/.* [A-Z] case_/C /p'; \
    grep -nE '^(CASE|DRAFT)(_OF_ELEMENTS)?\(' cases/mechanisms/catalogue.def | tr ':()' '   '; } \
    | awk '$$1 == "N" { native[$$2] = 1; next } $$1 == "C" { known[$$2] = 1; next } \
        { word = $$2; sub(/_OF_ELEMENTS/, "", word); elements = word != $$2; why = "" } \
        !($$3 in known) { why = "no file in cases/mechanisms/ has CASE(" $$3 ", ...)" } \
        ($$3 in known) && !elements && !($$3 in native) { \
            why = "its file includes a header of elements/; list it as " word \
                  "_OF_ELEMENTS(" $$3 ")" } \
        elements && ($$3 in native) { \
            why = "its file includes no header of elements/; list it as " word \
                  "(" $$3 ")" } \
        why { print "cases/mechanisms/catalogue.def:" $$1 ": error: " $$2 "(" $$3 "): " why; \
              bad = 1 } END { exit bad }' >&2

# The native elements have the names of the recorded ones: what libcases.a defines too
# becomes local to the native object, so that neither is taken for the other.
ifneq ($(NATIVE),)
$(LIB_verify): $(B)/native.o
$(B)/native.o: $(NATIVE) $(LIB_cases) $(B)/verify.list
	$(if $(V),,@echo "  LD    $@")
	$(at)ld -r -o $@.whole $(NATIVE)
	$(at)$(LISTED_RIGHT)
	$(at)nm -g --defined-only $(LIB_cases) | awk 'NF == 3 { print $$3 }' > $@.shared
	$(at)objcopy --localize-symbols=$@.shared $@.whole $@
endif

# --- linking --------------------------------------------------------------------------

LINK = $(at)$(CC) $(SANITIZE) $(LDFLAGS)
# A sanitized program has many places to relocate at each start, unless its place is fixed.
FIXED := $(if $(SAN),-no-pie)

# The symbols of the public headers, one a line, and what the linker is told of them.
EXPORTS := formulations/plugins/exports.awk
define exports
@mkdir -p $(@D)
@awk -v prefixes='$(EXPORT_PREFIXES)' -f $(EXPORTS) $(filter %.h,$^) > $@.all
@LC_ALL=C sort -u $@.all > $@
endef
$(B)/exports/plugin: $(filter %.h,$(PUBLIC_cases) $(PUBLIC_formulations)) $(EXPORTS) Makefile
	$(exports)
$(B)/exports/library: $(LIBRARY_FACE) $(EXPORTS) Makefile
	$(exports)
$(B)/exports/plugin.list: $(B)/exports/plugin
	@{ echo '{'; sed 's/$$/;/' $<; echo '};'; } > $@
$(B)/exports/library.map: $(B)/exports/library
	@{ echo 'SALTUS_$(basename $(VERSION)) {'; echo 'global:'; sed 's/$$/;/' $<; \
	    echo 'local: *;'; echo '};'; } > $@

# A plug-in finds the public functions of cases and formulations in the command.
EXPORTED     := $(LIB_formulations) $(LIB_cases)
LINK_COMMAND  = $(LINK) $(FIXED) -o $@ $(filter-out $(EXPORTED) %.list,$^) \
    -Wl,--dynamic-list=$(B)/exports/plugin.list \
    -Wl,--whole-archive $(EXPORTED) -Wl,--no-whole-archive $(LINK_all)

$(B)/saltus: $(B)/verify/commands/main.o $(LIBRARIES) $(B)/exports/plugin.list
	$(if $(V),,@echo "  LINK  $@")
	$(LINK_COMMAND)

define test_program
$(B)/tests/$(1): $(call object,$(filter verify/tests/$(1)/%,$(TEST_SOURCES)) $(TEST_HELPERS)) \
        $(LIBRARIES) $(B)/tests.list
	@mkdir -p $$(@D)
	$(if $(V),,@echo "  LINK  $$@")
	$$(LINK) $(FIXED) -o $$@ $$(filter-out %.list,$$^) -lcriterion $(LINK_all)
endef
$(foreach f,$(TEST_FOLDERS),$(eval $(call test_program,$(f))))
$(B)/tests.list: FORCE
	@mkdir -p $(B)
	@printf '%s\n' $(TEST_SOURCES) | cmp -s - $@ || printf '%s\n' $(TEST_SOURCES) > $@

# Include paths cannot keep out "../reference/x.h" or a system header, nor a call without
# a header. Here each library of the solver is linked alone, whole, with what it may use.
LAYERED = $(patsubst %.o,%.d,$(OBJ_cases) $(OBJ_formulations) $(OBJ_reference) $(OBJ_verify) \
    $(filter-out $(REBUILT),$(OBJ_bench)))
ALONE = $(CC) -shared -Wl,-z,defs -o $@.so -Wl,--whole-archive
$(B)/arrows: $(LIB_cases) $(LIB_formulations) $(LIB_reference) $(LIB_verify) $(LIB_bench)
	@forbid() { pattern=$$1; shift; \
	    if grep -nE "$$pattern" "$$@" /dev/null; then \
	        echo "error: this crosses a border between the folders (README.md)" >&2; \
	        exit 1; fi; }; \
	include='^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]'; \
	forbid "$$include(mpfr|mpf2mpfr|gmp|gsl/|cjson|libxml)" $(SRC_cases) $(call headers,cases); \
	forbid "$$include(mpfr|mpf2mpfr|gmp|cjson|libxml)" \
	    $(SRC_formulations) $(call headers,formulations); \
	forbid "$$include(gsl/|cjson|libxml)" $(SRC_reference) $(call headers,reference); \
	layers() { folder=$$1; shift; while [ $$# -gt 1 ]; do \
	    here=$$1; shift; above=$$(echo "$$*" | tr ' ' '|'); \
	    forbid "[ /]$$folder/($$above)/[^ ]*\.(h|def)" $$(printf '%s\n' $(LAYERED) | \
	        grep "/$$folder/$$here/"); done; }; \
	layers cases $(LAYERS_cases); layers reference $(LAYERS_reference); \
	layers formulations $(LAYERS_formulations); layers verify $(LAYERS_verify); \
	layers bench $(LAYERS_bench); \
	forbid '[ /](formulations|reference|verify|bench)/[^ ]*\.(h|def)' $(OBJ_cases:.o=.d); \
	forbid '[ /](reference|verify|bench)/[^ ]*\.(h|def)' $(OBJ_formulations:.o=.d); \
	forbid '[ /](formulations|verify|bench)/[^ ]*\.(h|def)' $(OBJ_reference:.o=.d); \
	completed='(mode|source|start|from|to)->(Phid|Phidd|Phi_q|lambda_force)\>|(event|source)->J\>'; \
	shared='rename_after_event|event_condition|formula/substitute\.h'; \
	forbid "$$completed|$$shared|\<(jacobian|gradient|gradient_entries)\(" $(SRC_reference); \
	forbid "$$completed|$$shared" $(wildcard verify/oracles/complex_*.c); \
	forbid '[ /](formula/(diff|substitute)|program/[a-z_]*|reference/(arithmetic|equations|motion|events|runs|certificates)/[a-z_]*)\.(h|def)' \
	    $(filter $(B)/reference/enclosure/%,$(OBJ_reference:.o=.d))
ifeq ($(SAN),)
	$(at)$(ALONE) $(LIB_cases) -Wl,--no-whole-archive $(LINK_cases) -lm
	$(at)$(ALONE) $(LIB_formulations) $(LIB_cases) -Wl,--no-whole-archive $(LINK_formulations) $(LINK_cases)
	$(at)$(ALONE) $(LIB_reference) $(LIB_cases) -Wl,--no-whole-archive $(LINK_reference) $(LINK_cases)
	@rm -f $@.so
endif
	@touch $@

# The installed library and command: the same objects, except the few files that ask for
# the folder of the certified values, which are compiled again for PREFIX.
SRC_SALTUS := $(SRC_cases) $(SRC_formulations)
ASK_VALUES := $(shell grep -lsw SALTUS_VALUES_DIR $(SRC_reference) $(SRC_verify) /dev/null)
ASK_OBJ    := $(ASK_VALUES:%.c=$(B)/install/%.o)
$(call object,$(ASK_VALUES)): EXTRA = $(VALUES_HERE)
OBJ_SALTUS := $(call object,$(SRC_SALTUS))

$(B)/install/reference/%.o: reference/%.c $(B)/flags $(B)/prefix | $(AUTO_DEPS)
	@mkdir -p $(@D)
	$(at)$(CC) $(BASE) $(WARNINGS) $(SEES_reference) $(VALUES_INSTALLED) $(CFLAGS) -c -o $@ $<
$(B)/install/verify/%.o: verify/%.c $(B)/flags $(B)/prefix | $(AUTO_DEPS)
	@mkdir -p $(@D)
	$(at)$(CC) $(BASE) $(WARNINGS) $(SEES_verify) $(VALUES_INSTALLED) $(CFLAGS) -c -o $@ $<
$(B)/prefix: FORCE
	@mkdir -p $(B)
	@echo $(VALUES) | cmp -s - $@ || echo $(VALUES) > $@

LISTS_SALTUS := $(B)/cases.list $(B)/formulations.list

# One object in which all symbols but those of the library's header have become local: a
# static archive has the same face. (Sanitizers keep symbols of their own beside each
# global one.)
$(B)/libsaltus.a: $(OBJ_SALTUS) $(LISTS_SALTUS) $(B)/exports/library
	$(if $(V),,@echo "  AR    $@")
	$(at)rm -f $@
ifeq ($(SAN),)
	$(at)ld -r -o $(B)/libsaltus.o $(filter %.o,$^)
	$(at)objcopy --keep-global-symbols=$(B)/exports/library $(B)/libsaltus.o
	$(at)ar rcs $@ $(B)/libsaltus.o
else
	$(at)ar rcs $@ $(filter %.o,$^)
endif

$(B)/libsaltus.so: $(OBJ_SALTUS) $(LISTS_SALTUS) $(B)/exports/library.map
	$(if $(V),,@echo "  LINK  $@")
	$(LINK) -shared -Wl,-soname,libsaltus.so.$(SONAME) -Wl,-Bsymbolic \
	    -Wl,--version-script=$(B)/exports/library.map \
	    $(if $(SAN),,-Wl$(comma)-z$(comma)defs) -o $@ $(filter %.o,$^) \
	    $(LINK_cases) $(LINK_formulations)

# Headers for plug-ins include only such headers and each compiles alone, as does that of
# the library; the command exports what the first declare, the shared and the static
# library what the other declares, no more and no less.
FACE_SEES := $(SEES_cases) -Iformulations
$(B)/face: $(B)/saltus $(B)/libsaltus.a $(B)/libsaltus.so $(B)/exports/plugin \
        $(B)/exports/library $(PUBLIC) $(LIBRARY_FACE)
	@printf '#include "%s"\nextern int face;\n' $(LIBRARY_FACE) | $(CC) -std=c11 -Wall \
	    -Wextra -Wpedantic -Werror -fsyntax-only -I. -x c -
	@for h in $(filter %.h,$(PUBLIC)); do \
	    printf '#include "%s"\nextern int face;\n' $$h | $(CC) -std=c11 -Wall -Wextra \
	        -Wpedantic -Werror -fsyntax-only -I. $(FACE_SEES) -x c - || exit; \
	    for i in $$($(CC) -MM -x c $(FACE_SEES) $$h | tr -d '\\' | sed 's/^[^:]*://'); do \
	        case " $(PUBLIC) " in *" $$i "*) ;; *) \
	            echo "error: $$h is installed and includes $$i, which is not" >&2; \
	            exit 1;; esac; done; done
ifeq ($(SAN),)
	@same() { LC_ALL=C sort -u | diff - $$1 > $@.diff || { \
	    sed -n 's/^</exported, declared in no public header:/p; \
	        s/^>/declared in a public header, not exported:/p' $@.diff | \
	        sed "s|^|error: $$2: |" >&2; exit 1; }; }; \
	nm -D --defined-only -f posix $(B)/saltus | awk '$$1 !~ /@/ { print $$1 }' | \
	    same $(B)/exports/plugin $(B)/saltus && \
	nm -D --defined-only -f posix $(B)/libsaltus.so | awk '$$2 != "A" { print $$1 }' | \
	    sed -n 's/@@SALTUS_$(basename $(VERSION))$$//p' | \
	    same $(B)/exports/library $(B)/libsaltus.so && \
	nm -g --defined-only -f posix $(B)/libsaltus.a | awk 'NF > 1 { print $$1 }' | \
	    same $(B)/exports/library $(B)/libsaltus.a
endif
	@touch $@

$(B)/install/saltus: $(B)/verify/commands/main.o $(ASK_OBJ) $(LIBRARIES) $(B)/exports/plugin.list
	$(if $(V),,@echo "  LINK  $@")
	$(LINK_COMMAND)

$(B)/saltus.1: WHAT = page
$(B)/saltus-model.5: WHAT = model
$(B)/saltus.bash: WHAT = bash
$(B)/_saltus: WHAT = zsh
$(MADE_TEXTS): $(B)/install/saltus
	$(at)$(B)/install/saltus manual $(WHAT) > $@

# --- programs of others ---------------------------------------------------------------

# They see no header of this project. libsundials-dev depends on 130 packages (MPI, PETSc,
# Trilinos) that a serial program uses nothing of: where it is not installed, it is
# unpacked in build/, for its headers and static libraries.
EXAMPLES := verify/foreign/examples
SUNDIALS := $(if $(call header,unpack,cvodes/cvodes.h),build/sundials)
CVODES   := cvodes nvecserial sunmatrixdense sunlinsoldense
LINK_CVODES = $(if $(SUNDIALS),$(foreach l,$(CVODES),$(SUNDIALS)/lib/libsundials_$(l).a),\
              $(CVODES:%=-lsundials_%)) -lm

$(B)/foreign/cvodes: $(EXAMPLES)/cvodes.c $(EXAMPLES)/mechanisms.h $(SUNDIALS) | $(AUTO_DEPS)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC    $<")
	$(at)$(CC) -std=c11 -D_GNU_SOURCE -O2 $(WARNINGS) $(if $(WERROR),-Werror) \
	    $(SUNDIALS:%=-isystem %/include) -o $@ $< $(LINK_CVODES)

$(filter build/%,$(SUNDIALS)): | $(AUTO_DEPS)
	@rm -rf $@ $@.part && mkdir -p $@.part/whole
	@cd $@.part && $(call download_package,libsundials-dev)
	@dpkg-deb -x $@.part/*.deb $@.part/whole
	@mv $@.part/whole/usr/include $@.part/include
	@mv $@.part/whole/usr/lib/*-linux-* $@.part/lib
	@rm -rf $@.part/whole $@.part/*.deb && mv $@.part $@

define download_package
echo "+ apt-get download $(1)"; apt-get download $(1) 2> log || \
{ as=; if [ "$$(id -u)" != 0 ]; then as=sudo; fi; $$as apt-get update && \
  apt-get download $(1); } || \
{ cat log >&2; echo "error: no $(1); install SUNDIALS (CVODES), or set SKIP_DEPS=1" >&2; \
  exit 1; }
endef

# SUNDIALS again, from Debian's source, compiled and linked as one whole. Its configuration
# is that of the package, without MPI. Only the peers stay visible: two builds of the
# library are in one program.
SUNDIALS_PARTS := $(addprefix cvodes/,cvodea cvodea_io cvodes cvodes_io cvodes_ls cvodes_nls \
    cvodes_nls_sim cvodes_nls_stg cvodes_nls_stg1 cvodes_proj) \
    $(addprefix idas/,idaa idaa_io idas idas_ic idas_io idas_ls idas_nls idas_nls_sim \
    idas_nls_stg) \
    $(addprefix sundials/sundials_,band context dense direct iterative linearsolver logger \
    math matrix nonlinearsolver nvector nvector_senswrapper version) nvector/serial/nvector_serial \
    sunmatrix/band/sunmatrix_band sunmatrix/dense/sunmatrix_dense \
    sunlinsol/dense/sunlinsol_dense sunnonlinsol/fixedpoint/sunnonlinsol_fixedpoint \
    sunnonlinsol/newton/sunnonlinsol_newton
REBUILT_PEERS  := $(patsubst %,peer_%_rebuilt,$(addprefix cvodes_,adams adjoint bdf staggered \
    simultaneous) $(addprefix idas_,plain staggered formulas))
SUNDIALS_HEADERS = $(if $(SUNDIALS),$(SUNDIALS)/include,/usr/include)/sundials

$(B)/bench/sundials-rebuilt.o: $(SUNDIALS_PEERS) bench/peers/peer.h bench/peers/sundials.h \
        $(addprefix bench/peers/,five_bar.h five_bar_dae.h formula_dae.h gradient_equations.h ida.h) $(B)/flags
	$(if $(V),,@echo "  CC    $(SUNDIALS_SOURCE) (rebuilt)")
	@rm -rf $(@:.o=) && mkdir -p $(@:.o=)/sundials
	@sed 's/^#define SUNDIALS_MPI_ENABLED 1/#define SUNDIALS_MPI_ENABLED 0/' \
	    $(SUNDIALS_HEADERS)/sundials_config.h > $(@:.o=)/sundials/sundials_config.h
	@cp $(SUNDIALS_HEADERS)/sundials_export.h $(@:.o=)/sundials/
	@for c in $(SUNDIALS_PARTS:%=$(SUNDIALS_SOURCE)/src/%.c) $(SUNDIALS_PEERS); do \
	    case $$c in bench/*) o=peer_$$(basename $$c .c);; *) o=$$(basename $$c .c);; esac; \
	    gcc -std=gnu11 $(PEER_FLAGS) -flto -fPIC -w -DREBUILT $(STATED) -I$(@:.o=) \
	        -I$(SUNDIALS_SOURCE)/include -I$(SUNDIALS_SOURCE)/src/sundials $(SEES_bench) \
	        -c -o $(@:.o=)/$$o.o $$c || exit; done
	@gcc $(PEER_FLAGS) -flto=auto -r -flinker-output=nolto-rel -nostdlib -o $(@:.o=)/whole.o \
	    $(@:.o=)/[a-z]*.o
	@objcopy $(REBUILT_PEERS:%=--keep-global-symbol=%) $(@:.o=)/whole.o $@

# The user's lists of packages stay as they are: these are lists of our own, the user's with
# source packages.
APT_SOURCE = apt-get -o Dir::Etc::SourceList=$(CURDIR)/$@.part/sources.list \
    -o Dir::Etc::SourceParts=$(CURDIR)/$@.part/sources -o Dir::State::Lists=$(CURDIR)/$@.part/lists \
    -o Dir::Cache=$(CURDIR)/$@.part/cache
$(SUNDIALS_SOURCE):
	@rm -rf $@.part && mkdir -p $@.part/lists/partial $@.part/cache/archives/partial \
	    $@.part/sources
	@sed -n 's/^deb /deb-src /p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
	    2> /dev/null > $@.part/sources.list; cd $@.part/sources && \
	    for f in /etc/apt/sources.list.d/*.sources; do \
	        sed 's/^Types:.*/Types: deb-src/' "$$f" > "$${f##*/}"; done 2> /dev/null; true
	@echo "+ apt-get source sundials"; { $(APT_SOURCE) update && cd $@.part && \
	    $(APT_SOURCE) source --download-only sundials; } > $@.part/log 2>&1 && \
	    cd $(CURDIR)/$@.part && mkdir tree && \
	    tar -x -f *.orig.tar.* -C tree --strip-components=1 && mv tree ../$(@F) || \
	    echo "no source package of sundials: CVODES as Debian builds it only"
	@rm -rf $@.part

# With SKIP_DEPS=1 what is not there is left out, and its tests with it.
FOREIGN := $(if $(and $(SKIP_DEPS),$(SUNDIALS)),$(if $(wildcard $(SUNDIALS)),yes),yes)
foreign-programs: deps-foreign $(if $(FOREIGN),$(B)/foreign/cvodes)

# The scores in verify/foreign/examples/README.md; what is wrong must fall short.
PYTHON_CASES := bouncing-ball impact-oscillator pendulum-stop mass-drop compass-gait \
                pendulum-wall rope-catch pendulum-friction event-bolus five-bar \
                five-bar-events
CVODES_CASES := bouncing-ball pendulum-stop pendulum-wall
foreign: $(B)/saltus foreign-programs   ## judge the programs in verify/foreign/examples
	@$(B)/saltus verify $(PYTHON_CASES) --solver $(EXAMPLES)/saltation.py
	@$(B)/saltus verify $(CVODES_CASES) --solver $(B)/foreign/cvodes
	@$(call fall_short,pendulum-wall,$(EXAMPLES)/saltation.py,no-dte sign side no-rho)
	@$(call fall_short,pendulum-stop,$(B)/foreign/cvodes,no-dte no-reset)

define fall_short
for wrong in $(3); do \
    echo; echo "== $(notdir $(2)) --wrong $$wrong"; \
    $(B)/saltus verify $(1) --solver "$(2) --wrong $$wrong"; \
    if [ $$? -ne 1 ]; then echo "error: it did not fall short" >&2; exit 1; fi; done
endef

# --- running --------------------------------------------------------------------------

# One cache of generated code for all builds, tests and verdicts of a tree: what one has
# compiled the others load. Their programs take more room than a user's do.
CODE_CACHE := SALTUS_CACHE='$(CURDIR)/build/code' SALTUS_CACHE_MIB=2048

# Without ARGS also how the penalty formulations approach the exact motion, or do not. With
# AGAINST the digits are compared with a table of them, too, and kept in $(DIGITS).
DIGITS := $(B)/digits.json
verify: $(B)/saltus                     ## verify the mechanisms (ARGS="five-bar --digits 9")
	@$(CODE_CACHE) $(B)/saltus verify $(ARGS) $(if $(AGAINST),--against $(AGAINST) --save $(DIGITS))
	@$(if $(ARGS),,echo; $(CODE_CACHE) $(B)/saltus verify five-bar rope-catch --study alpha)

# All digits that have been reached, kept in the tree: what no bar asks for is not lost
# unseen. After a change that moves digits for a reason, `make record` keeps the new ones.
RECORD := verify/record.json

regress: $(B)/saltus                    ## has any digit of the record been lost?
	@$(B)/saltus regress --against $(RECORD) $(ARGS)

# clang finds what it warns of without optimisation: tests that it does not run are read.
READ := $(TEST_SOURCES:%=$(B)/%.read) $(TEST_HELPERS:%=$(B)/%.read)
read-tests: $(READ)                     ## read the sources of the tests for the warnings of clang, without object code
$(READ): $(B)/%.read: % $(B)/flags | $(AUTO_DEPS)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  READ  $<")
	$(at)$(CC) $(BASE) $(WARNINGS) $(SEES_verify) $(CFLAGS) $(SEES_tests) -MF $@.d -MT $@ \
	    -fsyntax-only $< && touch $@

# Another compiler's digits are those of the first one, all of them: on cases with each kind
# of event on each kind of mechanism, in each formulation, by each oracle.
SAME_DIGITS := at-rest ball-table chaplygin-sleigh clutch compass-gait cradle-redundant \
    double-pendulum event-algebra event-bolus five-bar-events-redundant four-bar-stops \
    galileo-peg grazing jerk-trigger latch-redundant mass-drop pendulum-friction \
    pendulum-wall rimless-wheel rope-catch slack-rope stick-slip-impact two-link-driven \
    zeno-passed
same-digits: $(B)/saltus                ## are the digits those in AGAINST, kept by make verify?
	@$(B)/saltus regress --against $(AGAINST) --tolerance 0 $(SAME_DIGITS)

# What a sanitizer looks for is in parsers, in tables that grow, in processes, in code that
# is generated, and in the solvers of linear systems; and the main job on a few cases. Of
# the tests of commands those are left to the plain build that are about numbers, or in
# which the programs of others run; what they ask of commands runs once, and leaks nothing.
SANITIZED := commands codegen cases linear malformed
LEFT_PLAIN := command_matrix command_verify export export_text foreign_examples \
    gradient_command model_file_command mutants_command optimise_command orbit_certified \
    pictures random_mechanisms source uncertainty_command
LEAK_FREE := 'bench --growth events --quick' 'certify bouncing-ball --digits 20 --directory .' \
    'export pendulum-wall --to c' 'export pendulum-wall --to octave' \
    'export pendulum-wall --to julia' 'export pendulum-wall --to python' \
    'gradient pendulum-stop --hessian --method all' 'list --sheet list.svg' \
    'mutants bouncing-ball --every 500' \
    'optimise ball-tracked --cost misfit --over e,mu --uncertainty known --readings 20' \
    'orbit pwlin --sens none --certify --digits 12 --directory .' 'problem five-bar' \
    'prove bouncing-ball --digits 20 --directory .' 'random --seed 1 --count 12' \
    'regress bouncing-ball --save digits.json' 'reproduce dankowicz' \
    'report bouncing-ball --parts matrix,verify -o report' 'run slack-rope --plot run.svg' \
    'run bouncing-ball --points 9 -o run.csv' 'check bouncing-ball run.csv' 'manual page' \
    'show five-bar' 'sweep bouncing-ball --grid e=0.5:0.9:3' 'new bead' \
    'show bead.yaml --yaml' 'certify bead.yaml --digits 12' \
    'verify bead.yaml --formulation index1' 'new arm --from elements' \
    'verify arm.yaml --formulation ggl --brief' 'verify bouncing-ball --matrix' \
    'verify rope-catch --study alpha'
traced := $(CODE_CACHE) ASAN_OPTIONS=handle_sigill=1 $(CURDIR)/$(B)/saltus
sanitized: $(B)/saltus                  ## with SAN=1: the tests where memory is at risk, and verify of five cases
	@$(MAKE) --no-print-directory test TEST="$(SANITIZED)" LEFT="$(LEFT_PLAIN)"
	@rm -rf $(B)/leaks && mkdir -p $(B)/leaks
	@cd $(B)/leaks && for c in $(LEAK_FREE); do $(traced) $$c > /dev/null 2> log || { \
	    echo "saltus $$c: exit $$?" >&2; cat log >&2; exit 1; }; done
	@$(traced) verify bouncing-ball five-bar-events pendulum-friction rope-catch slack-rope

# Readers of text under libFuzzer, with sanitizers: model files, formulas, CSV. Words of the
# language are those of its dictionary, and keys; the corpus of each is an archive, to which
# FUZZ_KEEP=1 adds what has been found anew, where it reaches further.
FUZZ         ?= model formula csv
FUZZ_SECONDS ?= 60
FUZZ_FLAGS   := -std=c11 -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer -MMD -MP \
                -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_OBJ     := $(patsubst %.c,build/fuzz/%.o,$(SRC_cases) verify/foreign/csv.c)
build/fuzz/%.o: %.c | $(AUTO_DEPS)
	@mkdir -p $(@D)
	$(at)clang $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link $(SEES_verify) -c -o $@ $<
$(FUZZ:%=build/fuzz/%): build/fuzz/%: build/fuzz/verify/tests/fuzz/%.o $(FUZZ_OBJ)
	$(at)clang -fsanitize=address,undefined,fuzzer -o $@ $^ $(LINK_cases) -lm
fuzz: $(FUZZ:%=build/fuzz/%)            ## random texts for the readers, FUZZ_SECONDS=60 each
	@for f in $(FUZZ); do c=build/fuzz/corpus/$$f; mkdir -p $$c build/fuzz/found; \
	    tar -xJ -C $$c -f verify/tests/fuzz/$$f.tar.xz; \
	    { cat verify/tests/fuzz/$$f.dict; [ $$f != model ] || \
	        sed -n 's/^KEY([A-Z_]*, \("[^"]*"\),.*/\1/p' cases/file/keys.def | sort -u; } \
	        > build/fuzz/$$f.dict; \
	    echo "== $$f: $(FUZZ_SECONDS) s"; \
	    build/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2048 \
	        -max_len=4000 -artifact_prefix=build/fuzz/found/$$f- \
	        -dict=build/fuzz/$$f.dict $$c > build/fuzz/$$f.log 2>&1 \
	        || { tail -40 build/fuzz/$$f.log; exit 1; }; \
	    grep 'cov:' build/fuzz/$$f.log | tail -1; \
	    $(if $(FUZZ_KEEP),rm -rf $$c.least && mkdir $$c.least && \
	        build/fuzz/$$f -merge=1 $$c.least $$c 2> /dev/null && \
	        tar -c --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=644 \
	            -C $$c.least $$(ls $$c.least) | xz -9 > verify/tests/fuzz/$$f.tar.xz;) done

reproduce: $(B)/saltus                  ## the papers, verdict by verdict, with figures in build/papers (ARGS="pan")
	@$(CODE_CACHE) $(B)/saltus reproduce -o $(B)/papers $(ARGS)

# All that saltus has to say as one page; parts that are there are not made again.
report: $(B)/saltus                     ## one page of everything, build/report/index.html (ARGS="--pdf")
	@$(CODE_CACHE) $(B)/saltus report -o $(B)/report $(ARGS)
report-test: $(B)/saltus deps-report    ## that page in a browser, at two widths, light and dark
	@$(CODE_CACHE) $(B)/saltus report -o $(B)/report $(ARGS) || [ $$? -eq 1 ]
	@python3 verify/tests/report/browse.py $(B)/report/index.html

docs: deps-dev                          ## the library's header as pages, build/docs/html
	@mkdir -p build/docs
	@{ cat formulations/library/Doxyfile; echo 'OUTPUT_DIRECTORY = build/docs'; } | doxygen -

gallery: $(B)/saltus                    ## draw the mechanisms of cases/README.md again
	@$(B)/saltus list --sheet cases/gallery.svg

record: $(B)/saltus                     ## keep the digits of this build in verify/record.json
	@$(B)/saltus regress --save $(RECORD)

mutants: $(B)/saltus                    ## faults in the source: is each one seen? (FAULTS="time-held")
	@$(B)/saltus mutants --source . $(FAULTS)

# LeakSanitizer and Criterion's sandbox disagree: leaks are looked for on the command.
test: tests all columns foreign-programs ## the quick tests
	@$(run_tests)

test-all: tests all columns foreign-programs $(if $(SKIP_DEPS),,deps-valgrind)  ## all tests, slow ones too, and valgrind on the command
	@SALTUS_SLOW=1; export SALTUS_SLOW; $(run_tests)
ifeq ($(SAN),)
	valgrind --quiet --leak-check=full --error-exitcode=9 $(B)/saltus verify bouncing-ball
endif

# Suites named in LEFT stay out of what run_tests runs.
space := $(empty) $(empty)
only   = $(if $(LEFT),--filter "!($(subst $(space),|,$(strip $(LEFT))))/*")

# Runs every test program, as many at once as there are cores, shows what each has said and
# how long it took when it ends, and adds up their Criterion summaries. A program that ends
# badly without a failing test (a crash of the runner itself) counts as a failure.
define run_tests
SALTUS_COMMAND='$(CURDIR)/$(B)/saltus'; export SALTUS_COMMAND; \
$(CODE_CACHE); export SALTUS_CACHE SALTUS_CACHE_MIB; \
ASAN_OPTIONS=handle_sigill=1:detect_leaks=0; export ASAN_OPTIONS; \
rm -f $(TESTS:=.log) $(TESTS:=.status); \
printf '%s\n' $(TESTS) | xargs -P "$$(nproc)" -I '{}' sh -c ' \
    start=$$(date +%s); {} $(only) > {}.log 2>&1; echo $$? > {}.status; \
    seconds=$$(($$(date +%s) - start)); \
    flock $(B)/tests sh -c "echo == {}, $$seconds s; cat {}.log"'; \
passed=0; failed=0; skipped=0; bad=; \
for test in $(TESTS); do \
    set -- $$(sed -n -e 's/\x1b\[[0-9;]*m//g' -e 's/.*Synthesis: Tested: \([0-9]*\) | Passing: \([0-9]*\) | Failing: \([0-9]*\).*/\1 \2 \3/p' $$test.log | tail -n 1); \
    if [ $$# -ne 3 ]; then set -- 1 0 1; fi; \
    if [ "$$(cat $$test.status)" -ne 0 ] && [ $$3 -eq 0 ]; then \
        echo "$$test ended with status $$(cat $$test.status)"; set -- $$(($$1 + 1)) $$2 1; fi; \
    if [ $$3 -ne 0 ]; then bad="$$bad $$test"; fi; \
    passed=$$((passed + $$2)); failed=$$((failed + $$3)); \
    skipped=$$((skipped + $$1 - $$2 - $$3)); \
done; \
if [ -n "$$bad" ]; then echo "failed in:$$bad"; fi; \
if [ $$skipped -ne 0 ]; then echo "$$passed passed, $$failed failed, $$skipped skipped"; \
else echo "$$passed passed, $$failed failed"; fi; \
[ $$failed -eq 0 ] && [ $$passed -ne 0 ]
endef

# What the compilers do not see of the style (CONTRIBUTING.md).
columns:                                ## no line of more than 90 columns, no tab
	@find $(FOLDERS) -name '*.[ch]' -o -name '*.def' | sort | xargs awk ' \
	    length > 90 { printf "%s:%d: %d columns, at most 90\n", FILENAME, FNR, length; bad = 1 } \
	    /\t/ { printf "%s:%d: a tab; use spaces\n", FILENAME, FNR; bad = 1 } \
	    END { exit bad }' >&2

# The names as the case files give them; `make certify CASES="five-bar"` for one.
CASES ?= $(shell sed -n 's/.*\.name *= *"\([a-z0-9-]*\)".*/\1/p' \
         $$(grep -lsw '^CASE' cases/*.c cases/*/*.c) /dev/null)
# A second make, which finds what the first one has unpacked. Without ARGS all tables, in
# build/bench/results with their pictures: some ten minutes.
bench: $(if $(SKIP_DEPS),,deps-bench $(SUNDIALS) $(SUNDIALS_SOURCE))  ## what it costs, beside others (ARGS="hand-rk87 penalty")
	@$(MAKE) --no-print-directory $(B)/saltus
	@$(if $(ARGS),$(B)/saltus bench $(ARGS),$(bench_all))

RESULTS   := $(B)/bench/results
WORKLOADS := five-bar slider-crank-spatial slider-crank-friction
SMOOTH    := andrews pendulum-chain-angles-4
SWITCHING := switching-oscillator
ACROSS    := adjoint discrete-adjoint direct $(if $(PETSC),petsc-adjoint petsc-adjoint-jump)
GROWTHS   := $(shell sed -n 's/^GROWTH(\(.*\))$$/\1/p' bench/growth/growth.def)
define bench_all
mkdir -p $(RESULTS); \
one() { name=$$1; shift; echo; echo "== saltus bench $$*"; \
    $(B)/saltus bench "$$@" --plot $(RESULTS)/$$name.svg -o $(RESULTS)/$$name.csv \
        > $(RESULTS)/$$name.txt || { cat $(RESULTS)/$$name.txt; exit 1; }; \
    cat $(RESULTS)/$$name.txt; }; \
for w in $(WORKLOADS); do one $$w --workload $$w; done; \
for w in $(SMOOTH); do one gradient-$$w --workload $$w/gradient; done; \
for w in $(SWITCHING); do one gradient-$$w $(ACROSS) --workload $$w/gradient; done; \
for g in $(GROWTHS); do one growth-$$g --growth $$g; done; \
echo; echo "Tables, CSV and pictures: $(RESULTS)"
endef

certify: $(B)/saltus                    ## make the certified values again (CASES="five-bar")
	@for case in $(CASES); do echo "== $$case"; $(B)/saltus certify $$case || exit; done

# Cases that are proved already, with as many digits, are kept; those that cannot be proved
# say why, which is no failure here.
prove: $(B)/saltus                      ## prove what can be proved (CASES="five-bar")
	@$(B)/saltus prove $(CASES) || true

# What is stored must come out again, to the byte. Takes an hour; cases that have been made
# are not made again after an interruption (rm -r build/values to start afresh).
certify-all: $(B)/saltus                ## make all certified values anew and compare them with the stored ones
	@mkdir -p $(B)/values; for case in $(CASES); do \
	    if [ ! -e $(B)/values/$$case.done ]; then \
	        $(B)/saltus certify $$case --directory $(B)/values \
	            --against reference/values || exit; \
	        touch $(B)/values/$$case.done; fi; done; \
	echo "$$(ls $(B)/values/*.ref | wc -l) certified files come out again, to all their digits"

# --- installing -----------------------------------------------------------------------

define PC
prefix=$(PREFIX)
libdir=$(LIBDIR)
includedir=$${prefix}/include

Name: saltus
Description: sensitivities of hybrid multibody systems
Version: $(VERSION)
Requires.private: gsl
Libs: -L$${libdir} -lsaltus
Libs.private: -lyaml -lklu -lbtf -lamd -lcolamd -lsuitesparseconfig -lgsl -lgslcblas -lm
Cflags: -I$${includedir}
endef
export PC

# A plug-in is linked with nothing.
define PC_PLUGIN
prefix=$(PREFIX)
includedir=$${prefix}/include/saltus

Name: saltus-plugin
Description: formulations, integrators and jump rules for the command saltus
Version: $(VERSION)
Cflags: -I$${includedir}/cases -I$${includedir}/cases/model -I$${includedir}/formulations
endef
export PC_PLUGIN

REFS    = $(sort $(wildcard reference/values/*.ref reference/values/*.proved))
D       = $(DESTDIR)

# What plug-ins and programs with libsaltus are compiled with; builds nothing.
install-headers:
	install -D -m 644 $(LIBRARY_FACE) $(D)$(PREFIX)/include/saltus/saltus.h
	@for h in $(PUBLIC); do \
	    install -D -m 644 $$h $(D)$(PREFIX)/include/saltus/$$h || exit; done
	@install -d $(D)$(LIBDIR)/pkgconfig
	printf '%s\n' "$$PC" > $(D)$(LIBDIR)/pkgconfig/saltus.pc
	printf '%s\n' "$$PC_PLUGIN" > $(D)$(LIBDIR)/pkgconfig/saltus-plugin.pc

# The files that install makes.
COMPLETE_BASH := $(PREFIX)/share/bash-completion/completions/saltus
COMPLETE_ZSH  := $(PREFIX)/share/zsh/site-functions/_saltus
MAN           := $(PREFIX)/share/man
PYTHON        := $(PREFIX)/lib/python3/dist-packages/saltus.py
INSTALLED = $(PUBLIC:%=$(PREFIX)/include/saltus/%) $(PREFIX)/include/saltus/saltus.h \
    $(addprefix $(LIBDIR)/pkgconfig/,saltus.pc saltus-plugin.pc) $(PYTHON) \
    $(PREFIX)/bin/saltus $(addprefix $(LIBDIR)/libsaltus,.a .so.$(VERSION) .so.$(SONAME) .so) \
    $(REFS:reference/values/%=$(VALUES)/%) $(MAN)/man1/saltus.1 \
    $(MAN)/man5/saltus-model.5 $(COMPLETE_BASH) $(COMPLETE_ZSH)

install: $(B)/install/saltus $(MADE_TEXTS) $(B)/libsaltus.a $(B)/libsaltus.so install-headers ## PREFIX=/usr/local DESTDIR=
	install -d $(D)$(PREFIX)/bin $(D)$(LIBDIR) $(D)$(VALUES)
	install -m 755 $(B)/install/saltus $(D)$(PREFIX)/bin/saltus
	install -m 644 $(B)/libsaltus.a $(D)$(LIBDIR)/libsaltus.a
	install -m 755 $(B)/libsaltus.so $(D)$(LIBDIR)/libsaltus.so.$(VERSION)
	ln -sf libsaltus.so.$(VERSION) $(D)$(LIBDIR)/libsaltus.so.$(SONAME)
	ln -sf libsaltus.so.$(SONAME) $(D)$(LIBDIR)/libsaltus.so
	@for v in $(REFS); do install -m 644 $$v $(D)$(VALUES)/ || exit; done
	install -D -m 644 formulations/library/saltus.py $(D)$(PYTHON)
	install -D -m 644 $(B)/saltus.1 $(D)$(MAN)/man1/saltus.1
	install -D -m 644 $(B)/saltus-model.5 $(D)$(MAN)/man5/saltus-model.5
	install -D -m 644 $(B)/saltus.bash $(D)$(COMPLETE_BASH)
	install -D -m 644 $(B)/_saltus $(D)$(COMPLETE_ZSH)
	@if [ -z "$(D)" ] && [ "$$(id -u)" = 0 ]; then ldconfig || true; fi

# Folders of saltus alone go with their files, if nothing else is in them.
uninstall:                              ## remove what install has put there (PREFIX= DESTDIR=)
	@printf '%s\n' $(INSTALLED:%=$(D)%) | xargs rm -f
	@for d in $(PREFIX)/include/saltus $(PREFIX)/share/saltus; do \
	    [ ! -d $(D)$$d ] || find $(D)$$d -depth -type d -empty -delete; done
	@if [ -z "$(D)" ] && [ "$$(id -u)" = 0 ]; then ldconfig || true; fi

# The source is the tracked files as they stand, without .debian/, which becomes debian/. Its
# files have the time of the changelog and no owner, and nothing of the environment reaches
# the build: the same tree gives the same packages. DEB_BUILD_OPTIONS= has debug symbols, too.
DEB      := build/deb
DEB_ORIG := $(DEB)/saltus_$(VERSION).orig.tar
DEB_TREE := $(DEB)/saltus-$(VERSION)
deb: deps-deb                           ## the Debian packages, by .debian/: build/deb/*.deb
	@no() { echo "error: $$*" >&2; exit 1; }; \
	command -v dpkg-buildpackage > /dev/null || no "no dpkg-buildpackage: make deps-deb"; \
	git rev-parse --verify --quiet HEAD > /dev/null || no "git knows the files, and this is no clone"; \
	case $$(head -n 1 .debian/changelog) in "saltus ($(VERSION)-"*) ;; \
	    *) no ".debian/changelog does not begin with version $(VERSION)";; esac; \
	git diff --quiet HEAD || echo "note: changes that are not committed are in the packages, too"
	@rm -rf $(DEB) && mkdir -p $(DEB)
	@{ git ls-files -z; git ls-files -dz; } | LC_ALL=C sort -z | uniq -zu | \
	    grep -zv '^\.debian/' > $(DEB)/files
	@tar -c -f $(DEB_ORIG) --format=gnu --null --no-recursion --files-from=$(DEB)/files \
	    --transform='s,^,saltus-$(VERSION)/,S' --owner=root:0 --group=root:0 \
	    --mode=u=rwX,go=rX --mtime=@$$(dpkg-parsechangelog -l .debian/changelog -S Timestamp)
	@tar -x -f $(DEB_ORIG) -C $(DEB) && xz -T1 $(DEB_ORIG) && rm $(DEB)/files
	@mkdir $(DEB_TREE)/debian && cp -R .debian/. $(DEB_TREE)/debian && chmod -R u=rwX,go=rX $(DEB_TREE)
	@options="$${DEB_BUILD_OPTIONS-noautodbgsym}"; cd $(DEB_TREE) && \
	    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$$HOME" DEB_BUILD_OPTIONS="$$options" \
	        dpkg-buildpackage -us -uc -tc -j$$(nproc) > ../log 2>&1 < /dev/null || \
	    { tail -n 40 ../log >&2; exit 1; }
	@ls $(DEB)/*.deb

# --- packages of Debian ---------------------------------------------------------------

deps:                                   ## install the Debian packages that are missing
	@$(call install_packages,$(MISSING))
deps-dev: deps                          ## also the tools of lint, format and test-all
	@$(call install_packages,$(MISSING_DEV))
deps-foreign: | $(AUTO_DEPS)            ## what the programs in verify/foreign/examples need
	@$(if $(SKIP_DEPS),:,$(if $(MISSING_FOREIGN),$(call install_packages,$(MISSING_FOREIGN)),:))
deps-report: | $(AUTO_DEPS)             ## what report-test and report --pdf need: chromium
	@$(if $(SKIP_DEPS),:,$(if $(MISSING_REPORT),$(call install_packages,$(MISSING_REPORT)),:))
deps-deb: | $(AUTO_DEPS)                ## what `make deb` needs: debhelper
	@$(if $(SKIP_DEPS),:,$(if $(MISSING_DEB),$(call install_packages,$(MISSING_DEB)),:))
deps-bench: | $(AUTO_DEPS)
	@$(if $(MISSING_BENCH),$(call install_packages,$(MISSING_BENCH)),:)
deps-valgrind: | $(AUTO_DEPS)
	@$(if $(filter valgrind,$(MISSING_DEV)),$(call install_packages,valgrind),:)

define install_packages
packages="$(strip $(1))"; \
if [ -z "$$packages" ]; then echo "nothing is missing"; exit 0; fi; \
echo "missing: $$packages"; \
install="apt-get install -y --no-install-recommends $$packages"; \
if ! command -v apt-get > /dev/null; then \
    echo "error: no apt-get here; install these libraries and tools, or set SKIP_DEPS=1" >&2; \
    exit 1; fi; \
as="env DEBIAN_FRONTEND=noninteractive"; \
if [ "$$(id -u)" != 0 ]; then as="sudo $$as"; \
    if ! command -v sudo > /dev/null; then \
        echo "error: not root, and there is no sudo. As root, run:" >&2; \
        echo "    apt-get update && $$install" >&2; exit 1; fi; fi; \
run() { echo "+ $$as $$*"; $$as "$$@" < /dev/null; }; \
run apt-get update || true; \
run $$install -o DPkg::Lock::Timeout=300
endef

# --- care -----------------------------------------------------------------------------

ALL_C = $(SRC_cases) $(SRC_formulations) $(SRC_reference) $(SRC_verify) $(SRC_bench) \
        $(wildcard verify/commands/main.c) $(TEST_SOURCES) $(TEST_HELPERS)

# Files changed since the last commit: it would loosen the formulas of the others.
FILES ?= $(filter %.c %.h,$(shell git diff --name-only --diff-filter=d HEAD 2>/dev/null; \
         git ls-files --others --exclude-standard 2>/dev/null))
format:                                 ## clang-format over changed files (FILES="a.c b.h")
	$(if $(strip $(FILES)),clang-format -i $(FILES),@echo "no file changed")

TIDY := -*,bugprone-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,$\
        -bugprone-reserved-identifier,-bugprone-macro-parentheses,$\
        -clang-analyzer-security.insecureAPI.*,-bugprone-narrowing-conversions,$\
        -bugprone-assignment-in-if-condition,-bugprone-sizeof-expression,-bugprone-implicit-widening-of-multiplication-result
lint:                                   ## advice from cppcheck and clang-tidy, where present
	@if command -v cppcheck > /dev/null; then \
	    cppcheck --quiet --std=c11 --enable=warning,portability --inline-suppr \
	        --suppress=sizeofwithnumericparameter --suppress=unknownMacro \
	        --suppress=internalAstError --suppress=missingInclude $(SEES_bench) $(ALL_C); \
	else echo "no cppcheck"; fi
	@if command -v clang-tidy > /dev/null; then \
	    clang-tidy --quiet --checks='$(TIDY)' $(ALL_C) -- \
	        -std=c11 -D_GNU_SOURCE -DSALTUS_VERSION='"$(VERSION)"' $(VALUES_HERE) \
	        $(SEES_bench); \
	else echo "no clang-tidy"; fi

clean:                                  ## remove everything that was built
	rm -rf build build-clang build-san build-clang-san build-mpi build-clang-mpi build-petsc

help:                                   ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "  with CC=clang, SAN=1 (address and undefined behaviour), MPI=1, PETSC=1, WERROR=1, V=1, -jN,"
	@echo "  SKIP_DEPS=1 (never install packages), PREFIX= and DESTDIR= for install"

FORCE:

-include $(shell find $(B) -path build/deb -prune -o -name '*.d' -print 2>/dev/null)
