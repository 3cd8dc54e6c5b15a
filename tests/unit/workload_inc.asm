; The numbers of workload.inc, for tests/unit/workload_inc.c to hold against C's.
%include "kernel/workloads/workload.inc"

section .rodata
global in_nasm
in_nasm:
        dd      CODE0, DATA0, CODE3, DATA3, COMPAT3, BASED3, CS_BASE
        dd      RING0, LOW, NOT_STOCK, RING3, COMPAT
        dd      SYSCALL_VECTOR, SYSCALL_TF_VECTOR, SYSENTER_VECTOR
        dd      ENV_USER_STACK, ENV_APIC
        dd      ROW_SIZE, ROW_DEPTH_MAX, ROW_REPEAT, ROW_END, LABEL_MAX, CALLER
        dd      KIND_JCC, KIND_JMP, KIND_IJMP, KIND_CALL, KIND_ICALL, KIND_RET, KIND_INT
        dd      KIND_EXC, KIND_IRET, KIND_FAR, KIND_DB
        dd      MARK_CLEARED, MARK_SET, MARK_HELD, MARK_MASKED, MARK_LOADED

section .note.GNU-stack noalloc noexec nowrite progbits
