# bash completion for headingctl; printed by 'headingctl completion bash'

_headingctl() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= i
    # "--bus=sys" arrives as three words
    if [[ $word == = ]]; then
        word=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            --bus) ((i++)) ;;
            -*) ;;
            *) command=${COMP_WORDS[i]}; break ;;
        esac
    done
    COMPREPLY=()
    case "$command $previous" in
        *' --bus') COMPREPLY=($(compgen -W 'system session' -- "$word")); return ;;
    esac
    if [[ -z $command ]]; then
        COMPREPLY=($(compgen -W 'completion manual help --json --bus --help --version' -- "$word"))
        return
    fi
    if [[ $word == -* ]]; then
        case $command in
            completion) COMPREPLY=($(compgen -W '--json --bus --help' -- "$word")) ;;
            manual) COMPREPLY=($(compgen -W '--json --bus --help' -- "$word")) ;;
        esac
        return
    fi
    case $command in
        help) COMPREPLY=($(compgen -W 'completion manual' -- "$word")) ;;
        completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$word")); return ;;
    esac
}
complete -F _headingctl headingctl
