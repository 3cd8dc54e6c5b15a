# bash completion for everybranch: the program itself knows what may stand there.

_everybranch()
{
    local line word=${COMP_WORDS[COMP_CWORD]} words=("${COMP_WORDS[@]:1:COMP_CWORD}") i option=
    COMPREPLY=()
    # bash breaks words at =, too: what stands behind one is the value of the option before.
    if [ "${word}" = "=" ]; then
        word= words[COMP_CWORD-1]=
    fi
    for ((i = 0; i < ${#words[@]}; i++)); do
        [ "${words[i]}" != "=" ] || words=("${words[@]:0:i}" "${words[@]:i+1}")
    done
    # Where = is not in COMP_WORDBREAKS, the option is part of the word.
    case $word in --*=*) option=${word%%=*}= ;; esac
    while IFS= read -r line; do
        if [ "$line" = FILES ]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do COMPREPLY+=("$option$line"); done \
                < <(compgen -f -- "${word#"$option"}")
        else
            COMPREPLY+=("$line")
        fi
    done < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
}
complete -F _everybranch everybranch
