# bash completion for everybranch: the program itself knows what may stand there.

_everybranch()
{
    local line word=${COMP_WORDS[COMP_CWORD]} words=("${COMP_WORDS[@]:1:COMP_CWORD}") i
    COMPREPLY=()
    # bash breaks words at =, too: what stands behind one is the value of the option before.
    if [ "${word}" = "=" ]; then
        word= words[COMP_CWORD-1]=
    fi
    for ((i = 0; i < ${#words[@]}; i++)); do
        [ "${words[i]}" != "=" ] || words=("${words[@]:0:i}" "${words[@]:i+1}")
    done
    while IFS= read -r line; do
        if [ "$line" = FILES ]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
        else
            COMPREPLY+=("$line")
        fi
    done < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
}
complete -F _everybranch everybranch
