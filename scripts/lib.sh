# shellcheck shell=bash
# Sourced by the scripts. Messages go to standard error; standard output belongs to the command.

script_path=$(readlink -f -- "${BASH_SOURCE[0]}")
root=$(dirname -- "$(dirname -- "$script_path")")

say() { printf '%s\n' "$*" >&2; }

# die STATUS MESSAGE…
die() {
  local status=$1
  shift
  say "Error: $*"
  exit "$status"
}

least_swift=6.2

require_swift() {
  local folder
  [[ $(uname -s) == Linux ]] ||
    die 1 "topobench needs Linux; elsewhere, use a container: '$root/Containerfile' begins with the commands"
  if ! command -v swift >/dev/null 2>&1; then
    for folder in "${SWIFTLY_BIN_DIR:-${HOME-}/.local/share/swiftly/bin}" /opt/swift/usr/bin \
      /usr/share/swift/usr/bin; do
      if [[ -x $folder/swift ]]; then
        PATH=$folder:$PATH
        break
      fi
    done
  fi
  command -v swift >/dev/null 2>&1 ||
    die 1 "no Swift toolchain on the PATH; install Swift $least_swift or later (https://www.swift.org/install/linux), then run this again"
  require_swift_version
}

require_swift_version() {
  local text version
  text=$(swift --version 2>/dev/null) || text=
  [[ $text =~ Swift\ version\ ([0-9]+(\.[0-9]+)*) ]] ||
    die 1 "'$(command -v swift)' does not tell its version; is it a Swift toolchain?"
  version=${BASH_REMATCH[1]}
  [[ $(printf '%s\n%s\n' "$least_swift" "$version" | sort -V | head -n 1) == "$least_swift" ]] ||
    die 1 "Swift $version is too old; install $least_swift or later (https://www.swift.org/install/linux)"
}

# Installs SQLite's headers and library if that needs no password.
require_sqlite() {
  has_sqlite && return 0
  install_sqlite
  has_sqlite || die 1 "SQLite's headers are still missing; $(how_to_get_sqlite)"
}

has_sqlite() {
  local clang
  clang=$(command -v clang || command -v cc) || die 1 "no C compiler; the Swift toolchain brings clang"
  printf '#include <sqlite3.h>\nint main(void) { return sqlite3_libversion_number() == 0; }\n' |
    "$clang" -x c - -lsqlite3 -o /dev/null >/dev/null 2>&1
}

install_sqlite() {
  local as=()
  command -v apt-get >/dev/null 2>&1 || die 1 "SQLite's headers are missing; $(how_to_get_sqlite)"
  if [[ $(id -u) != 0 ]]; then
    sudo -n true 2>/dev/null || die 1 "SQLite's headers are missing; $(how_to_get_sqlite)"
    as=(sudo -n)
  fi
  say "SQLite's headers are missing: installing libsqlite3-dev …"
  if ! apt_install "${as[@]}"; then
    "${as[@]}" apt-get update </dev/null >&2 || say "apt-get update failed; trying all the same"
    apt_install "${as[@]}" || die 1 "libsqlite3-dev could not be installed; $(how_to_get_sqlite)"
  fi
}

# apt_install [sudo …]
apt_install() {
  "$@" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    libsqlite3-dev </dev/null >&2
}

how_to_get_sqlite() {
  if command -v apt-get >/dev/null 2>&1; then
    printf 'type: sudo apt-get update && sudo apt-get install -y libsqlite3-dev'
  elif command -v dnf >/dev/null 2>&1; then
    printf 'type: sudo dnf install -y sqlite-devel'
  elif command -v pacman >/dev/null 2>&1; then
    printf 'type: sudo pacman -S sqlite'
  elif command -v apk >/dev/null 2>&1; then
    printf 'type: sudo apk add sqlite-dev'
  elif command -v zypper >/dev/null 2>&1; then
    printf 'type: sudo zypper install sqlite3-devel'
  else
    printf "install your system's development package of SQLite 3"
  fi
}

# The release binary, and a file as old as its sources.
binary=$root/.build/release/topobench
stamp=$root/.build/topobench.stamp

# A folder's time tells of added and removed files.
is_built() {
  [[ -x $binary && -e $stamp ]] &&
    [[ -z $(find "$root/Package.swift" "$root/Sources" -newer "$stamp" -print -quit) ]]
}

# clean_module_cache FOLDER: removes modules that name the package's previous folder.
clean_module_cache() { rm -rf -- "$1"/.build/ModuleCache "$1"/.build/*/release/ModuleCache; }

# release SWIFT-BUILD-ARGUMENT…: builds without debug information, which would take 7 % of the
# build's processor time.
release() {
  local log status=0
  log=$(mktemp)
  swift_release "$@" 2>&1 | tee -- "$log" || status=$?
  if ((status != 0)) && grep -q 'missing required module' "$log"; then
    say "The checkout was moved: cleaning the module cache, and building again …"
    clean_module_cache "$root"
    status=0
    swift_release "$@" || status=$?
  fi
  rm -f -- "$log"
  return "$status"
}

swift_release() {
  swift build --package-path "$root" -c release -debug-info-format none "$@" </dev/null
}

# release_product PRODUCT: prints the path of its binary.
release_product() {
  require_swift
  require_sqlite
  release --product "$1" >&2 || die 1 "the build failed; what it said stands above"
  printf '%s/%s\n' "$root/.build/release" "$1"
}

build() {
  is_built && return 0
  # A source that is saved during the build is newer than this.
  { mkdir -p "$root/.build" && touch "$stamp.new"; } 2>/dev/null ||
    die 1 "cannot build topobench: '$root/.build' is not writable; clone it into a folder of yours"
  if [[ ! -x $binary ]]; then
    say "Building topobench; the first time takes some minutes …"
  else
    say "Building topobench: its sources changed …"
  fi
  release_product topobench >/dev/null
  mv -f "$stamp.new" "$stamp"
}

# Prints nothing outside of a checkout.
revision() {
  git -C "$root" describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || true
}

# completions SHELL: prints its completions of topobench. swift-argument-parser's complete no option
# of the default subcommand unless `run` is typed, so a first word with a hyphen leads there, too.
completions() {
  local shell=$1 script mended before='' after=''
  case $shell in
    bash)
      before='    __topobench_offer_flags_options 0'
      after='    if [[ ${COMP_WORDS[1]} == -* ]]; then _topobench_run; return; fi
'$before
      ;;
    zsh)
      before='    local -ir current_word_index="$((CURRENT - 1))"'
      after=$before'
    if [[ ${words[2]} == -* ]]; then _topobench_run; return; fi'
      ;;
    fish)
      before='    set -l unparsed_tokens (__topobench_tokens -pc)'
      after=$before'
    set -l words $unparsed_tokens[2..] (commandline -t)
    string match -q -- "-*" "$words[1]"; and set unparsed_tokens topobench run $unparsed_tokens[2..]'
      ;;
  esac
  script=$("$binary" --generate-completion-script "$shell")
  mended=${script/"$before"/"$after"}
  [[ $mended != "$script" ]] || die 1 "the completions for $shell have another form than expected"
  printf '%s\n' "$mended"
}
