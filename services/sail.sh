# Sail speaks the protocol of Spark Connect and starts in a second: for the many tests that need no cluster.

start_sail() {
  local port
  port=$(free_port)
  start sail TERM "$installed/sail/bin/sail" spark server --ip 127.0.0.1 --port "$port"
  await_port sail "$port" 30
  export SHOAL_TEST_SAIL="sc://127.0.0.1:$port"
}
