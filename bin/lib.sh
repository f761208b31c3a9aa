# shellcheck shell=bash
# What the scripts beside this file share. Sourced, never run; needs `set -euo pipefail` before it
# and a function `usage` that prints the script's help.

# shellcheck disable=SC2034 # The scripts use it.
project=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
script=${0##*/}

say() {
  printf '%s: %s\n' "bin/$script" "$*" >&2
}

usage_error() {
  say "$1"
  usage >&2
  exit 64
}

# Looks at a command line before anything is built for it; ends where help is wanted or an option is unknown or lacks
# its value. Arguments: options with a value, options without, each list with blanks around its words; the command line.
check_options() {
  local valued=$1 flags=$2
  shift 2
  while (($# > 0)); do
    if [[ $1 == --help || $1 == -h ]]; then
      usage
      exit 0
    elif [[ $1 == --* && $flags == *" $1 "* ]]; then
      :
    elif [[ $1 != --* || $valued != *" ${1%%=*} "* ]]; then
      usage_error "unknown option: $1"
    elif [[ $1 != *=* ]]; then
      if (($# < 2)); then
        usage_error "$1 needs a value"
      fi
      shift
    fi
    shift
  done
}

# Prints the home of a JDK 17, or fails. Not a later one: Spark and the build's lint are tied to it.
find_jdk() {
  local on_path='' home
  if command -v javac >/dev/null; then
    on_path=$(readlink -f -- "$(command -v javac)")
    on_path=${on_path%/bin/javac}
  fi
  for home in "${JAVA_HOME:-}" "$on_path" "${VERBENA_JVM_DIR:-/usr/lib/jvm}"/*; do
    if [[ -n $home && -x $home/bin/javac ]] &&
      grep -qs '^JAVA_VERSION="17[.+"]' "$home/release"; then
      printf '%s\n' "$home"
      return 0
    fi
  done
  return 1
}

may_install() {
  [[ $(id -u) == 0 && ${VERBENA_INSTALL:-yes} != no ]] && command -v apt-get >/dev/null &&
    grep -Eqs '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release
}

# Adds to the caller's arrays `missing` and `packages` what is not there of the pairs COMMAND PACKAGE. A COMMAND that
# is an absolute path need only exist.
note_missing() {
  while (($# >= 2)); do
    if [[ $1 == /* && ! -e $1 ]]; then
      missing+=("$1")
      packages+=("$2")
    elif [[ $1 != /* ]] && ! command -v "$1" >/dev/null; then
      missing+=("$1 (not on PATH)")
      packages+=("$2")
    fi
    shift 2
  done
}

# Installs packages, or fails. Arguments: their names.
install_packages() {
  say "installing with apt-get: $*"
  { apt-get -qq update &&
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@"; } >&2
}

# Installs the caller's array `packages` where that may be done, and otherwise says what is missing and ends.
provide_missing() {
  if ((${#missing[@]} == 0)); then
    return 0
  fi
  local item
  for item in "${missing[@]}"; do
    say "missing: $item"
  done
  if ! may_install; then
    say "install it; on Debian or Ubuntu: sudo apt-get install ${packages[*]}"
    exit 69
  fi
  if ! install_packages "${packages[@]}"; then
    say "apt-get could not install ${packages[*]}; install them by other means"
    exit 69
  fi
}

# Sees to it that all is there that the native libraries are compiled with, and sets JAVA_HOME.
# Arguments: further pairs COMMAND PACKAGE.
# shellcheck disable=SC2120 # bin/test has some.
require_all_tools() {
  require_tools cc gcc /usr/include/stdlib.h libc6-dev \
    /usr/include/infiniband/verbs.h libibverbs-dev /usr/include/rdma/rdma_cma.h librdmacm-dev "$@"
}

# Sets JAVA_HOME, and installs what is missing where that may be done. The build goes on without
# the native libraries where they cannot be compiled, and says so.
prepare_build() {
  if may_install; then
    # shellcheck disable=SC2119 # No further tools.
    require_all_tools
  else
    require_tools
  fi
}

# Sees to it that commands are there. Arguments: pairs COMMAND PACKAGE.
require_commands() {
  local missing=() packages=()
  note_missing "$@"
  provide_missing
}

# Sees to it that what builds the project is there. Sets JAVA_HOME. Arguments: further pairs COMMAND PACKAGE.
require_tools() {
  local missing=() packages=()
  if ! find_jdk >/dev/null; then
    missing+=("JDK 17 (looked at JAVA_HOME=${JAVA_HOME:-}, at javac on PATH and in ${VERBENA_JVM_DIR:-/usr/lib/jvm})")
    packages+=(openjdk-17-jdk-headless)
  fi
  set -- mvn maven "$@"
  note_missing "$@"
  provide_missing
  if ! JAVA_HOME=$(find_jdk); then
    say "no JDK 17 even after installing ${packages[*]}"
    exit 69
  fi
  export JAVA_HOME
}

# Prints the path of this project's jar target/NAME-VERSION.jar in a module, or fails.
find_jar() {
  local jar
  for jar in "$project/$1/target/$2"-[0-9]*.jar; do
    if [[ -f $jar && $jar != *-tests.jar && $jar != *-sources.jar ]]; then
      printf '%s\n' "$jar"
      return 0
    fi
  done
  return 1
}

# Whether a jar lacks a native library that could be compiled now: a compiler or headers may have come since it was
# built. Names of files stand in a jar as they are.
lacks_native() {
  local library
  for library in $(sh "$project/block-transfer/src/main/c/build" --list); do
    if ! grep -qF "META-INF/native/linux-$(uname -m)/lib$library.so" "$1"; then
      return 0
    fi
  done
  return 1
}

# Whether both jars and the folder of Spark's jars are there, newer than all sources, and with all native libraries that
# can be compiled here.
jars_are_current() {
  local app user stamp=$project/integration-tests/target/jars-built
  app=$(find_jar integration-tests verbena-integration-tests) || return 1
  user=$(find_jar shuffle-manager verbena) || return 1
  compgen -G "$project/integration-tests/target/spark-home/jars/spark-core_*.jar" >/dev/null || return 1
  if lacks_native "$user"; then
    return 1
  fi
  local older_than=(-newer "$app" -newer "$user")
  # Maven leaves a jar alone that a changed source does not change.
  if [[ $stamp -nt $app ]]; then
    older_than=(-newer "$stamp")
  fi
  [[ -z $(find "$project"/pom.xml "$project"/*/pom.xml "$project"/*/src/main \
    -type f "${older_than[@]}" -print -quit) ]]
}

# Builds the jars, without tests, where they are missing or older than the sources.
build_jars() {
  if jars_are_current; then
    return 0
  fi
  say "building (the first time Maven fetches Spark and what the build needs; some minutes)"
  if ! (cd -- "$project" &&
    mvn -q -B -ntp -Dmaven.test.skip -Dspotless.check.skip -pl integration-tests -am package) >&2; then
    say "the build failed; see above"
    exit 1
  fi
  touch "$project/integration-tests/target/jars-built"
}

# Ends as a command of the user jar does, after building what is not current. Paths in its arguments hold from where the
# caller stands. Arguments: the command, what it gets.
run_command() {
  local folder=$PWD jar
  prepare_build
  cd -- "$project"
  build_jars
  jar=$(find_jar shuffle-manager verbena)
  cd -- "$folder"
  exec "$JAVA_HOME/bin/java" -jar "$jar" "$@"
}
