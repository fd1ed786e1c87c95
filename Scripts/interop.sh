#!/bin/bash
# Runs the Interop tests against servers that we did not write: httpbin (under gunicorn), nginx and Apache (both with TLS
# and WebDAV), squid, tinyproxy and microsocks (proxies), docker-registry, etcd, moto's S3, and python-multipart, authlib,
# tuspyserver, tussi, http-message-signatures, sse-starlette and Node behind a few lines of ours, on free loopback ports, and twenty more on
# their defaults (Interop/Servers). Installs what is missing, once: nginx, Apache, openssl, the proxies, docker-registry,
# etcd and those of Interop/Servers with apt-get, the others from PyPI into .build/interop/venv.
#
#   Scripts/interop.sh [--skip-build]    runs the tests of Interop and of Examples/Registry
#   Scripts/interop.sh COMMAND ...   runs the command with the servers up instead
#
# The servers' URLs are in CUMULUS_INTEROP_HTTPBIN, CUMULUS_INTEROP_NGINX, CUMULUS_INTEROP_NGINX_HTTP2,
# CUMULUS_INTEROP_NGINX_BROTLI, CUMULUS_INTEROP_NGINX_TLS, _EXPIRED and _MUTUAL, CUMULUS_INTEROP_APACHE, _APACHE_TLS and
# _APACHE_MUTUAL, CUMULUS_INTEROP_MULTIPART, CUMULUS_INTEROP_S3 (its keys in _S3_KEY and _S3_SECRET),
# CUMULUS_INTEROP_OAUTH, CUMULUS_INTEROP_SQUID, _SQUID_USER, _SQUID_TLS and _SQUID_CACHE, CUMULUS_INTEROP_TINYPROXY,
# CUMULUS_INTEROP_SOCKS, CUMULUS_INTEROP_KINTO, CUMULUS_INTEROP_FASTAPI, CUMULUS_INTEROP_DOCUMENTS (a folder of OpenAPI
# documents), CUMULUS_INTEROP_CATALOG (a registry of images), CUMULUS_INTEROP_REGISTRY and _REGISTRY_TOKENS (one that
# wants tokens, and their service), CUMULUS_INTEROP_EVENTS (with _NODE, _NGINX, _HTTP2 and _BUFFERED),
# CUMULUS_INTEROP_TUSPYSERVER and _TUSSI (their uploads in the folder CUMULUS_INTEROP_UPLOADS),
# CUMULUS_INTEROP_SPARE_PORTS, CUMULUS_INTEROP_ETCD (a program that tests start), CUMULUS_INTEROP_SIGNATURES, the
# certificates in the folder CUMULUS_INTEROP_CERTIFICATES, the table of Interop/Servers in the folder
# CUMULUS_INTEROP_SERVERS. What was started here is stopped on every way out; the exit code is the command's.
set -euo pipefail
cd "$(dirname "$0")/.."

home="$PWD/.build/interop"
run=""
served=""
proxies=""
trial=""
pids=()
mkdir -p "$home"

say() { echo "interop: $*" >&2; }

cleanup() {
    status=$?
    trap - EXIT INT TERM
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
    if [ -n "$run" ]; then rm -rf "$run"; fi
    if [ -n "$served" ]; then rm -rf "$served"; fi
    if [ -n "$proxies" ]; then rm -rf "$proxies"; fi
    if [ -n "$trial" ]; then rm -rf "$trial"; fi
    exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Free ports, all asked for at once: an interpreter for each took seconds.
take_ports() {
    mapfile -t ports < <("$home/venv/bin/python" Scripts/free_ports.py 48)
}

# The next of them, in `port` or the variable named.
next_port() {
    printf -v "${1:-port}" %s "${ports[0]}"
    ports=("${ports[@]:1}")
}

# Waits up to a minute for a server to accept connections.
await_now() {
    local name=$1 port=$2 pid=$3 started=$SECONDS
    until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
        if ! kill -0 "$pid" 2>/dev/null || [ $((SECONDS - started)) -gt 60 ]; then
            cat "$run/$name.log" >&2
            say "$name did not start"
            return 1
        fi
        sleep 0.05
    done
}

# The servers start side by side, and are waited for at the end.
awaited=()
await_port() { awaited+=("$1 $2 $3"); }
await_all() {
    local entry
    for entry in "${awaited[@]}"; do
        # Name, port, process.
        # shellcheck disable=SC2086
        await_now $entry
    done
}

# Ports for servers that the tests start themselves.
spare_ports() {
    local one two three
    next_port one
    next_port two
    next_port three
    export CUMULUS_INTEROP_SPARE_PORTS="$one $two $three"
}

start_httpbin() {
    local port
    next_port
    # gunicorn keeps a socket in the home folder, which is to go with everything else.
    HOME="$run" "$home/venv/bin/gunicorn" --bind "127.0.0.1:$port" --worker-class gthread --threads 16 \
        --keep-alive 30 --graceful-timeout 1 httpbin:app >"$run/httpbin.log" 2>&1 &
    pids+=($!)
    await_port httpbin "$port" $!
    export CUMULUS_INTEROP_HTTPBIN="http://127.0.0.1:$port"
}

# Starts a server of Interop/Support; its port is in `port` then.
start_script() {
    next_port
    "$home/venv/bin/python" "Interop/Support/$2" "$port" >"$run/$1.log" 2>&1 &
    pids+=($!)
    await_port "$1" "$port" $!
}

start_multipart() {
    start_script multipart multipart_server.py
    export CUMULUS_INTEROP_MULTIPART="http://127.0.0.1:$port"
}

start_oauth() {
    start_script oauth oauth_server.py
    export CUMULUS_INTEROP_OAUTH="http://127.0.0.1:$port"
}

start_moto() {
    local port
    next_port
    INITIAL_NO_AUTH_ACTION_COUNT=3 "$home/venv/bin/moto_server" -H 127.0.0.1 -p "$port" >"$run/moto.log" 2>&1 &
    pids+=($!)
    await_port moto "$port" $!
    export CUMULUS_INTEROP_PYTHON="$home/venv/bin/python"
    export CUMULUS_INTEROP_S3="http://127.0.0.1:$port"
}

# Makes an account there, once it runs.
finish_moto() {
    local keys
    keys=$("$home/venv/bin/python" Interop/Support/moto_account.py "$CUMULUS_INTEROP_S3")
    export CUMULUS_INTEROP_S3_KEY="${keys% *}"
    export CUMULUS_INTEROP_S3_SECRET="${keys#* }"
}

# Two servers with tus, whose uploads are in folders.
start_uploads() {
    local port name
    for name in tuspyserver tussi; do
        next_port
        "$home/venv/bin/python" Interop/Support/tus_server.py "$port" "$run/uploads/$name" "$name" \
            >"$run/$name.log" 2>&1 &
        pids+=($!)
        await_port "$name" "$port" $!
        if [ "$name" = tussi ]; then
            export CUMULUS_INTEROP_TUSSI="http://127.0.0.1:$port/files/"
        else
            export CUMULUS_INTEROP_TUSPYSERVER="http://127.0.0.1:$port/files/"
        fi
    done
    export CUMULUS_INTEROP_UPLOADS="$run/uploads"
}

start_signatures() {
    start_script signatures signature_server.py
    export CUMULUS_INTEROP_SIGNATURES="http://127.0.0.1:$port"
}

make_certificates() {
    mkdir -p "$run/certificates"
    Interop/Support/make_certificates.sh "$run/certificates"
    export CUMULUS_INTEROP_CERTIFICATES="$run/certificates"
}

start_apache() {
    local port port_tls port_mutual modules=/usr/lib/apache2/modules name as_user=""
    next_port
    next_port port_tls
    next_port port_mutual
    # Started by root, Apache drops to another user, who may not reach this folder but reaches that of temporary files.
    served=$(mktemp -d)
    mkdir "$served/www" "$served/dav" "$served/www/basic" "$served/www/digest" "$served/www/stale"
    for name in . basic digest stale; do cp "$run/www/hello.txt" "$served/www/$name"; done
    printf 'ada:%s\n' "$(openssl passwd -apr1 'love lace:é')" >"$served/users"
    printf 'ada:vault:%s\n' "$(printf 'ada:vault:love lace:é' | md5sum | cut -d' ' -f1)" >"$served/digests"
    seq 20000 >"$served/www/packed.txt"
    mkdir "$served/www/brotli"
    cp "$served/www/packed.txt" "$served/www/brotli"
    if [ "$(id -u)" = 0 ]; then
        as_user="User www-data"
        chmod 755 "$served"
        chown -R www-data "$served/dav"
    fi
    {
        for name in mpm_event authn_core authn_file authz_core authz_user auth_basic auth_digest mime dir headers deflate brotli filter ssl socache_shmcb http2 alias dav dav_fs; do
            echo "LoadModule ${name}_module $modules/mod_$name.so"
        done
        cat <<APACHE
ServerName localhost
ServerRoot $served
PidFile $run/apache.pid
ErrorLog $run/apache.log
DocumentRoot $served/www
$as_user
TypesConfig /dev/null
AddType text/plain .txt
Listen 127.0.0.1:$port
Listen 127.0.0.1:$port_tls
Listen 127.0.0.1:$port_mutual
DefaultRuntimeDir $served
Protocols h2 h2c http/1.1
Redirect 302 /found /hello.txt
<Location /packed.txt>
    SetOutputFilter DEFLATE
</Location>
<Location /brotli/>
    SetOutputFilter BROTLI_COMPRESS
</Location>
<Location /basic/>
    AuthType Basic
    AuthName "basics"
    AuthUserFile $served/users
    Require valid-user
</Location>
<Location /digest/>
    AuthType Digest
    AuthName "vault"
    AuthUserFile $served/digests
    Require valid-user
</Location>
<Location /stale/>
    AuthType Digest
    AuthName "vault"
    AuthUserFile $served/digests
    AuthDigestNonceLifetime 2
    Require valid-user
</Location>
DavLockDB $served/dav/.locks
Alias /dav/ $served/dav/
<Location /dav/>
    Dav On
    Require all granted
</Location>
<VirtualHost 127.0.0.1:$port_tls>
    SSLEngine on
    SSLCertificateFile $run/certificates/server.pem
    SSLCertificateKeyFile $run/certificates/server.key
</VirtualHost>
<VirtualHost 127.0.0.1:$port_mutual>
    SSLEngine on
    SSLCertificateFile $run/certificates/server.pem
    SSLCertificateKeyFile $run/certificates/server.key
    SSLCACertificateFile $run/certificates/ca.pem
    SSLVerifyClient require
</VirtualHost>
APACHE
    } >"$run/apache.conf"
    /usr/sbin/apache2 -D FOREGROUND -f "$run/apache.conf" >"$run/apache.out" 2>&1 &
    pids+=($!)
    await_port apache "$port" $!
    export CUMULUS_INTEROP_APACHE="http://127.0.0.1:$port"
    export CUMULUS_INTEROP_APACHE_TLS="https://localhost:$port_tls"
    export CUMULUS_INTEROP_APACHE_MUTUAL="https://localhost:$port_mutual"
}

start_proxies() {
    local port port_user port_cache port_tls port_tiny port_socks
    next_port
    next_port port_user
    next_port port_cache
    next_port port_tls
    next_port port_tiny
    next_port port_socks
    # Started by root, squid drops to another user, who may not reach the folder of this run.
    proxies=$(mktemp -d)
    chmod 777 "$proxies"
    printf 'ada:%s\n' "$(openssl passwd -apr1 'love lace:é')" >"$proxies/users"
    chmod 644 "$proxies/users"
    cat >"$run/squid.conf" <<SQUID
http_port 127.0.0.1:$port name=open
http_port 127.0.0.1:$port_user name=guarded
http_port 127.0.0.1:$port_cache name=caching
https_port 127.0.0.1:$port_tls name=secure tls-cert=$run/certificates/server.pem tls-key=$run/certificates/server.key
auth_param basic program /usr/lib/squid/basic_ncsa_auth $proxies/users
auth_param basic realm squid
auth_param basic utf8 on
acl guarded myportname guarded
acl known proxy_auth REQUIRED
http_access deny guarded !known
http_access allow localhost
http_access deny all
acl caching myportname caching
cache deny !caching
cache_mem 16 MB
access_log none
cache_log $proxies/squid.log
pid_filename none
coredump_dir $proxies
visible_hostname localhost
shutdown_lifetime 0 seconds
SQUID
    /usr/sbin/squid -N -f "$run/squid.conf" >"$run/squid.log" 2>&1 &
    pids+=($!)
    await_port squid "$port" $!
    cat >"$run/tinyproxy.conf" <<TINYPROXY
Port $port_tiny
Listen 127.0.0.1
Allow 127.0.0.1
Timeout 60
MaxClients 50
BasicAuth ada lovelace
TINYPROXY
    tinyproxy -d -c "$run/tinyproxy.conf" >"$run/tinyproxy.log" 2>&1 &
    pids+=($!)
    await_port tinyproxy "$port_tiny" $!
    microsocks -i 127.0.0.1 -p "$port_socks" -u ada -P lovelace >"$run/microsocks.log" 2>&1 &
    pids+=($!)
    await_port microsocks "$port_socks" $!
    export CUMULUS_INTEROP_SQUID="http://127.0.0.1:$port"
    export CUMULUS_INTEROP_SQUID_USER="http://ada:love%20lace%3A%C3%A9@127.0.0.1:$port_user"
    export CUMULUS_INTEROP_SQUID_TLS="https://localhost:$port_tls"
    export CUMULUS_INTEROP_SQUID_CACHE="http://127.0.0.1:$port_cache"
    export CUMULUS_INTEROP_TINYPROXY="http://ada:lovelace@127.0.0.1:$port_tiny"
    export CUMULUS_INTEROP_SOCKS="socks5://ada:lovelace@127.0.0.1:$port_socks"
}

start_nginx() {
    local port port2 port_tls port_expired port_mutual
    next_port
    next_port port2
    next_port port_tls
    next_port port_expired
    next_port port_mutual
    mkdir -p "$run/www" "$run/tmp"
    printf 'hello from nginx\n' >"$run/www/hello.txt"
    printf '{"server": "nginx", "list": [1, 2.50, null]}\n' >"$run/www/data.json"
    : >"$run/www/empty.txt"
    seq 20000 >"$run/www/packed.txt"
    # 64 MiB in which each 8 bytes tell their place, so that a lost or doubled byte is seen.
    "$home/venv/bin/python" - "$run/www/big.bin" <<'PYTHON'
import array, sys
words = array.array("Q", range(8 << 20))
words.byteswap()
with open(sys.argv[1], "wb") as file: words.tofile(file)
PYTHON
    # Started by root, nginx would drop to a user who may not reach the files.
    local as_user=""
    if [ "$(id -u)" = 0 ]; then as_user="user root;"; fi
    local brotli="" brotli_module=""
    if [ -e "/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so" ]; then
        brotli_module="load_module /usr/lib/nginx/modules/ngx_http_brotli_filter_module.so;"
        brotli="location = /brotli.txt { brotli on; brotli_types text/plain; try_files /packed.txt =404; }"
    fi
    cat >"$run/nginx.conf" <<NGINX
daemon off;
$as_user
$brotli_module
worker_processes 1;
pid $run/nginx.pid;
error_log $run/nginx.log;
events { worker_connections 256; }
http {
    access_log off;
    gzip off;
    sendfile on;
    types { text/plain txt; application/json json; application/octet-stream bin; }
    client_body_temp_path $run/tmp/body;
    proxy_temp_path $run/tmp/proxy;
    fastcgi_temp_path $run/tmp/fastcgi;
    uwsgi_temp_path $run/tmp/uwsgi;
    scgi_temp_path $run/tmp/scgi;
    client_max_body_size 1m;
    keepalive_requests 10000;
    # One request in 500 ms; the others are told to come back. A zone for each suite, since suites run side by side. A
    # request whose key is empty would not be counted.
    limit_req_zone \$server_addr zone=paced:1m rate=2r/s;
    limit_req_zone \$server_addr zone=busy:1m rate=2r/s;
    limit_req_zone \$server_addr zone=turns:1m rate=2r/s;
    limit_req_zone \$server_addr zone=resting:1m rate=2r/s;
    server {
        listen 127.0.0.1:$port;
        # Without TLS and by HTTP/2 only.
        listen 127.0.0.1:$port2 http2;
        root $run/www;
        location = /moved { return 301 /hello.txt; }
        location = /found { return 302 http://127.0.0.1:\$server_port/data.json; }
        location = /see-other { return 303 /hello.txt; }
        location = /temporary { return 307 /hello.txt; }
        location = /chain { return 308 /moved; }
        location = /circle { return 302 /circle; }
        location = /teapot { return 418 "short and stout\n"; }
        location = /nothing { return 204; }
        location = /slow { limit_rate 64k; try_files /big.bin =404; }
        location = /paced {
            limit_req zone=paced;
            limit_req_status 429;
            add_header Retry-After 1 always;
            try_files /hello.txt =404;
        }
        location = /busy { limit_req zone=busy; try_files /hello.txt =404; }
        location = /resting {
            limit_req zone=resting;
            add_header Retry-After 1 always;
            try_files /hello.txt =404;
        }
        location = /packed.txt { gzip on; gzip_types text/plain; }
        $brotli
        location = /turns {
            limit_req zone=turns burst=1 nodelay;
            limit_req_status 429;
            add_header Retry-After 1 always;
            try_files /hello.txt =404;
        }
        location /dav/ {
            client_max_body_size 0;
            dav_methods PUT DELETE;
            create_full_put_path on;
        }
        location /events/ {
            proxy_pass http://127.0.0.1:$port_events/;
            proxy_buffering off;
        }
        location /buffered/ {
            proxy_pass http://127.0.0.1:$port_events/;
            # sse-starlette asks for none.
            proxy_ignore_headers X-Accel-Buffering;
        }
        location = /connection { default_type text/plain; return 200 "\$connection \$connection_requests"; }
    }
    server {
        listen 127.0.0.1:$port_tls ssl http2;
        root $run/www;
        ssl_certificate $run/certificates/server.pem;
        ssl_certificate_key $run/certificates/server.key;
    }
    server {
        listen 127.0.0.1:$port_expired ssl;
        root $run/www;
        ssl_certificate $run/certificates/expired.pem;
        ssl_certificate_key $run/certificates/expired.key;
    }
    server {
        listen 127.0.0.1:$port_mutual ssl;
        ssl_certificate $run/certificates/server.pem;
        ssl_certificate_key $run/certificates/server.key;
        ssl_client_certificate $run/certificates/ca.pem;
        ssl_verify_client on;
        location / { default_type text/plain; return 200 \$ssl_client_s_dn; }
    }
}
NGINX
    PATH="$PATH:/usr/sbin" nginx -p "$run" -c "$run/nginx.conf" >"$run/nginx.out" 2>&1 &
    pids+=($!)
    await_port nginx "$port" $!
    export CUMULUS_INTEROP_NGINX="http://127.0.0.1:$port"
    export CUMULUS_INTEROP_NGINX_HTTP2="http://127.0.0.1:$port2"
    export CUMULUS_INTEROP_EVENTS_NGINX="http://127.0.0.1:$port/events"
    export CUMULUS_INTEROP_EVENTS_HTTP2="http://127.0.0.1:$port2/events"
    export CUMULUS_INTEROP_EVENTS_BUFFERED="http://127.0.0.1:$port/buffered"
    export CUMULUS_INTEROP_NGINX_ROOT="$run/www"
    if [ -n "$brotli" ]; then export CUMULUS_INTEROP_NGINX_BROTLI="http://127.0.0.1:$port/brotli.txt"; fi
    export CUMULUS_INTEROP_NGINX_TLS="https://localhost:$port_tls"
    export CUMULUS_INTEROP_NGINX_EXPIRED="https://localhost:$port_expired"
    export CUMULUS_INTEROP_NGINX_MUTUAL="https://localhost:$port_mutual"
}

# Event streams by sse-starlette and by Node; nginx is in front of the first.
start_events() {
    local port
    next_port
    next_port port_events
    "$home/venv/bin/python" Interop/Servers/events_asgi.py "$port_events" >"$run/events.log" 2>&1 &
    pids+=($!)
    await_port events "$port_events" $!
    node Interop/Servers/events.js "$port" >"$run/events-node.log" 2>&1 &
    pids+=($!)
    await_port events-node "$port" $!
    export CUMULUS_INTEROP_EVENTS="http://127.0.0.1:$port_events"
    export CUMULUS_INTEROP_EVENTS_NODE="http://127.0.0.1:$port"
    # The tests start it themselves, and again.
    CUMULUS_INTEROP_ETCD=$(command -v etcd)
    export CUMULUS_INTEROP_ETCD
}

# A registry of images, whose catalog has 25 repositories.
start_catalog() {
    local port number
    next_port
    for number in $(seq -w 25); do
        mkdir -p "$run/catalog/docker/registry/v2/repositories/tea-$number/_layers" \
            "$run/catalog/docker/registry/v2/repositories/tea-$number/_manifests"
    done
    cat >"$run/catalog.yml" <<YAML
version: 0.1
log: { level: error }
storage: { filesystem: { rootdirectory: $run/catalog } }
http: { addr: "127.0.0.1:$port" }
YAML
    docker-registry serve "$run/catalog.yml" >"$run/catalog.log" 2>&1 &
    pids+=($!)
    await_port catalog "$port" $!
    export CUMULUS_INTEROP_CATALOG="http://127.0.0.1:$port"
}

# A registry that wants a token for each repository, and the service that issues them.
start_registry() {
    local port port_tokens
    next_port
    next_port port_tokens
    mkdir -p "$run/registry"
    "$home/venv/bin/python" Interop/Support/registry_tokens.py "$port_tokens" "$run/registry" \
        >"$run/registry-tokens.log" 2>&1 &
    pids+=($!)
    local tokens=$!
    await_port registry-tokens "$port_tokens" "$tokens"
    # The registry reads their certificate when it starts.
    until [ -e "$run/registry/tokens.pem" ]; do
        kill -0 "$tokens" 2>/dev/null || { say "the registry's tokens did not start"; return 1; }
        sleep 0.1
    done
    cat >"$run/registry.yml" <<YAML
version: 0.1
log: { level: error }
storage: { filesystem: { rootdirectory: $run/registry/files } }
http: { addr: "127.0.0.1:$port" }
auth:
  token:
    realm: http://127.0.0.1:$port_tokens/token
    service: interop
    issuer: interop
    rootcertbundle: $run/registry/tokens.pem
YAML
    docker-registry serve "$run/registry.yml" >"$run/registry.log" 2>&1 &
    pids+=($!)
    await_port registry "$port" $!
    export CUMULUS_INTEROP_REGISTRY="http://127.0.0.1:$port"
    export CUMULUS_INTEROP_REGISTRY_TOKENS="http://127.0.0.1:$port_tokens"
}

# Many servers on their defaults, which start while the others do.
start_trial() {
    trial=$(mktemp -d)
    python3 Interop/Servers/start.py "$trial" "$run/certificates" "$home/venv/bin" 2 &
    trial_pid=$!
    pids+=("$trial_pid")
}

await_trial() {
    until [ -e "$trial/servers.tsv" ]; do
        kill -0 "$trial_pid" 2>/dev/null || { say "the servers of Interop/Servers did not start"; return 1; }
        sleep 0.1
    done
    export CUMULUS_INTEROP_SERVERS="$trial"
}

start_kinto() {
    start_script kinto kinto_server.py
    export CUMULUS_INTEROP_KINTO="http://127.0.0.1:$port/v1"
}

start_fastapi() {
    start_script fastapi fastapi_server.py
    export CUMULUS_INTEROP_FASTAPI="http://127.0.0.1:$port"
}

Interop/Support/install.sh "$home"
export CUMULUS_INTEROP_DOCUMENTS="$home/documents"
run=$(mktemp -d "$home/run.XXXXXX")
touch "$run/nginx.log" "$run/httpbin.log" "$run/apache.log"
take_ports
spare_ports
make_certificates
start_trial
start_httpbin
start_multipart
start_oauth
start_moto
start_uploads
start_signatures
start_events
start_nginx
start_apache
start_proxies
start_kinto
start_fastapi
start_catalog
start_registry
await_all
finish_moto
await_trial
say "httpbin at $CUMULUS_INTEROP_HTTPBIN, nginx at $CUMULUS_INTEROP_NGINX, Apache at $CUMULUS_INTEROP_APACHE," \
    "python-multipart at $CUMULUS_INTEROP_MULTIPART, moto at $CUMULUS_INTEROP_S3, authlib at $CUMULUS_INTEROP_OAUTH," \
    "http-message-signatures at $CUMULUS_INTEROP_SIGNATURES"

case "${1-}" in '' | --skip-build) set -- swift test "$@" --filter "InteropTests|^RegistryTests" ;; esac
"$@" && status=0 || status=$?
exit "$status"
