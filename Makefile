# everybranch: boots from UEFI, traces every branch, and says where a trace is wrong.
# `make help` lists what can be made; everything made lies under build/.

comma := ,

# The release that this will be, or is.
VERSION   = 0.1.0

# The variables of a user.
BUILD    ?= build
CPU      ?=
METHOD   ?=
WORKLOAD ?=
FILTER   ?=
ALL      ?=
BOOT     ?=
PROPERTY ?=
SILICON  ?=
DEV      ?=
KEY      ?=
CERT     ?=
SANITIZE ?=
KUT      ?=
RECORDINGS ?=
EXTRA    ?=
WORKLOAD_OBJECTS ?=
IMAGE_MAX ?=
STRICT   ?=
N        ?=
SEED     ?=
V        ?= 0
OPTIMIZE ?= -O2 -g
NASM     ?= nasm
OBJCOPY  ?= objcopy
PYTHON   ?= python3
EFI_INC  ?= /usr/include/efi
EFI_LIB  ?= $(patsubst %/,%,$(dir $(firstword $(wildcard $(EFI_LIBS)) /usr/lib/)))
EFI_LIBS  = $(addsuffix crt0-efi-x86_64.o,/usr/lib/ /usr/lib/x86_64-linux-gnu/ /usr/lib/gnuefi/)
FONT_DIR ?= /usr/share/fonts/X11/misc
EMULATOR ?= $(BUILD)/emulator/qemu-system-x86_64
ifeq ($(origin CC),default)
CC        = gcc
endif

# A misspelt variable would be ignored, and everything run.  Known are those set with ?= and
# those of the help below.
HELPED   := $(shell sed -n 's/^\#? *//p' $(firstword $(MAKEFILE_LIST)) | grep -oE '\b[A-Z]+=')
USERS    := $(patsubst %=,%,$(HELPED)) $(shell sed -n 's/^\([A-Z_]*\) *?=.*/\1/p' $(firstword $(MAKEFILE_LIST)))
GIVEN    := $(foreach one,$(MAKEOVERRIDES),$(firstword $(subst :, ,$(subst =, ,$(one)))))
GIVEN    := $(foreach one,$(GIVEN),$(if $(filter command,$(origin $(one))),$(one)))
$(foreach one,$(filter-out $(USERS) LD AGAIN INNER,$(GIVEN)),$(error \
  $(one)=: there is no such variable$(patsubst %,; did you mean %=,$(shell $(PYTHON) scripts/nearest.py \
  '$(subst ','\'',$(one))' $(USERS) 2>/dev/null))))

# clean removes what is in there, so it must be a folder of its own.
ifneq ($(words $(BUILD)),1)
$(error BUILD="$(BUILD)": want the name of one folder)
endif
ifneq ($(filter /% .. ../% %/.. . ./ ~%,$(BUILD)),)
$(error BUILD=$(BUILD): want a folder inside the checkout)
endif

ifneq ($(strip $(EXTRA)),)
ifneq ($(words $(EXTRA)),1)
$(error EXTRA="$(EXTRA)": want the name of one folder)
endif
ifeq ($(wildcard $(EXTRA)/*.asm),)
$(error EXTRA=$(EXTRA): $(if $(wildcard $(EXTRA)/.),no .asm file is in that folder,there is no such folder))
endif
endif

ifeq ($(strip $(EMULATOR)),)
override EMULATOR = $(BUILD)/emulator/qemu-system-x86_64
endif
ifneq ($(words $(EMULATOR)),1)
$(error EMULATOR="$(EMULATOR)": want the name of one file)
endif
ifneq ($(EMULATOR),$(BUILD)/emulator/qemu-system-x86_64)
ifeq ($(wildcard $(EMULATOR)),)
$(error EMULATOR=$(EMULATOR): there is no such file)
endif
endif

# The recipes expand these in the shell, not in make: what a user typed is never run as a
# command.
MAKEFLAGS += --no-builtin-rules
export BUILD CPU METHOD WORKLOAD FILTER BOOT EMULATOR PYTHON PROPERTY N SEED DEV KEY CERT KUT \
       RECORDINGS EXTRA

# The tests build with STRICT=1, where warnings are errors: a user's compiler may be newer
# than those that are tested, and know more of them.  The code for the target has no red zone
# and no SSE: interrupts arrive on the same stack, and the kernel's handlers save general
# registers only.
ERRORS    = $(if $(STRICT),-Werror)
WARNINGS  = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
WARN      = $(WARNINGS) $(ERRORS) -MMD -MP \
            $(if $(MAKE_TERMERR),-fdiagnostics-color)
# Warnings stay beside the file that was made, in FILE.said, where the tests look for them.
SAID      = 2>$@.said; status=$$?; [ ! -s $@.said ] || cat $@.said >&2; exit $$status
IS_CLANG := $(findstring clang,$(shell $(CC) --version 2>/dev/null))
CLANG_ONLY = $(if $(IS_CLANG),$(1))
GCC_ONLY  = $(if $(IS_CLANG),,$(1))
TARGET    = -std=gnu11 -O2 -g -ffreestanding -fpic -fvisibility=hidden -mno-red-zone \
            -mgeneral-regs-only -fno-stack-protector -fcf-protection=none \
            -fno-asynchronous-unwind-tables $(WARN)
EFI       = -fshort-wchar -DGNU_EFI_USE_MS_ABI $(call GCC_ONLY,-maccumulate-outgoing-args) \
            -isystem $(EFI_INC) -isystem $(EFI_INC)/x86_64
LIBRARIES = -lZydis -lZycore -lipt -ldw -lelf
HOST      = -std=c11 -D_GNU_SOURCE $(OPTIMIZE) $(WARN) $(SANITIZERS)
# A build with sanitizers takes half the time with -O1.  gcc then takes any number for as long as
# its type allows, and warns that it may not fit.
SANITIZERS = $(if $(SANITIZE),-O1 -g1 $(call GCC_ONLY,-Wno-format-truncation) \
                              -fsanitize=$(SANITIZE) -fno-sanitize-recover=all) \
             $(if $(findstring fuzzer,$(SANITIZE)),-fsanitize-coverage-ignorelist=tests/libfuzzer/dull)

# Adding a file is the act of adding it.  EXTRA: a folder of further workloads.
CODE      = $(wildcard kernel/workloads/*.asm kernel/workloads/*.c $(if $(EXTRA),$(EXTRA)/*.asm))
WORKLOADS := $(or $(WORKLOAD_OBJECTS),$(patsubst %,$(BUILD)/workloads/%.o,$(basename $(notdir $(CODE)))))
# A method's file holds its row of facts as well, for the host program.  They run and are
# listed in this order; one that is not named here comes last.
ORDER      = step btf btf_lbr lbr bts bts_pmi bts_each none tr lbr_stream pmi ler brs pt
METHODS   := $(shell grep -l '^METHOD_FACTS' kernel/methods/*.c)
METHODS   := $(foreach one,$(ORDER:%=kernel/methods/%.c),$(filter $(one),$(METHODS))) \
             $(filter-out $(ORDER:%=kernel/methods/%.c),$(METHODS))
FACTS     := $(METHODS:%.c=$(BUILD)/host/%.o)
# The rooms of common/ in their order: each uses those before it.
ROOMS      = base branch facts log expected rules request
SHARED     = $(ROOMS:%=common/%)
SHARED_SEEN = $(SHARED:%=-I%)
KERNELS    = kernel/hardware kernel/methods kernel/probe kernel/emit kernel/screen kernel/smp kernel kernel/monitor
KERNEL    := $(METHODS:%.c=$(BUILD)/%.o) \
             $(patsubst %,$(BUILD)/%.o,$(basename $(wildcard $(addsuffix /*.c,boot $(KERNELS) $(SHARED))))) \
             $(patsubst %,$(BUILD)/%.o,$(wildcard $(addsuffix /*.asm,boot $(KERNELS))))
COMMON    := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard common/*/*.c)) $(FACTS)
TOOLS_SEEN = $(patsubst %,-Itools/%,base log trace judge audit here uefi report verbs)
TOOLS     := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard tools/*/*.c)) \
             $(patsubst %,$(BUILD)/%.o,$(wildcard tools/*/*.asm))
NATIVE    := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard tests/native/*.c))
UNIT      := $(patsubst %.c,$(BUILD)/%,$(filter-out %/test.c %/rows.c,$(wildcard tests/unit/*.c)))

Q         := $(if $(filter 1,$(V)),,@)
SAY        = @mkdir -p $(@D); $(if $(filter 1,$(V)),,printf '  %-8s %s\n' $(1) $@)
# A file that is made each time, and replaced only if it changed.  Its temporary name is its
# own, because two makes may run at once.
NEW        = $@.$$$$.new
IF_NEW     = cmp -s $(NEW) $@ && rm $(NEW) || mv $(NEW) $@

PREFIX   ?= /usr/local
DESTDIR  ?=

TARGETS = all image host units objects release site install uninstall run run-tcg run-kvm run-xen run-bochs \
          monitor usb \
          gdb deps test test-long test-kvm test-kut test-xen test-silicon fuzz bench pictures \
          fuzzers format-check lint analyze tools clean distclean help
.DEFAULT_GOAL := all
.PHONY: $(TARGETS) ready-to-test FORCE
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:

# A list with blanks would be a list of targets: `make run WORKLOAD=loop wt`.
STRAY  := $(strip $(foreach one,$(filter-out $(TARGETS),$(MAKECMDGOALS)),\
            $(if $(findstring /,$(one))$(wildcard $(one)),,$(one))))
NAMED   = $(if $(and $(filter command,$(origin $(1))),$($(1))),$(1))
IN_LIST = $(if $(wildcard $(patsubst %,kernel/workloads/%.*,$(STRAY))),WORKLOAD) METHOD FILTER WORKLOAD
IN_LIST := $(if $(STRAY),$(firstword $(foreach one,$(IN_LIST),$(call NAMED,$(one)))))
ifneq ($(IN_LIST),)
$(error $(firstword $(STRAY)): there is no such target; if it belongs to $(IN_LIST)=, want a comma and \
  no blank before it: $(IN_LIST)=$(subst $(empty) ,$(comma),$(strip $($(IN_LIST)) $(STRAY))))
endif

# A folder is no target, and would be up to date.
FOLDERS := $(filter-out $(TARGETS),$(patsubst %/,%,$(wildcard */)))
.PHONY: $(FOLDERS)
$(FOLDERS):
	$(error $@ is a folder and no target; make help lists the targets)

.DEFAULT:
	$(error $@: there is no such target or file; $(or $(and $(filter check,$@),make test runs the tests$(comma) \
	  and $(BUILD)/everybranch check LOG judges a log),$(patsubst %,did you mean make %?,$(shell $(PYTHON) \
	  scripts/nearest.py '$(subst ','\'',$@)' $(TARGETS))),make help lists them))

all: $(BUILD)/everybranch.img host $(BUILD)/compile_commands.json  ## build the USB image and the host program
image: $(BUILD)/BOOTX64.EFI
host: $(BUILD)/everybranch
units: host $(UNIT) $(BUILD)/tests/native $(BUILD)/tests/compare $(BUILD)/tests/trail \
       $(BUILD)/tests/enlarge $(BUILD)/tests/perfdata

# What the kernel is made of, and nothing linked, for the warnings of another compiler.
objects: $(KERNEL) $(patsubst kernel/%.c,$(BUILD)/%.code.o,$(wildcard kernel/workloads/*.c))

# --- objects: the include paths given to a folder are what it may depend on -------------

$(BUILD)/boot/%.o:                FLAGS = $(TARGET) $(EFI) -Ikernel -Ikernel/hardware $(SHARED_SEEN)
$(BUILD)/kernel/%.o:              FLAGS = $(TARGET) $(patsubst %,-I%,$(filter-out %/monitor,$(KERNELS))) \
                                          $(SHARED_SEEN) -I$(BUILD)/include
$(BUILD)/kernel/main.o $(BUILD)/kernel/monitor/%.o: FLAGS = $(TARGET) $(KERNELS:%=-I%) $(SHARED_SEEN) -I$(BUILD)/include
$(BUILD)/kernel/hardware/%.o:     FLAGS = $(TARGET) $(SHARED_SEEN)
$(BUILD)/kernel/methods/%.o:      FLAGS = $(TARGET) -DKERNEL -Ikernel/hardware $(SHARED_SEEN)
$(BUILD)/kernel/probe/%.o:        FLAGS = $(TARGET) -Ikernel/methods -Ikernel/hardware $(SHARED_SEEN)
$(BUILD)/kernel/emit/%.o:         FLAGS = $(TARGET) -Ikernel/methods -Ikernel/hardware $(SHARED_SEEN) -I$(BUILD)/include
$(BUILD)/kernel/screen/%.o:       FLAGS = $(TARGET) $(addprefix -Ikernel/,emit methods probe hardware) $(SHARED_SEEN) -I$(BUILD)/include
$(BUILD)/kernel/smp/%.o:          FLAGS = $(TARGET) $(addprefix -Ikernel/,emit methods probe hardware) $(SHARED_SEEN)
$(BUILD)/common/%.o:              FLAGS = $(TARGET) $(SEEN:%=-Icommon/%)
$(BUILD)/common/base/%.o $(BUILD)/host/common/base/%.o: SEEN = base
$(BUILD)/common/branch/%.o $(BUILD)/host/common/branch/%.o: SEEN = base branch
$(BUILD)/common/facts/%.o $(BUILD)/host/common/facts/%.o: SEEN = base branch facts
$(BUILD)/common/log/%.o $(BUILD)/host/common/log/%.o: SEEN = base branch facts log
$(BUILD)/common/expected/%.o $(BUILD)/host/common/expected/%.o: SEEN = base branch facts log expected
$(BUILD)/common/rules/%.o $(BUILD)/host/common/rules/%.o: SEEN = base branch facts log expected rules
$(BUILD)/common/request/%.o $(BUILD)/host/common/request/%.o: SEEN = base branch facts log expected rules request
$(BUILD)/tests/bench/%.o $(BUILD)/tests/snapshot/%.o: FLAGS = $(TARGET) $(EFI)
$(BUILD)/tests/levels/%.o:        FLAGS = $(TARGET) $(EFI) -Iboot
$(BUILD)/tests/firmware/%.o:      FLAGS = $(TARGET) $(EFI) -Iboot -Itests/levels
$(BUILD)/host/common/%.o:         FLAGS = $(HOST) $(SEEN:%=-Icommon/%)
$(BUILD)/host/kernel/%.o:         FLAGS = $(HOST) $(SHARED_SEEN)
$(BUILD)/host/tools/base/%.o:     FLAGS = $(HOST) $(SHARED_SEEN) -I$(BUILD)/include
$(BUILD)/host/tools/log/%.o:      FLAGS = $(HOST) $(SHARED_SEEN) -Itools/base
$(BUILD)/host/tools/trace/%.o:    FLAGS = $(HOST) $(SHARED_SEEN) $(addprefix -Itools/,base log)
$(BUILD)/host/tools/judge/%.o:    FLAGS = $(HOST) $(SHARED_SEEN) $(addprefix -Itools/,base log trace)
$(BUILD)/host/tools/audit/%.o:    FLAGS = $(HOST) $(SHARED_SEEN) $(addprefix -Itools/,base log trace)
$(BUILD)/host/tools/here/%.o:     FLAGS = $(HOST) $(SHARED_SEEN) $(addprefix -Itools/,base)
$(BUILD)/host/tools/uefi/%.o:     FLAGS = $(HOST) $(SHARED_SEEN) $(addprefix -Itools/,base)
$(BUILD)/host/tools/report/%.o:   FLAGS = $(HOST) $(SHARED_SEEN) $(addprefix -Itools/,base log trace judge audit here)
$(BUILD)/host/tools/verbs/%.o:    FLAGS = $(HOST) $(SHARED_SEEN) $(TOOLS_SEEN) -I$(BUILD)/include
$(BUILD)/host/tests/observer/%.o: FLAGS = $(HOST) $(SHARED_SEEN) $(TOOLS_SEEN)
$(BUILD)/host/tests/speed/%.o:    FLAGS = $(HOST) -I. $(SHARED_SEEN) $(TOOLS_SEEN)
$(BUILD)/host/tests/unit/%.o:     FLAGS = $(HOST)
$(BUILD)/host/tests/native/%.o:   FLAGS = $(HOST) $(SHARED_SEEN)
$(BUILD)/host/tests/random/expected.o: FLAGS = $(HOST) $(SHARED_SEEN) -Itests/native
$(BUILD)/host/tests/random/trail.o: FLAGS = $(HOST) $(SHARED_SEEN) $(TOOLS_SEEN) -Itests/unit
$(BUILD)/tests/unit/%:            FLAGS = $(HOST) $(SHARED_SEEN) $(TOOLS_SEEN) $(KERNELS:%=-I%) -I. -I$(BUILD)/include

COMPILE   = $(CC) $(FLAGS) -c -o $@ $<
COMMAND   = echo '{ "directory": "$(CURDIR)", "file": "$<", "command": "$(COMPILE)" },' >$@.json

$(BUILD)/%.o: %.c | tools $(BUILD)/include/version.h
	$(call SAY,CC)
	$(Q)$(COMPILE) $(SAID)
	$(Q)$(COMMAND)

$(BUILD)/host/%.o: %.c | tools $(BUILD)/include/version.h
	$(call SAY,HOSTCC)
	$(Q)$(COMPILE) $(SAID)
	$(Q)$(COMMAND)

# Compiled with the headers of the libraries that the static program is linked with: those of
# the system may be of another version.
$(BUILD)/host/%.static.o: %.c $(BUILD)/static/lib/libeu.a | tools $(BUILD)/include/version.h
	$(call SAY,HOSTCC)
	$(Q)$(CC) $(filter-out -g,$(FLAGS)) -isystem $(BUILD)/static/include -c -o $@ $< $(SAID)

$(BUILD)/static/lib/libeu.a: scripts/static-libraries
	@scripts/deps --check release
	$(call SAY,LIBS)
	$(Q)CC='$(CC)' scripts/static-libraries $(@D:/lib=)

# For clangd, which looks for it in a folder `build`.
$(BUILD)/compile_commands.json: $(KERNEL) $(COMMON) $(TOOLS)
	$(Q){ echo '['; cat $(addsuffix .json,$^) 2>/dev/null | sed '$$s/,$$//'; echo ']'; } >$@

$(BUILD)/host/tools/verbs/verb_pack.o: kernel/workloads/workload.inc tools/verbs/bundle.ld

# The report page, as a header that tools/verbs/verb_report.c includes.
PAGE = $(addprefix tools/page/page.,html css js)
$(BUILD)/host/tools/verbs/verb_report.o $(BUILD)/host/tools/verbs/verb_report.static.o: $(BUILD)/include/page_source.h
$(BUILD)/include/page_source.h: scripts/page $(PAGE) | tools
	$(call SAY,PAGE)
	$(Q)$(PYTHON) scripts/page $(PAGE) $@

# A program in C: code and constants in one section, run here one instruction at a time
# for its trace, and laid out around that as a workload like the others.
PROGRAM   = -std=gnu11 -O2 -ffreestanding -fno-builtin -fpic -fvisibility=hidden \
            -mno-red-zone -mgeneral-regs-only -fno-stack-protector -fcf-protection=none \
            -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns $(WARN)

$(BUILD)/workloads/%.raw.o: kernel/workloads/%.c | tools
	$(call SAY,CC)
	$(Q)$(CC) $(filter-out $(call CLANG_ONLY,-fno-tree-loop-distribute-patterns),$(PROGRAM)) \
	  -Ikernel/workloads -c -o $@ $< $(SAID)

$(BUILD)/workloads/%.code.o: $(BUILD)/workloads/%.raw.o kernel/workloads/program.ld
	$(Q)$(LD) -r -T kernel/workloads/program.ld -o $@ $<
	$(Q)undefined=$$(nm -u $@); [ -z "$$undefined" ] || \
	  { echo "$*.c calls what a program does not have: $$undefined" >&2; exit 1; }

RECORDER  = tests/expected/record.c tests/expected/breakpoints.c tests/native/step.c \
            tests/native/apic.c common/branch/pack.c common/log/portable.c
$(BUILD)/workloads/%.record: $(BUILD)/workloads/%.code.o $(RECORDER) common/branch/pack.h
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 $(SHARED_SEEN) -Itests/native -Itests/expected -o $@ $< \
	  $(RECORDER) -lZydis

# Recorded twice: what a program does may not depend on when it is started.
$(BUILD)/workloads/%.inc: $(BUILD)/workloads/%.record
	$(call SAY,TRACE)
	$(Q)scripts/stopwatch traces $< $* $(@:.inc=.trace) $@.new
	$(Q)scripts/stopwatch traces $< $* $(@:.inc=.trace) $@.new again && mv $@.new $@

$(BUILD)/workloads/%.o: $(BUILD)/workloads/%.inc $(BUILD)/workloads/%.code.o \
                        kernel/workloads/program.inc
	$(call SAY,LD)
	$(Q)$(NASM) -f elf64 -g $(ERRORS) -p $< -o $(@:.o=.desc.o) kernel/workloads/program.inc $(SAID)
	$(Q)$(LD) -r -o $@ $(BUILD)/workloads/$*.code.o $(@:.o=.desc.o)
	$(Q)$(OBJCOPY) --wildcard --localize-symbol='*' $@

$(BUILD)/%.asm.o: %.asm | tools
	$(call SAY,NASM)
	$(Q)$(NASM) -f elf64 -g $(ERRORS) -I$(BUILD)/include/ -o $@ $< $(SAID)

# nasm 2.16 leaves includes out of the dependencies that it writes, so they are written here.
$(BUILD)/kernel/hardware/pmi_gate.asm.o $(BUILD)/kernel/hardware/vectors.asm.o: kernel/hardware/frame.inc

# The letters of the screen, out of Terminus Font; kernel/hardware/font.h says how they lie.
FONTS = $(patsubst %,$(FONT_DIR)/ter-u%b_unicode.pcf.gz,16 24 32)
$(BUILD)/kernel/hardware/font.asm.o: $(BUILD)/include/fonts.bin
$(BUILD)/include/fonts.bin: scripts/font | tools
	$(call SAY,FONT)
	$(Q)$(PYTHON) scripts/font $@ $(FONTS)

# Neither does nasm name workload.inc.  Other versions of nasm may write other forms of an
# instruction, so the code of each workload here has a checksum in the tree.
vpath %.asm kernel/workloads $(EXTRA)
CHECKSUM  = $(if $(filter kernel/workloads/%,$<),NASM='$(NASM)' OBJCOPY='$(OBJCOPY)' scripts/checksum $< $@)
$(BUILD)/workloads/%.o: %.asm $(addprefix kernel/workloads/,workload.inc checksums) scripts/checksum | tools
	$(call SAY,NASM)
	$(Q)$(NASM) -f elf64 -g $(ERRORS) -Ikernel/workloads/ -o $@ $< $(SAID)
	$(Q)$(CHECKSUM)

# A workload of x2APIC mode includes the source of another one.
$(foreach x2,$(filter %_x2.asm,$(CODE)),$(eval \
  $(BUILD)/workloads/$(basename $(notdir $(x2))).o: $(x2:_x2.asm=.asm)))

# The bad workloads are in an image of their own, beside all others.
BAD = $(patsubst tests/%.asm,$(BUILD)/%.o,$(wildcard tests/bad/*.asm))
$(BUILD)/bad/%.o: tests/bad/%.asm kernel/workloads/workload.inc | tools
	$(call SAY,NASM)
	$(Q)$(NASM) -f elf64 -g $(ERRORS) -Ikernel/workloads/ -o $@ $< $(SAID)

# The lists of workloads and methods: taking one away must relink, as adding one does.
$(BUILD)/workloads/list: FORCE | tools
	@mkdir -p $(@D)
	@printf '%s\n' $(WORKLOADS) $(METHODS) >$(NEW); $(IF_NEW)

# The commit that the log's opening line names.  Source that is in no commit counts as a
# change like any other, since sources are found by wildcard.  Git would take more digits
# where a clone has more objects, and the same source would give another image.
$(BUILD)/include/version.h: FORCE | tools
	@mkdir -p $(@D)
	@version=$$(git describe --always --abbrev=7 --dirty 2>/dev/null || echo unknown); \
	  new=$$(git ls-files --others --exclude-standard boot common kernel tools 2>/dev/null); \
	  [ -z "$$new" ] || version=$${version%-dirty}-dirty; \
	  printf '#define EVERYBRANCH_%s "%s"\n' VERSION $(VERSION) BUILD "$$version" >$(NEW); $(IF_NEW)

# --- the program that boots, the empty one that `make bench` times it against, and two that
# --- start the first one: with 5-level page tables, and on a machine as other firmware leaves it

$(BUILD)/everybranch.so $(BUILD)/bad/everybranch.so: $(KERNEL) $(WORKLOADS) $(BUILD)/workloads/list
$(BUILD)/bad/everybranch.so: $(BAD)
$(BUILD)/empty.so: $(BUILD)/tests/bench/empty.o
$(BUILD)/snapshot.so: $(BUILD)/tests/snapshot/wait.o
$(BUILD)/snapshot.so: LIBEFI = -lefi
$(BUILD)/levels.so: $(addprefix $(BUILD)/,tests/levels/loader.o tests/levels/switch.asm.o \
                                          tests/levels/start.o boot/files.o boot/console.o)
$(BUILD)/firmware.so: $(addprefix $(BUILD)/,tests/firmware/loader.o tests/firmware/registers.o \
                                            tests/firmware/enter.asm.o tests/levels/start.o \
                                            boot/files.o boot/console.o boot/qemu.o \
                                            kernel/hardware/memory.o kernel/hardware/panic.o)
$(addprefix $(BUILD)/,everybranch.so bad/everybranch.so empty.so snapshot.so levels.so firmware.so): linker.ld
	$(call SAY,LD)
	$(Q)$(LD) -nostdlib -znocombreloc -shared -Bsymbolic -z defs -T linker.ld -o $@ \
	  $(EFI_LIB)/crt0-efi-x86_64.o $(filter %.o,$^) -L$(EFI_LIB) $(LIBEFI) -lgnuefi

$(BUILD)/BOOTX64.EFI: $(BUILD)/everybranch.so
$(BUILD)/bad/BOOTX64.EFI: $(BUILD)/bad/everybranch.so
$(BUILD)/empty.EFI: $(BUILD)/empty.so
$(BUILD)/snapshot.EFI: $(BUILD)/snapshot.so
$(BUILD)/levels.EFI: $(BUILD)/levels.so
$(BUILD)/firmware.EFI: $(BUILD)/firmware.so
$(BUILD)/%.EFI: scripts/check-efi
	$(call SAY,EFI)
	$(Q)$(OBJCOPY) --strip-all -j .text -j .rodata -j .data -j .dynamic -j .rela -j .reloc \
	  -j .bss \
	  --output-target=efi-app-x86_64 --subsystem=10 $(filter %.so,$^) $@
	$(Q)$(PYTHON) scripts/check-efi --set-nx $(addprefix --at-most ,$(IMAGE_MAX)) \
	  $(filter %.so,$^) $@

# For firmware that has Secure Boot on and trusts this key.  The file does not show which key
# it was signed with, so it is signed anew each time.
$(BUILD)/signed.EFI: $(BUILD)/BOOTX64.EFI FORCE
	$(call SAY,SIGN)
	$(Q)said=$$(sbsign --key "$$KEY" --cert "$$CERT" --output $@ $< 2>&1) || \
	  { printf '%s\n' "KEY=$$KEY CERT=$$CERT: sbsign cannot sign with these: want an RSA key" \
	  "without a pass phrase and the certificate that belongs to it, both in PEM" \
	  "(docs/hardware.md).  It says:" "$$said" >&2; exit 1; }

$(BUILD)/everybranch.img: $(BUILD)/BOOTX64.EFI
$(BUILD)/bad/everybranch.img: $(BUILD)/bad/BOOTX64.EFI
$(BUILD)/empty.img: $(BUILD)/empty.EFI
$(BUILD)/levels.img: $(BUILD)/levels.EFI
$(BUILD)/firmware.img: $(BUILD)/firmware.EFI
$(BUILD)/signed.img: $(BUILD)/signed.EFI
$(BUILD)/%.img: scripts/everybranch.cfg scripts/image
	@scripts/deps --check image
	$(call SAY,IMAGE)
	$(Q)$(PYTHON) scripts/image $(filter %.EFI,$^) scripts/everybranch.cfg $@

$(BUILD)/%.iso: $(BUILD)/BOOTX64.EFI scripts/everybranch.cfg scripts/image
	@scripts/deps --check image release
	$(call SAY,IMAGE)
	$(Q)$(PYTHON) scripts/image $(filter %.EFI,$^) scripts/everybranch.cfg $@

# --- the host program, the tests' programs and the emulator -------------------------------

$(BUILD)/everybranch $(BUILD)/bad/everybranch: $(TOOLS) $(COMMON)
$(BUILD)/bad/everybranch: $(BAD)
# For other machines: it needs no library there, and nothing in it depends on where it was built.
# It lies above 4 GiB, as the other does, so `here` has the same plan.
$(BUILD)/static/everybranch: $(patsubst $(BUILD)/host/%.o,$(BUILD)/host/%.static.o,$(TOOLS)) $(COMMON)
$(BUILD)/static/everybranch: private LINKED_AT = -static-pie -s -Wl,--build-id=none -Wl,-Map,$@.map \
                        -L$(BUILD)/static/lib
$(BUILD)/static/everybranch: private LIBRARIES += -leu -lz -lzstd
$(BUILD)/tests/compare: $(BUILD)/host/tests/observer/compare.o $(COMMON) \
                        $(filter-out %/main.o,$(TOOLS))
$(BUILD)/tests/trail: $(BUILD)/host/tests/random/trail.o $(COMMON) \
                      $(filter-out %/main.o,$(TOOLS))
$(BUILD)/tests/enlarge $(BUILD)/tests/perfdata: $(BUILD)/tests/%: \
                        $(BUILD)/host/tests/speed/%.o $(COMMON) \
                        $(filter-out %/main.o,$(TOOLS))
$(BUILD)/tests/native: $(NATIVE)
$(BUILD)/tests/native: private LINKED_AT = -no-pie  # far pointers of 32 bits must reach
$(BUILD)/everybranch $(BUILD)/bad/everybranch $(BUILD)/static/everybranch $(BUILD)/tests/compare $(BUILD)/tests/trail $(BUILD)/tests/enlarge \
$(BUILD)/tests/perfdata $(BUILD)/tests/native: \
                        $(WORKLOADS) $(BUILD)/workloads/list
	$(call SAY,LINK)
	$(Q)$(CC) $(SANITIZERS) $(LINKED_AT) -o $@ $(filter %.o,$^) $(LIBRARIES)

# A row of the model table that lacks a field, or has a number of another row, would show in a
# report, or nowhere.
$(BUILD)/everybranch $(BUILD)/everybranch.so: | $(BUILD)/model_rows
$(BUILD)/model_rows: $(BUILD)/tests/unit/model_rows
	$(Q)$< >$@.said || { sed -n 's/^    //p' $@.said >&2; exit 1; }
	@touch $@

# Each unit test is built with sanitizers, so it need not be built and run twice.  model_rows is not,
# because a user's build runs it.
$(filter-out %/model_rows,$(UNIT)): private SANITIZE := $(or $(SANITIZE),address$(comma)undefined)

# A unit test includes the .c under test, and test.c has main(); a line `// LINK: common/base/text.c ...`
# at its top names what else it needs; `workloads` means all of them, and
# `everybranch` for all of the host program but its main() and what the test includes.
LINKS  = $(shell sed -n 's,^// LINK:,,p' $(1))
LINKED = $(patsubst %.c,$(BUILD)/host/%.o,$(filter %.c,$(1))) \
         $(patsubst %.asm,$(BUILD)/%.asm.o,$(filter %.asm,$(1))) \
         $(if $(filter workloads,$(1)),$(WORKLOADS)) \
         $(if $(filter common/facts/method_facts.c,$(1)),$(FACTS)) \
         $(if $(filter everybranch,$(1)),$(COMMON) $(filter-out %/main.o,$(TOOLS)))
INCLUDED = $(patsubst %.c,$(BUILD)/host/%.o,$(shell sed -n 's,^\#include "\(.*\.c\)"$$,\1,p' $(1)))
TESTED = $(filter-out $(call INCLUDED,$(1)),$(call LINKED,$(call LINKS,$(1))))
$(BUILD)/tests/unit/%: tests/unit/%.c $(addprefix $(BUILD)/host/tests/unit/,test.o rows.o) \
                       $$(call TESTED,tests/unit/$$*.c) | tools $(BUILD)/include/version.h
	$(call SAY,TEST)
	$(Q)$(CC) $(FLAGS) -o $@ $< $(filter %.o,$^) $(LIBRARIES) $(SAID)

# A fuzzer is such a program too, with libFuzzer's main: it has to come from clang.
FUZZERS = $(patsubst %,$(BUILD)/tests/libfuzzer/%,log unpack line code pt)
$(BUILD)/tests/libfuzzer/%: FLAGS = $(HOST) $(SHARED_SEEN) $(TOOLS_SEEN) -Itests/unit -I.
$(FUZZERS):                 FLAGS += -fsanitize=fuzzer

fuzzers: $(FUZZERS)
$(BUILD)/tests/libfuzzer/%: tests/libfuzzer/%.c $(COMMON) $(filter-out %/main.o,$(TOOLS)) \
                            $(WORKLOADS) | tools
	$(call SAY,FUZZER)
	$(Q)$(CC) $(FLAGS) -o $@ $< $(filter %.o,$^) $(LIBRARIES)

# A sanitizer would disturb what this machine's processor steps through, and QEMU.
$(NATIVE) $(BUILD)/host/tests/random/expected.o $(BUILD)/tests/native \
  $(BUILD)/tests/observer.so $(BUILD)/tests/observer-stock.so: private SANITIZERS =

# qemu-plugin.h is in the source that building the emulator unpacks; the other headers
# beside it must hide none of the system's.
# observer-stock.so is for the QEMU of this system, whose version of the interface may be another.
$(BUILD)/tests/observer.so $(BUILD)/tests/observer-stock.so: tests/observer/observer.c $(EMULATOR) | tools
	$(call SAY,PLUGIN)
	$(Q)api=; case $@ in *-stock.so) case $$(qemu-system-x86_64 --version) in \
	  *'version '[1-8].*) api=-DPLUGIN_API=1;; *'version '1[1-9].*) api=-DPLUGIN_API=7;; esac;; esac; \
	$(CC) $(HOST) $$api -fPIC -shared $$(pkg-config --cflags glib-2.0) \
	  -idirafter $(dir $(EMULATOR))src/include/qemu -o $@ $< -lZydis

# emulator/build does nothing where only times have changed.
$(BUILD)/emulator/qemu-system-x86_64: emulator/build $(shell find emulator/source emulator/hooks)
	@scripts/deps emulator
	scripts/stopwatch emulator emulator/build $(@D)
	@touch $@

# --- what a user asks for: install what is missing, then build, then do it ----------------

BARE  = build image run
OURS  = $(if $(wildcard $(EMULATOR)),,emulator)
INNER = $(MAKE) --no-print-directory $(if $(filter 1,$(V)),,--silent) \
        $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))
# The source of the emulator is downloaded while packages are installed.
AHEAD = $(if $(OURS),emulator/build --download >/dev/null 2>&1 &)
# Only one make builds at a time: a second one would read files that are half written.
LOCK  = $(BUILD)/make.lock
AGAIN = scripts/writable $(BUILD) && { flock -n $(LOCK) true || \
        echo "another make is at work in $(BUILD): waiting for it"; } && flock $(LOCK) scripts/stopwatch build $(INNER)
ifneq ($(filter-out 1,$(ALL)),)
$(error ALL=$(ALL): want 1, or nothing for the first set of workloads)
endif
ifneq ($(SILICON),)
ifeq ($(shell printf %s '$(subst ','\'',$(SILICON))' | grep -xE '[1-9][0-9]{0,9}'),)
$(error SILICON=$(SILICON): want the number of a seed, from 1)
endif
endif
RUN      = $(if $(ALL),,--smoke) --times
TIMED    = rm -f $(BUILD)/times; scripts/stopwatch packages
EMULATED = $(PROPERTY) $(if $(SILICON),bt-silicon=on bt-seed=$(SILICON))
PROPERTIES = $(foreach one,$(EMULATED),--property '$(subst ','\'',$(one))')

run:                            ## boot on an emulated CPU with a first set of workloads: see ALL=
	@scripts/deps any && scripts/run --can emulator
	@$(AHEAD) $(TIMED) scripts/deps $(BARE) $(OURS)
	@+$(AGAIN) $(EMULATOR) all
	@scripts/run emulator $(RUN) $(PROPERTIES)

run-tcg:                        ## boot on stock QEMU, which has no branch-trace hardware
	@scripts/deps any && scripts/run --can tcg $(PROPERTIES)
	@$(TIMED) scripts/deps $(BARE) qemu
	@+$(AGAIN) all
	@scripts/run tcg $(RUN)

run-kvm:                        ## boot on this machine's processor through KVM
	@scripts/deps any && scripts/run --can kvm $(PROPERTIES)
	@$(TIMED) scripts/deps $(BARE) qemu
	@+$(AGAIN) all
	@scripts/run kvm $(RUN)

run-xen:                        ## boot on this machine's processor as a guest of Xen, in dom0
	@scripts/deps any && scripts/run --can xen $(PROPERTIES)
	@$(TIMED) scripts/deps build image
	@+$(AGAIN) all
	@scripts/run xen $(RUN)

run-bochs:                      ## boot on Bochs, which has no branch-trace hardware either
	@scripts/deps any && scripts/run --can bochs $(PROPERTIES)
	@$(TIMED) scripts/deps $(BARE) bochs
	@scripts/run --can bochs
	@+$(AGAIN) all
	@scripts/run bochs $(RUN)

monitor:                        ## type commands to an emulated CPU: docs/commands.md
	@scripts/deps any && scripts/run --can --console emulator
	@scripts/deps $(BARE) $(OURS)
	@+$(AGAIN) $(EMULATOR) all
	@scripts/run emulator --console $(PROPERTIES)

STICK = $(BUILD)/$(if $(KEY)$(CERT),signed,everybranch).img

usb:                            ## build the USB image; DEV=/dev/sdX writes it, after asking
	@scripts/deps any && { [ -z "$$DEV" ] || scripts/usb --can "$$DEV"; }
	@for file in "$$KEY" "$$CERT"; do [ -z "$$KEY$$CERT" ] || [ -r "$$file" ] || \
	  { echo "make usb KEY=$$KEY CERT=$$CERT: want two files that can be read, a key and" \
	  "its certificate" >&2; exit 2; }; done
	@scripts/deps build image $(if $(KEY),secureboot)
	@+$(AGAIN) $(STICK)
	@if [ -n "$$DEV" ]; then scripts/usb --image $(STICK) "$$DEV"; else \
	  echo "$(STICK) is ready.  To write it to a stick, which erases it:"; \
	  echo "  make usb DEV=/dev/sdX$${KEY:+ KEY=$$KEY CERT=$$CERT}"; fi

RELEASED = $(BUILD)/everybranch.iso $(BUILD)/everybranch.1 $(BUILD)/static/everybranch

release:                        ## what people download: images, host program, checksums
	@scripts/deps build image release
	@+$(AGAIN) all $(RELEASED)
	@scripts/release $(BUILD)

SITE = $(BUILD)/site/index.html

site:                           ## make the page of what works where: build/site/index.html
	@scripts/deps build
	@+$(AGAIN) $(SITE)

$(SITE): scripts/site $(addprefix tools/page/,site.html page.css) $(BUILD)/everybranch \
         docs/hypervisors.md docs/processors.md corpus/README.md corpus/witnesses.md
	$(call SAY,SITE)
	$(Q)$(PYTHON) scripts/site $(BUILD)/everybranch $(wordlist 2,3,$^) $@

gdb:                            ## boot in the emulator under gdb, stopped at efi_main
	@scripts/deps $(BARE) gdb $(OURS)
	@+$(AGAIN) $(EMULATOR) all
	@scripts/gdb

pictures:                       ## make the pictures of the documentation, in build/pictures
	@scripts/deps $(BARE) $(OURS)
	@+$(AGAIN) $(EMULATOR) all
	@scripts/pictures $(BUILD)/pictures

bench:                          ## measure handlers, bytes on the wire, boot time and reading
	@scripts/deps $(BARE) bench $(OURS)
	@+$(AGAIN) $(EMULATOR) all $(BUILD)/empty.img $(BUILD)/tests/enlarge \
	  $(BUILD)/tests/perfdata
	@scripts/bench

# The host program alone: the image is for sticks, and lies in BUILD.
MAN1       = $(DESTDIR)$(PREFIX)/share/man/man1
INSTALLED  = $(DESTDIR)$(PREFIX)/bin/everybranch $(MAN1)/everybranch.1

$(BUILD)/everybranch.1: $(BUILD)/everybranch
	$(call SAY,MAN)
	$(Q)$< help --man >$@

install: host $(BUILD)/everybranch.1             ## install the program and its manual page: PREFIX=
	$(Q)install -D -m 755 $(BUILD)/everybranch $(DESTDIR)$(PREFIX)/bin/everybranch
	$(Q)install -D -m 644 $(BUILD)/everybranch.1 $(MAN1)/everybranch.1
	@printf '  %s\n' $(INSTALLED)

uninstall:                      ## remove what install installed
	$(Q)rm -f $(INSTALLED)

# While the emulator is built, what only tests need is installed: by root, since others are shown
# one line to type.
MEANWHILE = test release kvm
LATER     = $(if $(OURS),$(if $(filter 0,$(shell id -u)),$(MEANWHILE)))

test:                           ## run everything that CI runs
	@$(AHEAD) scripts/deps $(BARE) qemu $(OURS) $(if $(LATER),,$(MEANWHILE))
	@+$(if $(LATER),scripts/deps $(LATER) &) $(AGAIN) ready-to-test; made=$$?; \
	  $(if $(LATER),wait $$! &&) exit $$made
	@tests/run-all

test-long:                      ## run that, and what takes longer
	@scripts/deps $(BARE) qemu bochs test fuzz release kvm foreign secureboot labs pages $(OURS)
	@+$(AGAIN) ready-to-test
	@tests/run-all --long

test-kvm:                       ## run run-kvm in Linux guests, where KVM is real: needs no KVM
	@scripts/deps $(BARE) qemu kvm $(OURS)
	@+$(AGAIN) $(EMULATOR) all
	@tests/run-all --long kvm-long

test-kut:                       ## run three of kvm-unit-tests, from KUT=, on the emulator
	@scripts/deps any && emulator/kut/test --can "$$KUT"
	@scripts/deps build qemu $(OURS)
	@+$(AGAIN) $(EMULATOR)
	@emulator/kut/test "$$KUT" $(EMULATOR)

test-xen:                       ## run run-xen in a dom0 of Debian's Xen, on the emulator
	@scripts/deps $(BARE) kvm $(OURS)
	@+$(AGAIN) $(EMULATOR) all
	@tests/run-all --long xen

test-silicon:                   ## audit recordings of processors, from RECORDINGS=
	@[ -d "$$RECORDINGS" ] || { echo "make test-silicon RECORDINGS=$$RECORDINGS: want a" \
	  "folder of recordings; tests/silicon/recordings lists them" >&2; exit 2; }
	@scripts/deps build silicon
	@+$(AGAIN) host
	@tests/run-all --long silicon

fuzz:                           ## trace random programs on all CPUs: N= programs, SEED= to repeat
	@scripts/deps $(BARE) qemu test $(OURS)
	@+$(AGAIN) $(EMULATOR)
	@tests/random/fuzz

ready-to-test: $(EMULATOR) all units $(SITE) $(BUILD)/tests/observer.so $(BUILD)/tests/observer-stock.so $(BUILD)/levels.img $(BUILD)/firmware.img \
               $(BUILD)/snapshot.EFI $(BUILD)/bad/everybranch $(BUILD)/bad/everybranch.img

SOURCES = $(wildcard $(addsuffix /*.[ch],boot $(KERNELS) $(SHARED) tests/unit tests/native \
                                         tools $(patsubst %,tools/%,base log judge trace audit uefi verbs) \
                                         tests/libfuzzer tests/observer tests/random tests/expected \
                                         tests/bench tests/levels tests/firmware tests/snapshot \
                                         tests/speed))

format-check:                   ## check that the source is laid out as .clang-format says
	@clang-format --dry-run -Werror $(SOURCES)

# clang's own warnings, and clang-tidy without what objects to plain C: memcpy, 2 * N, a char made
# from an int.
TIDY    = -*,clang-diagnostic-*,bugprone-*,-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions,\
          -bugprone-implicit-widening-of-multiplication-result,\
          -bugprone-assignment-in-if-condition,-bugprone-inc-dec-in-conditions,\
          -bugprone-suspicious-realloc-usage,-bugprone-multi-level-implicit-pointer-conversion,\
          -bugprone-casting-through-void,-bugprone-reserved-identifier
# The check of reserved names takes as long as all others of clang-tidy.
ANALYZE = -*,clang-analyzer-*,bugprone-reserved-identifier,\
          -clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling
CHECK   = printf '%s\n' $(wildcard common/*/*.c tools/*/*.c) | xargs -P 2 -n 16 sh -c 'exec clang-tidy \
	  --quiet --warnings-as-errors="*" --checks="$(1)" "$$@" -- -std=c11 -D_GNU_SOURCE $(WARNINGS) \
	  $(SHARED_SEEN) $(TOOLS_SEEN) -I$(BUILD)/include 2>/dev/null' tidy

# cppcheck 2.17 takes what only assembly writes for uninitialized (compilers and their analyzer
# look for that as well), two symbols of the linker for unrelated objects, and a string between
# two macros for a macro that it does not know; 2.22 takes (void)a, (void)b for a forgotten result.
SUPPRESSED = comparePointers subtractPointers uninitvar uninitStructMember unknownMacro \
             normalCheckLevelMaxBranches constStatement

CPPCHECKED ?= $(SOURCES)

lint: $(BUILD)/include/version.h                 ## run cppcheck and clang-tidy
	@cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr $(SUPPRESSED:%=--suppress=%) \
	  --enable=warning,portability,performance $(SHARED_SEEN) $(KERNELS:%=-I%) $(TOOLS_SEEN) $(CPPCHECKED)
	@$(call CHECK,$(TIDY))

analyze: $(BUILD)/include/version.h              ## run clang's analyzer, which takes minutes
	@$(call CHECK,$(ANALYZE))

deps:                           ## install the packages that any target needs
	@scripts/deps $(BARE) qemu bochs gdb test release kvm foreign secureboot labs pages emulator

tools:
	@scripts/writable $(BUILD)
	@scripts/deps --check build

clean:                          ## remove what was built, except the emulator
	@[ ! -d $(BUILD) ] || find $(BUILD) -mindepth 1 -maxdepth 1 ! -name 'emulator*' \
	  ! -name download -exec rm -rf {} +

distclean:                      ## remove the emulator too, which takes minutes to build
	rm -rf $(BUILD)

#?
#? Variables that may follow:
#?   CPU=skylake               the processor: of the emulator, of stock QEMU (run-tcg) or Bochs
#?   ALL=1                     make run, run-tcg, run-kvm, run-xen, run-bochs: all workloads
#?   WORKLOAD=loop,wt          only these (build/everybranch list workloads)
#?   METHOD=bts,lbr            only these (build/everybranch list methods)
#?   FILTER=jcc+far,callstack  run once with each of these left out (docs/processors.md);
#?                             each, pairs and every are names for many filters
#?   DEV=/dev/sdX              make usb: the stick, shown and asked for before it is erased
#?   KEY=a.key CERT=a.pem      make usb: signs the image for Secure Boot (docs/hardware.md)
#?   BOOT=timeout=5            further lines of everybranch.cfg, separated by commas
#?   PROPERTY=bt-drop=7        make run, make fuzz: the emulator misbehaves (emulator/README.md)
#?   SILICON=1                 make run: the emulator does all that real processors were seen
#?                             doing; another number is another seed (docs/processors.md)
#?   BUNDLE=a.ebw,b.ebw        workloads of your own, made by build/everybranch pack
#?   EXTRA=FOLDER              adds the .asm files there as workloads
#?   FOLLOW=1                  make run, run-tcg, run-kvm, run-bochs: show each trace
#?   TIMEOUT=300               give up when no byte has come for 300 s; without it 240
#?   SMP=4                     how many processors, to 255; BOOT=processors=all runs on all of them
#?   PMU=off                   make run-kvm: without performance counters
#?   OVMF=FILE                 make run-xen: the guest's firmware, where xl has none for Xen
#?   N=1000 SEED=1             make fuzz: how many programs (100), and which (a new seed)
#?   JOBS=1                    make test: how many processors to use (all)
#?   KUT=FOLDER                make test-kut: a tree of kvm-unit-tests; CPU= for one processor
#?   RECORDINGS=FOLDER         make test-silicon: where the recordings are, or in its subfolders
#?   PREFIX=/usr/local DESTDIR=  make install: where to
#?   CC=clang SANITIZE=address BUILD=build/other     other builds, beside the first one
#?   EMULATOR=FILE             make run: another build of the emulator (docs/hypervisors.md)
#?   V=1                       show the commands
help:                           ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1 \2/p' $(firstword $(MAKEFILE_LIST)) | \
	  while read -r target what; do printf '  make %-14s %s\n' "$$target" "$$what"; done
	@sed -n 's/^#? \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

-include $(shell find $(BUILD) \( -path '$(BUILD)/emulator*' -o -path '$(BUILD)/download' \
	  -o -path '$(BUILD)/elsewhere' \) -prune -o -type f -name '*.d' -print 2>/dev/null)
