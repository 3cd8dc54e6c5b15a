# everybranch: boots from UEFI, traces every branch, and says where a trace is wrong.
# `make help` lists what can be made; everything made lies under build/.

# What a user may set.
BUILD    ?= build
CPU      ?= skylake
METHOD   ?=
WORKLOAD ?=
BOOT     ?=
DEV      ?=
SANITIZE ?=
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

export BUILD CPU METHOD WORKLOAD BOOT EMULATOR PYTHON V

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
WORKLOADS := $(patsubst kernel/%.asm,$(BUILD)/%.o,$(wildcard kernel/workloads/*.asm))
TARGET_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard boot/*.c kernel/*.c common/*.c)) \
               $(patsubst %.asm,$(BUILD)/%.asm.o,$(wildcard boot/*.asm kernel/*.asm))
COMMON_HOST := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard common/*.c))
TOOLS_OBJS := $(patsubst %.c,$(BUILD)/host/%.o,$(wildcard tools/*.c))
UNIT      := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*.c))

Q         := $(if $(filter 1,$(V)),,@)
SAY        = @mkdir -p $(@D); $(if $(filter 1,$(V)),,printf '  %-8s %s\n' $(1) $@)

.PHONY: all help clean deps tools image host units FORCE
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:

all: image host                 ## the USB image and the host program
image: $(BUILD)/BOOTX64.EFI
host: $(BUILD)/everybranch
units: $(UNIT)

# --- the program that boots -------------------------------------------------------------

$(BUILD)/workloads/%.o: kernel/workloads/%.asm | tools
	$(call SAY,NASM)
	$(Q)$(NASM) -f elf64 -g -Werror -Ikernel/workloads/ -MD $(@:.o=.d) -MP -o $@ $<

$(BUILD)/%.asm.o: %.asm | tools
	$(call SAY,NASM)
	$(Q)$(NASM) -f elf64 -g -Werror -I$(<D)/ -MD $(@:.o=.d) -MP -o $@ $<

$(BUILD)/boot/%.o: boot/%.c | tools
	$(call SAY,CC)
	$(Q)$(CC) $(TARGET) $(BOOT_ABI) $(BOOT_INC) -c -o $@ $<

$(BUILD)/kernel/%.o: kernel/%.c $(BUILD)/include/version.h | tools
	$(call SAY,CC)
	$(Q)$(CC) $(TARGET) $(KERNEL_INC) -c -o $@ $<

$(BUILD)/common/%.o: common/%.c | tools
	$(call SAY,CC)
	$(Q)$(CC) $(TARGET) $(COMMON_INC) -c -o $@ $<

$(BUILD)/everybranch.so: linker.ld $(TARGET_OBJS) $(WORKLOADS)
	$(call SAY,LD)
	$(Q)$(LD) -nostdlib -znocombreloc -shared -Bsymbolic -z defs -T linker.ld -o $@ \
	  $(EFI_LIB)/crt0-efi-x86_64.o $(filter %.o,$^) -L$(EFI_LIB) -lgnuefi

$(BUILD)/BOOTX64.EFI: $(BUILD)/everybranch.so scripts/check-efi
	$(call SAY,EFI)
	$(Q)$(OBJCOPY) -j .text -j .rodata -j .data -j .dynamic -j .rela -j .reloc \
	  --target efi-app-x86_64 --subsystem=10 $< $@
	$(Q)$(PYTHON) scripts/check-efi --set-nx $< $@

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

$(BUILD)/host/tools/%.o: tools/%.c $(BUILD)/include/version.h | tools
	$(call SAY,HOSTCC)
	$(Q)$(CC) $(HOST) $(TOOLS_INC) -c -o $@ $<

$(BUILD)/everybranch: $(TOOLS_OBJS) $(COMMON_HOST) $(WORKLOADS)
	$(call SAY,LINK)
	$(Q)$(CC) $(SANITIZERS) -o $@ $^ -lZydis

# A unit test includes the .c under test; a line `// LINK: common/text.c ...` at its top
# names what else it needs, `workloads` standing for all of them.
LINKS = $(shell sed -n 's,^// LINK:,,p' $(1))
$(BUILD)/tests/unit/%: tests/unit/%.c $$(patsubst $$(BUILD)/host/workloads,$$(WORKLOADS),$$(patsubst %,$$(BUILD)/host/%,$$(patsubst %.c,%.o,$$(call LINKS,tests/unit/$$*.c)))) | tools
	$(call SAY,TEST)
	$(Q)$(CC) $(HOST) -I. $(TOOLS_INC) -o $@ $< $(filter %.o,$^) -lZydis

# --- everything else --------------------------------------------------------------------

tools:
	@true

clean:                          ## remove everything that was made
	rm -rf $(BUILD)

help:                           ## this list
	@echo "make ..."
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' Makefile | column -t -s'|'

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
