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
        'watch --filter') return ;;
        'watch --orientation') COMPREPLY=($(compgen -W 'portrait upside-down landscape-left landscape-right' -- "$word")); return ;;
        'watch --count') return ;;
        'watch --for') return ;;
        'heading --wait') return ;;
        'heading --accuracy') return ;;
        'heading --filter') return ;;
        'heading --orientation') COMPREPLY=($(compgen -W 'portrait upside-down landscape-left landscape-right' -- "$word")); return ;;
        'heading --count') return ;;
        'heading --for') return ;;
        'location --wait') return ;;
        'location --accuracy') return ;;
        'location --max-age') return ;;
        'location --distance') return ;;
        'location --interval') return ;;
        'location --require') return ;;
        'location --batch') return ;;
        'location --activity') COMPREPLY=($(compgen -W 'other automotive fitness navigation airborne' -- "$word")); return ;;
        'location --preset') COMPREPLY=($(compgen -W 'tracker walk vehicle highway dispatcher navigation' -- "$word")); return ;;
        'location --count') return ;;
        'location --for') return ;;
        'sensors --iio-uri') return ;;
        'doctor --for') return ;;
        'doctor --from') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'doctor --iio-uri') return ;;
        'doctor --place') return ;;
        'mount --from') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'mount --place') return ;;
        'mount --wait') return ;;
        'mount --iio-uri') return ;;
        'nmea --to') COMPREPLY=($(compgen -W '- pty pty: udp: tcp' -- "$word")); return ;;
        'nmea --sentences') COMPREPLY=($(compgen -W 'HDG HDM HDT THS ROT RMC GGA' -- "$word")); return ;;
        'nmea --rate') return ;;
        'nmea --place-rate') return ;;
        'nmea --orientation') COMPREPLY=($(compgen -W 'portrait upside-down landscape-left landscape-right' -- "$word")); return ;;
        'nmea --for') return ;;
        'record --for') return ;;
        'record --rate') return ;;
        'record --device') return ;;
        'record --note') return ;;
        'record --iio-uri') return ;;
        'replay --speed') return ;;
        'replay --from') return ;;
        'replay --filter') return ;;
        'replay --orientation') COMPREPLY=($(compgen -W 'portrait upside-down landscape-left landscape-right' -- "$word")); return ;;
        'replay --count') return ;;
        'replay --for') return ;;
        'simulate --walk') COMPREPLY=($(compgen -W 'demo square straight figure-eight stand turn tumble' -- "$word")); return ;;
        'simulate --for') return ;;
        'simulate --seed') return ;;
        'simulate --start') return ;;
        'simulate --hard-iron') return ;;
        'estimate --rate') return ;;
        'estimate --declination') return ;;
        'estimate --magnetic-model') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'estimate --calibration') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'estimate --state-in') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'estimate --state-out') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'track --preset') COMPREPLY=($(compgen -W 'tracker walk vehicle highway dispatcher navigation' -- "$word")); return ;;
        'calibrate --wait') return ;;
        'calibrate --from') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'calibrate --method') COMPREPLY=($(compgen -W 'ellipsoid sphere planar' -- "$word")); return ;;
        'calibrate --report') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'calibrate --state-out') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'declination --model') COMPREPLY=($(compgen -W 'wmm2025 wmmhr2025 wmm2020 wmm2015v2 wmm2010 igrf14' -- "$word")); return ;;
        'declination --magnetic-model') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        'declination --input') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        *' --bus') COMPREPLY=($(compgen -W 'system session' -- "$word")); return ;;
    esac
    if [[ -z $command ]]; then
        COMPREPLY=($(compgen -W 'watch status heading location sensors doctor mount nmea record replay simulate estimate track calibrate declination completion manual help --json --bus --help --version' -- "$word"))
        return
    fi
    if [[ $word == -* ]]; then
        case $command in
            watch) COMPREPLY=($(compgen -W '--compact --true --north-up --ascii --filter --orientation --count --for --json --bus --help' -- "$word")) ;;
            status) COMPREPLY=($(compgen -W '--passive --json --bus --help' -- "$word")) ;;
            heading) COMPREPLY=($(compgen -W '--true --wait --accuracy --follow --filter --orientation --count --for --json --bus --help' -- "$word")) ;;
            location) COMPREPLY=($(compgen -W '--wait --accuracy --max-age --follow --distance --confirm --interval --require --batch --activity --no-pause --preset --count --for --json --bus --help' -- "$word")) ;;
            sensors) COMPREPLY=($(compgen -W '--local --quirks --iio-uri --json --bus --help' -- "$word")) ;;
            doctor) COMPREPLY=($(compgen -W '--for --from --local --iio-uri --place --json --bus --help' -- "$word")) ;;
            mount) COMPREPLY=($(compgen -W '--from --place --wait --iio-uri --json --bus --help' -- "$word")) ;;
            nmea) COMPREPLY=($(compgen -W '--to --sentences --rate --place-rate --signalk --orientation --for --json --bus --help' -- "$word")) ;;
            record) COMPREPLY=($(compgen -W '--for --rate --device --note --fixes --iio-uri --force --json --bus --help' -- "$word")) ;;
            replay) COMPREPLY=($(compgen -W '--speed --loop --from --compact --true --north-up --ascii --filter --orientation --count --for --json --bus --help' -- "$word")) ;;
            simulate) COMPREPLY=($(compgen -W '--walk --for --seed --start --hard-iron --perfect --no-gyro --no-accel --no-fix --no-truth --force --json --bus --help' -- "$word")) ;;
            estimate) COMPREPLY=($(compgen -W '--rate --declination --model --magnetic-model --calibration --state-in --state-out --no-gyro --no-accel --prompts --strict --json --bus --help' -- "$word")) ;;
            track) COMPREPLY=($(compgen -W '--preset --checksum-optional --json --bus --help' -- "$word")) ;;
            calibrate) COMPREPLY=($(compgen -W '--flat --wait --from --method --report --state-out --json --bus --help' -- "$word")) ;;
            declination) COMPREPLY=($(compgen -W '--model --magnetic-model --input --json --bus --help' -- "$word")) ;;
            completion) COMPREPLY=($(compgen -W '--json --bus --help' -- "$word")) ;;
            manual) COMPREPLY=($(compgen -W '--json --bus --help' -- "$word")) ;;
        esac
        return
    fi
    case $command in
        help) COMPREPLY=($(compgen -W 'watch status heading location sensors doctor mount nmea record replay simulate estimate track calibrate declination completion manual' -- "$word")) ;;
        record) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        replay) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        simulate) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        estimate) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        track) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$word")); return ;;
    esac
}
complete -F _headingctl headingctl
