# What do all services share? Folders, free ports, waiting, and an end to everything that was started.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# What was downloaded or built stays here, so that the next run is quick.
installed=${CARGO_TARGET_DIR:-$root/target}/services
logs=$installed/logs

spark_version=4.3.0
sail_version=0.7.2

fail() { printf 'services: %s\n' "$*" >&2; exit 1; }
say() { printf 'services: %s\n' "$*" >&2; }

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Each service is a child of this shell and gets the signal of its own choice when the shell dies, however it dies.
started=()
start() { # LOG SIGNAL [OPTIONS OF setpriv] COMMAND..
  local log=$logs/$1.log signal=$2
  shift 2
  setpriv --pdeathsig "$signal" "$@" >"$log" 2>&1 </dev/null &
  started+=($!)
}

# Waits for a port of the process that was started last.
await_port() { # NAME PORT SECONDS
  local name=$1 port=$2 pid=${started[-1]} until=$((SECONDS + $3))
  until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    kill -0 "$pid" 2>/dev/null || { tail -n 20 "$logs/$name.log" >&2; fail "$name ended before it was ready"; }
    ((SECONDS < until)) || { tail -n 20 "$logs/$name.log" >&2; fail "$name is not ready after $3 seconds"; }
    sleep 0.2
  done
}

# Asks all to end, the last started first, and insists after ten seconds.
stop_all() {
  local index pid until=$((SECONDS + 10))
  for ((index = ${#started[@]} - 1; index >= 0; index--)); do
    kill -TERM "${started[index]}" 2>/dev/null || true
  done
  for pid in "${started[@]}"; do
    while kill -0 "$pid" 2>/dev/null && ((SECONDS < until)); do sleep 0.1; done
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  started=()
  [[ -z ${scratch:-} ]] || rm -rf "$scratch"
}
