; refused: PART: code of 32 bits lies below 4 GiB: say LOW after what it shows
%include "workload.inc"

WORKLOAD bad, "must not be assembled", RING0
.user:  nop
.done:  ret

PART .user, .done, RING3 | COMPAT
EXPECT
        TAKEN   ICALL, CALLER, .start
        TAKEN   RET,   .done,  CALLER
END
