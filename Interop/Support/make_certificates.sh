#!/bin/bash
# Makes, in the folder given, what servers and clients of TLS tests need, with openssl: an authority (ca.pem), a server
# that is localhost (server.pem), the same expired (expired.pem), a client (client.pem), and a stranger whom the authority
# does not know (stranger.pem). Keys are in NAME.key.
set -euo pipefail
cd "$1"

cat >ca.cnf <<'CNF'
[ca]
default_ca = own
[own]
database = ./index
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
CNF
: >index

authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout "$1.key" -out "$1.pem" -days 30 \
        -subj "/CN=Cumulus interop $1" -addext 'basicConstraints=critical,CA:TRUE' 2>openssl.log
}

# Issues NAME.pem by an authority: NAME AUTHORITY START END SUBJECT-ALTERNATIVE-NAMES
issue() {
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout "$1.key" -out "$1.csr" \
        -subj "/CN=$1" -addext "subjectAltName=$5" 2>openssl.log
    openssl ca -batch -notext -config ca.cnf -cert "$2.pem" -keyfile "$2.key" -startdate "$3" -enddate "$4" \
        -in "$1.csr" -out "$1.pem" 2>openssl.log
}

day() { date -u -d "$1" +%Y%m%d%H%M%SZ; }

authority ca
authority stranger-ca
issue server ca "$(day yesterday)" "$(day '+10 days')" DNS:localhost
issue expired ca "$(day '-10 days')" "$(day yesterday)" DNS:localhost
issue client ca "$(day yesterday)" "$(day '+10 days')" DNS:client
issue stranger stranger-ca "$(day yesterday)" "$(day '+10 days')" DNS:client
