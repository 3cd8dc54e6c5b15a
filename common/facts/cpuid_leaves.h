/*
 * What a processor says of itself in CPUID, from the leaves that the kernel reads and logs
 * word for word.  Kernel and host program decode them with this one function, so that the
 * log need not say the same again in other words.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model.h"

#define CPUID_LEAF_EXTENDED    7
#define CPUID_LEAF_HYBRID      0x1a
#define CPUID_LEAF_HYPERVISOR  0x40000000u
#define CPUID_LEAF_SECOND_NAME 0x40000100u /* of one that announces Hyper-V first */
#define CPUID_LEAF_HIGHEST     0x80000000u

struct cpuid_leaf {
    uint32_t leaf, subleaf, registers[4]; /* EAX, EBX, ECX, EDX */
};

/*
 * Reads the leaves that the log shows, in the log's order; `cpuid` executes the
 * instruction.  Returns how many of them this processor has.
 */
#define CPUID_LEAVES_MAX 25
size_t cpuid_read(struct cpuid_leaf[CPUID_LEAVES_MAX],
                  void (*cpuid)(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]));

/*
 * Returns true if a leaf that cpuid_read() reads on a processor with these is not among
 * them, and which.  Subleaf 1 of leaf 14H may be missing: older kernels did not read it.
 */
bool cpuid_lacks(const struct cpuid_leaf *, size_t count, struct cpuid_leaf *missing);

/* Reads the brand string, padded with zeros; `cpuid` executes the instruction. */
#define CPUID_BRAND_SIZE 49
void cpuid_brand(char[CPUID_BRAND_SIZE],
                 void (*cpuid)(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]));

/* EAX to EDX of one of these leaves, or NULL if it is not among them. */
const uint32_t *cpuid_find(const struct cpuid_leaf *, size_t count, uint32_t leaf,
                           uint32_t subleaf);

/*
 * True if these registers of leaf 40000100H hold the name of KVM or Xen.  For a guest that
 * expects Hyper-V they announce Hyper-V at 40000000H, and themselves at 40000100H (Linux,
 * hypervisor_cpuid_base(); QEMU, KVM_CPUID_SIGNATURE_NEXT; Xen, "viridian").  Otherwise the
 * leaf has no meaning.
 */
bool cpuid_is_second_name(const uint32_t registers[4]);

/* Takes family, model and stepping from EAX of CPUID leaf 1 (SDM vol. 2A, "CPUID"). */
void cpuid_take_signature(struct cpu_id *, uint32_t signature);

/*
 * Decodes all fields of a cpu_id except lbr_format, which is in an MSR.  A leaf that is
 * missing announces nothing.
 */
void cpuid_decode(struct cpu_id *, const struct cpuid_leaf *, size_t count);
