# Claims of a test in the shell, which includes this file and ends with `exit $failed`.
failed=0

holds() { echo "ok $1"; }

# fails CLAIM WHERE-AND-WHY [MORE LINES]
fails() {
    failed=1
    echo "not ok $1 - $2"
    [ -z "${3-}" ] || echo "$3" | tail -n 30 | sed 's/^/    /'
}

# is CLAIM GOT WANT
is() {
    if [ "$2" = "$3" ]; then holds "$1"; else fails "$1" "got $2, want $3"; fi
}

# claim CLAIM COMMAND...: it holds if the command succeeds.
claim() {
    claim_name=$1
    shift
    if claim_said=$("$@" 2>&1); then
        holds "$claim_name"
    else
        fails "$claim_name" "$* failed:" "$claim_said"
        return 1
    fi
}
