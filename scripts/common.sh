# Words that the scripts share; sourced, never run. Sets `root` (the checkout) and defines the functions below.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
program=$(basename "$0")

say() { printf '%s: %s\n' "$program" "$*" >&2; }
fail() {
    say "$*"
    exit 1
}
usage_error() {
    say "$*, see $program --help"
    exit 2
}

# Prints the comment block at the head of the running script.
print_help() { sed -n '2,/^$/{s/^# \{0,1\}//p;}' "$0"; }

# Puts the Swift toolchain on PATH and says which is needed if there is none.
use_swift() {
    local folder
    for folder in ${SWIFT_BIN:+"$SWIFT_BIN"} "$(dirname "$(command -v swift || echo /nowhere/swift)")" \
        /opt/swift/usr/bin /usr/local/swift/usr/bin "${HOME:-/nowhere}/.local/share/swiftly/bin"; do
        if [ -x "$folder/swift" ]; then
            export PATH="$folder:$PATH"
            return
        fi
    done
    fail "no Swift toolchain found: install Swift 6.3 or newer (swift.org/install) and put its 'swift' on PATH, or set SWIFT_BIN to the folder that holds it"
}

# Sets `build_arguments`: where to build. A checkout that this user cannot write is built in the user's cache.
use_build_folder() {
    build_arguments=(--package-path "$root")
    if [ -w "$root" ] && { [ ! -e "$root/.build" ] || [ -w "$root/.build" ]; }; then
        build_folder=$root/.build
    else
        build_folder=${XDG_CACHE_HOME:-${HOME:?set HOME or XDG_CACHE_HOME}/.cache}/locateme/build
        mkdir -p "$build_folder"
    fi
    build_arguments+=(--scratch-path "$build_folder")
}

# Builds both programs for use: optimised, with the Swift runtime inside. Sets `release` to their folder.
# Output goes to stderr, and on success is kept short.
build_release() {
    use_swift
    use_build_folder
    local arguments=("${build_arguments[@]}" -c release --static-swift-stdlib) product
    for product in locatemed headingctl; do
        swift build "${arguments[@]}" --product "$product" >&2 || fail "the release build failed"
    done
    release=$build_folder/release
}
