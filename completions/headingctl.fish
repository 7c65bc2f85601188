# fish completion for headingctl; printed by 'headingctl completion fish'

complete -c headingctl -f
complete -c headingctl -n __fish_use_subcommand -a completion -d 'print a shell'\''s completion script'
complete -c headingctl -n __fish_use_subcommand -a manual -d 'print the manual page'
complete -c headingctl -n __fish_use_subcommand -a help -d 'show help'
complete -c headingctl -n __fish_use_subcommand -l version -d 'show the version and exit'
complete -c headingctl -n '__fish_seen_subcommand_from help' -a 'completion manual'
complete -c headingctl -l json -d 'one JSON object per line on standard output; errors as JSON on standard error'
complete -c headingctl -l bus -x -a 'system session' -d 'bus of locatemed: system (default), session, or a D-Bus address; for commands that ask no service unused'
complete -c headingctl -s h -l help -d 'show this help and exit'
complete -c headingctl -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'
