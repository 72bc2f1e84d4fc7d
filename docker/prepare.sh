#!/bin/sh
# Makes each secret, and the certificate of localhost, where there is none yet. What is there stays as it is.
# Called with the folder that holds the folders server, database and certificate.
set -eu
umask 077
root=${1:-/secrets}
server=1000
database=999

give() { if [ "$(id -u)" = 0 ]; then chown "$1" "$2"; fi; }

# The owner of a file; the file; its content. A file appears whole or not at all.
keep() {
  if [ ! -s "$2" ]; then
    printf '%s\n' "$3" >"$2.new"
    give "$1" "$2.new"
    mv "$2.new" "$2"
  fi
}

mkdir -p "$root/server" "$root/database" "$root/certificate"

keep "$database" "$root/database/password" "$(openssl rand -hex 32)"
# The URL is made anew from the password, if it was lost.
if [ ! -s "$root/server/database-url" ]; then
  password=$(cat "$root/database/password")
  keep "$server" "$root/server/database-url" "postgres://candela:$password@database:5432/candela"
fi
keep "$server" "$root/server/secret-key" "$(openssl rand -hex 32)"
keep "$server" "$root/server/cookie-keys" "$(openssl rand -hex 32)"

if [ ! -s "$root/certificate/fullchain.pem" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 825 -subj /CN=localhost \
    -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' \
    -keyout "$root/certificate/privkey.pem" -out "$root/certificate/fullchain.pem.new" 2>/dev/null
  give "$server" "$root/certificate/privkey.pem"
  give "$server" "$root/certificate/fullchain.pem.new"
  mv "$root/certificate/fullchain.pem.new" "$root/certificate/fullchain.pem"
fi
