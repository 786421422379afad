# A PostgreSQL server of our own: passwords are asked for, TLS is on with a certificate of our own making.

start_postgres() {
  local bin data port password=shoal-secret as=()
  bin=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -n 1)
  # Below /tmp, since the user `postgres` may not be able to look into the folder of the project.
  data=$scratch/postgres
  mkdir "$data"
  if ((EUID == 0)); then
    # PostgreSQL refuses to run as root.
    as=(--reuid postgres --regid postgres --clear-groups)
    chown postgres "$data"
  fi
  openssl req -new -x509 -nodes -days 2 -subj /CN=localhost -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' \
    -keyout "$scratch/server.key" -out "$scratch/server.crt" 2>/dev/null
  chmod 600 "$scratch/server.key"
  ((EUID != 0)) || chown postgres "$scratch/server.key"
  printf %s "$password" >"$data/password"
  (cd "$data" && setpriv "${as[@]}" "$bin/initdb" -D "$data/db" -U postgres -E UTF8 --locale=C.UTF-8 -A scram-sha-256 \
    --pwfile="$data/password" >"$logs/initdb.log" 2>&1) || { cat "$logs/initdb.log" >&2; fail "initdb failed"; }

  port=$(free_port)
  # QUIT makes it leave at once, and its children with it.
  start postgres QUIT "${as[@]}" "$bin/postgres" -D "$data/db" -p "$port" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories="$data" -c ssl=on -c ssl_cert_file="$scratch/server.crt" \
    -c ssl_key_file="$scratch/server.key" -c fsync=off -c max_wal_size=4GB
  await_port postgres "$port" 30

  local admin="postgres://postgres@127.0.0.1:$port/postgres"
  until PGPASSWORD=$password "$bin/psql" -qAt "$admin" -c 'select 1' >/dev/null 2>&1; do sleep 0.1; done
  PGPASSWORD=$password "$bin/psql" -q "$admin" <<SQL
create role shoal login password '$password';
create role reader login password '$password';
create database shoal owner shoal;
SQL
  # `reader` may look at what it is granted, and write nothing.
  PGPASSWORD=$password "$bin/psql" -q "postgres://postgres@127.0.0.1:$port/shoal" \
    -c 'revoke all on schema public from public; grant usage on schema public to reader; grant all on schema public to shoal'
  export SHOAL_TEST_POSTGRES="postgres://shoal:$password@127.0.0.1:$port/shoal"
  export SHOAL_TEST_POSTGRES_READER="postgres://reader:$password@127.0.0.1:$port/shoal"
  export SHOAL_TEST_POSTGRES_CERTIFICATE="$scratch/server.crt"
}
