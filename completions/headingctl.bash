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
        'estimate --rate') return ;;
        'estimate --declination') return ;;
        'estimate --magnetic-model') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'estimate --calibration') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'estimate --state-in') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'estimate --state-out') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'declination --model') COMPREPLY=($(compgen -W 'wmm2025 wmmhr2025 wmm2020 wmm2015v2 wmm2010 igrf14' -- "$word")); return ;;
        'declination --magnetic-model') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'declination --input') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        *' --bus') COMPREPLY=($(compgen -W 'system session' -- "$word")); return ;;
    esac
    if [[ -z $command ]]; then
        COMPREPLY=($(compgen -W 'estimate declination completion manual help --json --bus --help --version' -- "$word"))
        return
    fi
    if [[ $word == -* ]]; then
        case $command in
            estimate) COMPREPLY=($(compgen -W '--rate --declination --model --magnetic-model --calibration --state-in --state-out --no-gyro --no-accel --strict --json --bus --help' -- "$word")) ;;
            declination) COMPREPLY=($(compgen -W '--model --magnetic-model --input --json --bus --help' -- "$word")) ;;
            completion) COMPREPLY=($(compgen -W '--json --bus --help' -- "$word")) ;;
            manual) COMPREPLY=($(compgen -W '--json --bus --help' -- "$word")) ;;
        esac
        return
    fi
    case $command in
        help) COMPREPLY=($(compgen -W 'estimate declination completion manual' -- "$word")) ;;
        estimate) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$word")); return ;;
    esac
}
complete -F _headingctl headingctl
