; hlt.asm where the local APIC is in x2APIC mode: workload.inc says how.
%define X2APIC
%include "hlt.asm"
