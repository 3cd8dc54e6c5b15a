/* One instruction each, for C. */
#pragma once

#include <stdint.h>

#define INSN static inline __attribute__((always_inline))

INSN uint64_t rdmsr(uint32_t msr)
{
    uint32_t low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return (uint64_t)high << 32 | low;
}

INSN void wrmsr(uint32_t msr, uint64_t value)
{
    __asm__ volatile("wrmsr"
                     :
                     : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
                     : "memory");
}

INSN void cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    __asm__ volatile("cpuid"
                     : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3])
                     : "a"(leaf), "c"(subleaf));
}

INSN uint64_t rdtsc(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

#define PORT(letter, bits)                                         \
    INSN void out##letter(uint16_t port, uint##bits##_t value)     \
    {                                                              \
        __asm__ volatile("out" #letter " %[value], %[port]"        \
                         :                                         \
                         : [value] "a"(value), [port] "Nd"(port)); \
    }                                                              \
    INSN uint##bits##_t in##letter(uint16_t port)                  \
    {                                                              \
        uint##bits##_t value;                                      \
        __asm__ volatile("in" #letter " %[port], %[value]"         \
                         : [value] "=a"(value)                     \
                         : [port] "Nd"(port));                     \
        return value;                                              \
    }

PORT(b, 8)
PORT(w, 16)
PORT(l, 32)

#define MMIO(bits)                                                     \
    INSN uint##bits##_t mmio_read##bits(uint64_t address)              \
    {                                                                  \
        return *(volatile const uint##bits##_t *)address;              \
    }                                                                  \
    INSN void mmio_write##bits(uint64_t address, uint##bits##_t value) \
    {                                                                  \
        *(volatile uint##bits##_t *)address = value;                   \
    }

MMIO(8)
MMIO(16)
MMIO(32)

/* Moves between a register of the processor and a general one. */
#define REGISTER(type, name)                                                          \
    INSN type read_##name(void)                                                       \
    {                                                                                 \
        type value;                                                                   \
        __asm__ volatile("mov %%" #name ", %[value]" : [value] "=r"(value));          \
        return value;                                                                 \
    }                                                                                 \
    INSN void write_##name(type value)                                                \
    {                                                                                 \
        __asm__ volatile("mov %[value], %%" #name : : [value] "r"(value) : "memory"); \
    }

REGISTER(uint64_t, cr0)
REGISTER(uint64_t, cr2)
REGISTER(uint64_t, cr3)
REGISTER(uint64_t, cr4)
REGISTER(uint16_t, cs) /* is only read: machine.asm loads it */
REGISTER(uint16_t, ss)
REGISTER(uint16_t, ds)
REGISTER(uint16_t, es)
REGISTER(uint16_t, fs)
REGISTER(uint16_t, gs)

INSN void pause(void)
{
    __asm__ volatile("pause");
}

INSN void fence(void)
{
    __asm__ volatile("mfence" : : : "memory");
}

INSN void halt_forever(void)
{
    for (;;)
        __asm__ volatile("cli; hlt");
}
