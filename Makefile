# everybranch: boots from UEFI, traces every branch, and says where a trace is wrong.
# `make help` lists what can be made; everything made lies under build/.

# What a user may set.
BUILD    ?= build
CPU      ?=
METHOD   ?=
WORKLOAD ?=
BOOT     ?=
DEV      ?=
SANITIZE ?=
EXTRA    ?=
V        ?= 0
NASM     ?= nasm
OBJCOPY  ?= objcopy
PYTHON   ?= python3
EFI_INC  ?= /usr/include/efi
EFI_LIB  ?= /usr/lib
EMULATOR ?= $(BUILD)/emulator/qemu-system-x86_64
ifeq ($(origin CC),default)
CC        = gcc
endif

MAKEFLAGS += --no-builtin-rules
export BUILD CPU METHOD WORKLOAD BOOT EMULATOR PYTHON

# Warnings are errors.
WARN      = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
DEPEND    = -MMD -MP
GCC_ONLY  = $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),,$(1))

# The include paths given to a folder are the folders that it may depend on.
BOOT_INC   = -isystem $(EFI_INC) -isystem $(EFI_INC)/x86_64 -Ikernel
KERNEL_INC = -Ikernel -Icommon -I$(BUILD)/include
COMMON_INC = -Icommon
TOOLS_INC  = -Itools -Icommon -I$(BUILD)/include

# Code for the target: no red zone and no SSE, since interrupts arrive on the same stack
# and own handlers save general registers only.
TARGET    = -std=gnu11 -O2 -g -ffreestanding -fpic -fvisibility=hidden -mno-red-zone \
            -mgeneral-regs-only -fno-stack-protector -fcf-protection=none \
            -fno-asynchronous-unwind-tables $(WARN) $(DEPEND)
BOOT_ABI  = -fshort-wchar -DGNU_EFI_USE_MS_ABI $(call GCC_ONLY,-maccumulate-outgoing-args)
HOST      = -std=c11 -D_GNU_SOURCE -O2 -g $(WARN) $(DEPEND) $(SANITIZERS)
SANITIZERS = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all)

# Adding a file is the act of adding it to the program.
# EXTRA: a folder of further workloads (tests/bad, say), built in with the others.
WORKLOADS := $(patsubst %.asm,$(BUILD)/workloads/%.o,$(notdir \
               $(wildcard kernel/workloads/*.asm $(if $(EXTRA),$(EXTRA)/*.asm))))
TARGET_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard boot/*.c kernel/*.c common/*.c)) \
               $(patsubst %.asm,$(BUILD)/%.asm.o,$(wildcard boot/*.asm kernel/*.asm))
COMMON_HOST := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard common/*.c))
TOOLS_OBJS := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard tools/*.c))
UNIT      := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*.c))

Q         := $(if $(filter 1,$(V)),,@)
SAY        = @mkdir -p $(@D); $(if $(filter 1,$(V)),,printf '  %-8s %s\n' $(1) $@)

.PHONY: all image host units run run-tcg run-kvm usb gdb deps test test-long bench \
        format-check lint tools clean help ready-to-test FORCE
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:

all: $(BUILD)/everybranch.img host               ## the USB image and the host program
image: $(BUILD)/BOOTX64.EFI
host: $(BUILD)/everybranch
units: $(UNIT) $(BUILD)/tests/native $(BUILD)/tests/compare

# --- the program that boots -------------------------------------------------------------

vpath %.asm kernel/workloads $(EXTRA)

# nasm 2.16 leaves includes out of what -MD writes, so the one there is stands here.
$(BUILD)/workloads/%.o: %.asm kernel/workloads/workload.inc | tools
	$(call SAY,NASM)
	$(Q)$(NASM) -f elf64 -g -Werror -Ikernel/workloads/ -o $@ $<

$(BUILD)/%.asm.o: %.asm | tools
	$(call SAY,NASM)
	$(Q)$(NASM) -f elf64 -g -Werror -o $@ $<

$(BUILD)/boot/%.o: boot/%.c | tools
	$(call SAY,CC)
	$(Q)$(CC) $(TARGET) $(BOOT_ABI) $(BOOT_INC) -c -o $@ $<

$(BUILD)/kernel/%.o: kernel/%.c | tools $(BUILD)/include/version.h
	$(call SAY,CC)
	$(Q)$(CC) $(TARGET) $(KERNEL_INC) -c -o $@ $<

$(BUILD)/common/%.o: common/%.c | tools
	$(call SAY,CC)
	$(Q)$(CC) $(TARGET) $(COMMON_INC) -c -o $@ $<

# What `make bench` holds the time to boot against.
$(BUILD)/tests/bench/empty.o: tests/bench/empty.c | tools
	$(call SAY,CC)
	$(Q)$(CC) $(TARGET) $(BOOT_ABI) $(BOOT_INC) -c -o $@ $<

$(BUILD)/everybranch.so: $(TARGET_OBJS) $(WORKLOADS) $(BUILD)/workloads/list
$(BUILD)/empty.so: $(BUILD)/tests/bench/empty.o
$(BUILD)/%.so: linker.ld
	$(call SAY,LD)
	$(Q)$(LD) -nostdlib -znocombreloc -shared -Bsymbolic -z defs -T linker.ld -o $@ \
	  $(EFI_LIB)/crt0-efi-x86_64.o $(filter %.o,$^) -L$(EFI_LIB) -lgnuefi

$(BUILD)/BOOTX64.EFI: $(BUILD)/everybranch.so
$(BUILD)/empty.EFI: $(BUILD)/empty.so
$(BUILD)/%.EFI: scripts/check-efi
	$(call SAY,EFI)
	$(Q)$(OBJCOPY) --strip-all -j .text -j .rodata -j .data -j .dynamic -j .rela -j .reloc \
	  --target efi-app-x86_64 --subsystem=10 $(filter %.so,$^) $@
	$(Q)$(PYTHON) scripts/check-efi --set-nx $(filter %.so,$^) $@

$(BUILD)/everybranch.img: $(BUILD)/BOOTX64.EFI
$(BUILD)/empty.img: $(BUILD)/empty.EFI
$(BUILD)/%.img: scripts/everybranch.cfg scripts/image
	@scripts/deps --check image
	$(call SAY,IMAGE)
	$(Q)$(PYTHON) scripts/image $(filter %.EFI,$^) scripts/everybranch.cfg $@

# Which workloads there are: to take one away must relink as much as to add one.
$(BUILD)/workloads/list: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(WORKLOADS) >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# The commit that the log's opening line names.
$(BUILD)/include/version.h: FORCE
	@mkdir -p $(@D)
	@printf '#define EVERYBRANCH_BUILD "%s"\n' \
	  "$$(git describe --always --dirty 2>/dev/null || echo unknown)" >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# --- the host program and the unit tests ------------------------------------------------

$(BUILD)/host/common/%.o: common/%.c | tools
	$(call SAY,HOSTCC)
	$(Q)$(CC) $(HOST) $(COMMON_INC) -c -o $@ $<

$(BUILD)/host/tools/%.o: tools/%.c | tools $(BUILD)/include/version.h
	$(call SAY,HOSTCC)
	$(Q)$(CC) $(HOST) $(TOOLS_INC) -c -o $@ $<

$(BUILD)/everybranch: $(TOOLS_OBJS) $(COMMON_HOST) $(WORKLOADS) $(BUILD)/workloads/list
	$(call SAY,LINK)
	$(Q)$(CC) $(SANITIZERS) -o $@ $(filter %.o,$^) -lZydis

# A unit test includes the .c under test; a line `// LINK: common/text.c ...` at its top
# names what else it needs, `workloads` standing for all of them.
LINKS = $(shell sed -n 's,^// LINK:,,p' $(1))
LINKED = $(patsubst %.c,$(BUILD)/host/%.o,$(filter %.c,$(1))) \
         $(if $(filter workloads,$(1)),$(WORKLOADS))
$(BUILD)/tests/unit/%: tests/unit/%.c $$(call LINKED,$$(call LINKS,tests/unit/$$*.c)) | tools
	$(call SAY,TEST)
	$(Q)$(CC) $(HOST) -I. -Ikernel $(TOOLS_INC) -o $@ $< $(filter %.o,$^) -lZydis

# The workloads run by this machine's processor, which asan's own signals would disturb.
NATIVE   := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard tests/native/*.c))
$(NATIVE) $(BUILD)/tests/native: SANITIZERS =
$(BUILD)/host/tests/native/%.o: tests/native/%.c | tools
	$(call SAY,HOSTCC)
	$(Q)$(CC) $(HOST) $(COMMON_INC) -c -o $@ $<

$(BUILD)/tests/native: $(NATIVE) $(WORKLOADS) $(BUILD)/workloads/list
	$(call SAY,LINK)
	$(Q)$(CC) -o $@ $(filter %.o,$^) -lZydis

# What ran by an observer outside the guest (a plugin of QEMU) against a log.
$(BUILD)/host/tests/observer/compare.o: tests/observer/compare.c | tools
	$(call SAY,HOSTCC)
	$(Q)$(CC) $(HOST) $(TOOLS_INC) -c -o $@ $<

$(BUILD)/tests/compare: $(BUILD)/host/tests/observer/compare.o \
                        $(filter-out %/main.o,$(TOOLS_OBJS)) $(COMMON_HOST) \
                        $(WORKLOADS) $(BUILD)/workloads/list
	$(call SAY,LINK)
	$(Q)$(CC) $(SANITIZERS) -o $@ $(filter %.o,$^) -lZydis

# qemu-plugin.h comes with QEMU's source, which building the emulator unpacks.
$(BUILD)/tests/observer.so: SANITIZERS =
$(BUILD)/tests/observer.so: tests/observer/observer.c $(EMULATOR) | tools
	$(call SAY,PLUGIN)
	$(Q)$(CC) $(HOST) -fPIC -shared -isystem $(dir $(EMULATOR))include -o $@ $< -lZydis

# --- the emulator, the USB image and booting it ------------------------------------------

$(BUILD)/emulator/qemu-system-x86_64: emulator/build $(wildcard emulator/patches/* emulator/src/*)
	@scripts/deps emulator
	emulator/build $(@D)

# These install what is missing first, and only then look at what is to be built.
AGAIN = $(MAKE) --no-print-directory $(if $(filter 1,$(V)),,--silent)

run:                            ## boot on an emulated CPU: CPU= METHOD= WORKLOAD= narrow it
	@scripts/deps any
	@scripts/run --can emulator
	@scripts/deps build image run $(if $(wildcard $(EMULATOR)),,emulator)
	@+$(AGAIN) $(EMULATOR) $(BUILD)/everybranch.img host
	@scripts/run emulator

run-tcg:                        ## the same on stock QEMU, which has no branch-trace hardware
	@scripts/deps build image run qemu
	@+$(AGAIN) $(BUILD)/everybranch.img host
	@scripts/run tcg

run-kvm:                        ## the same on this machine's processor through KVM
	@scripts/deps any
	@scripts/run --can kvm
	@scripts/deps build image run qemu
	@+$(AGAIN) $(BUILD)/everybranch.img host
	@scripts/run kvm

usb:                            ## the USB image, and how to write it to a stick
	@[ -z "$(DEV)" ] || { echo "make usb: writing to DEV=$(DEV) is not done yet; leave DEV" \
	  "out, and make usb says how to write the image" >&2; exit 2; }
	@scripts/deps build image
	@+$(AGAIN) $(BUILD)/everybranch.img
	@echo "$(BUILD)/everybranch.img is ready.  Writing it erases ALL of the stick:"
	@echo "  sudo dd if=$(BUILD)/everybranch.img of=/dev/sdX bs=4M oflag=direct conv=fsync"

gdb:                            ## boot in the emulator under gdb, stopped at efi_main
	@scripts/deps build image run gdb $(if $(wildcard $(EMULATOR)),,emulator)
	@+$(AGAIN) $(EMULATOR) $(BUILD)/everybranch.img host
	@scripts/gdb

deps:                           ## install all that any target needs
	@scripts/deps build image run qemu gdb test emulator

# --- tests ------------------------------------------------------------------------------

test:                           ## everything that CI runs
	@scripts/deps build image run qemu test $(if $(wildcard $(EMULATOR)),,emulator)
	@+$(AGAIN) ready-to-test
	@tests/run-all

test-long:                      ## and what takes longer
	@scripts/deps build image run qemu test emulator
	@+$(AGAIN) ready-to-test
	@tests/run-all --long

# The bad workloads are in a build of their own, so that no plain image has them.
ready-to-test: $(EMULATOR) all units $(BUILD)/tests/compare $(BUILD)/tests/observer.so
	@+$(AGAIN) BUILD=$(BUILD)/bad EXTRA=tests/bad all

bench:                          ## the figures: handler cost, bytes on the wire, time to boot
	@scripts/deps build image run $(if $(wildcard $(EMULATOR)),,emulator)
	@+$(AGAIN) $(EMULATOR) $(BUILD)/everybranch.img $(BUILD)/empty.img host
	@scripts/bench

SOURCES = $(wildcard boot/*.[ch] kernel/*.[ch] common/*.[ch] tools/*.[ch] \
                     tests/unit/*.[ch] tests/native/*.[ch] tests/observer/*.[ch] \
                     tests/bench/*.[ch])

format-check:                   ## is the source laid out as .clang-format says?
	@clang-format --dry-run -Werror $(SOURCES)

lint:                           ## static checks: cppcheck and clang-tidy
	@# comparePointers: the ends of a section that the linker fills look like two arrays.
	@cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr \
	  --suppress=comparePointers --enable=warning,portability,performance -Icommon -Ikernel -Itools $(SOURCES)
	@clang-tidy --quiet --warnings-as-errors='*' --checks='$(TIDY)' \
	  $(wildcard common/*.c tools/*.c) -- -std=c11 -D_GNU_SOURCE $(TOOLS_INC)

# Without those that object to plain C: memcpy, 2 * N, a char made from an int.
TIDY = -*,bugprone-*,-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions,\
       -bugprone-implicit-widening-of-multiplication-result,clang-analyzer-*,\
       -clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling

# --- the rest ---------------------------------------------------------------------------

tools:
	@scripts/deps --check build

clean:                          ## remove everything that was made
	rm -rf $(BUILD)

help:                           ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1 \2/p' $(firstword $(MAKEFILE_LIST)) | \
	  while read -r target what; do printf '  make %-14s %s\n' "$$target" "$$what"; done

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
