; irq_in_handler.asm where the local APIC is in x2APIC mode: workload.inc says how.
%define X2APIC
%include "irq_in_handler.asm"
