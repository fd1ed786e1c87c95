// SPDX-License-Identifier: Apache-2.0

/// The table of options: one row for each option of all commands.
///
/// The name of a property is the option's, so that code reads `arguments.maxTime`. A new option is a row here and its
/// use. The table is in one file of its own although it is long, since it is read as a table.
// Rows of a table, with several columns on a line.
// swift-format-ignore
struct OptionTable: Sendable {
    static let all = OptionTable()
    /// The rows, in their order in help.
    static let rows: [OptionRow] = Mirror(reflecting: all).children.compactMap { $0.value as? OptionRow }

    // MARK: Options of one command

    let `continue` = Option(
        "continue", .flag, .own, "Continue an earlier download, or a shorter file.", .only([.download, .upload]),
        .help(.upload, "Continue an interrupted upload of the file."), .letter("c"), .notRepeated,
        .foreign(["-C", "--continue-at"], "write cumulus download -c URL")
    )
    let trustPart = Option(
        "trust-part", .flag, .own,
        "With -c, also continue another program's shorter file, if its last 64 KiB match the server's.",
        .only([.download])
    )
    let connections = Option(
        "connections", .integer(1...16), .own,
        "Connections per file, 1 to 16 (default: up to 6, added while they speed up the download).", .only([.download]),
        .letter("x"), .setting, .foreign(["--split", "--max-connection-per-server"], "write -x N"),
        .foreign(["--min-split-size", "--piece-length"], "segment sizes are automatic; -x N limits the connections")
    )
    let checksum = Option(
        "checksum", .text("alg:hex"), .own,
        "The file's expected digest: sha256:HEX, or md5, sha1, sha384, sha512, crc32, crc32c.",
        .only([.download]), .candidates(.values(["md5:", "sha1:", "sha256:", "sha384:", "sha512:"])),
        .example("for example --checksum sha256:9f86d0..."), .foreign(["--check-integrity"], "write --checksum sha256:HEX")
    )
    let remoteTime = Option(
        "remote-time", .flag, .own, "Set the file's time to the server's (Last-Modified).", .only([.download]),
        .setting,
        .foreign(["-R"], "write --remote-time")
    )
    let list = Option(
        "list", .text("list"), .own, "A file with one URL per line; - is standard input.", .only([.download]),
        .letter("i"), .candidates(.files), .foreign(["--input-file"], "write -i LIST")
    )
    let parallel = Option(
        "parallel", .integer(1...64), .own, "Files to download at once (4).", .only([.download]), .setting,
        .foreign(["-Z", "--max-concurrent-downloads"], "write --parallel N")
    )
    let method = Option(
        "method", .text("name"), .own, "The method (PUT).", .only([.upload]),
        .foreign(["-X", "--request"], "write --method POST"), .pieces(false)
    )
    let tus = Option(
        "tus", .flag, .own, "Send the file in pieces with tus 1.0, to the URL that creates uploads.", .only([.upload])
    )
    let abandon = Option(
        "abandon", .flag, .own, "Remove an interrupted upload of the file, and send nothing.", .only([.upload]),
        .notRepeated, .conflicts(["continue"])
    )
    let endpoint = Option(
        "endpoint", .text("url"), .own, "The store for s3://BUCKET/KEY (default: Amazon's in AWS_REGION).",
        .only([.upload]), .foreign(["--endpoint-url"], "write --endpoint URL"), .secret(.url)
    )
    let join = Option(
        "join", .flag, .own, "With --filter, print strings without line breaks between them.",
        .only([.request, .call, .events]), .help(.events, "Print strings without line breaks between them.")
    )
    let event = Option("event", .list("name"), .own, "Print only events of this type; repeatable.", .only([.events]))
    let until = Option(
        "until", .text("condition"), .own, "Send the request again until this is true: '.state == \"done\"'",
        .only([.request, .call, .events]), .example("for example --until '.state == \"done\"' or --until 'status == 200'"),
        .help(.events, "Stop at the event whose data is this text, which is not printed: '[DONE]'"),
        .conflicts(["watch", "pages", "offline", "curl"])
    )
    let every = Option(
        "every", .seconds, .own, "The pause between tries of --until (2 seconds; at least 10ms).",
        .only([.request, .call]), .example("for example --every 2s"), .foreign(["--wait", "--interval"], "write --every SECONDS")
    )
    let tries = Option(
        "tries", .integer(1...1_000_000), .own, "Exit with code 17 after this many tries of --until.",
        .only([.request, .call])
    )
    let watch = Option(
        "watch", .seconds, .own, "Send the request again after this pause (at least 10ms), until Ctrl-C.",
        .only([.request, .call]), .example("for example --watch 2s"), .conflicts(["pages", "offline", "curl"])
    )
    let lastEventId = Option(
        "last-event-id", .text("id"), .own, "Continue after the event with this ID.", .only([.events])
    )
    let heartbeat = Option(
        "heartbeat", .seconds, .own, "Reconnect after this much silence (no limit).", .only([.events]),
        .example("for example --heartbeat 45")
    )
    let reconnect = Option(
        "reconnect", .choice("how") as OptionType<EventsParser.Reconnecting?>, .own,
        "When to reconnect (auto); the values are listed below.", .only([.events])
    )
    let server = Option(
        "server", .text("name|url"), .own, "The service's server to use, by name or URL.",
        .only([.call]), .conflicts(["base"], "both choose the server")
    )
    let name = Option("name", .text("name"), .own, "The name of the imported service.", .only([.services]))
    let overwrite = Option(
        "overwrite", .flag, .own, "Replace a file that exists.", .only([.download, .services]),
        .help(.services, "Replace a service with this name."),
        .foreign(["--allow-overwrite"], "write --overwrite"),
        .foreign(["--no-clobber"], "a file is replaced only with --overwrite")
    )
    let by = Option(
        "by", .choice("how") as OptionType<EditParser.Method?>, .own,
        "Send the whole document (put), or only the members that differ.", .only([.edit])
    )
    let weakTag = Option(
        "weak-tag", .flag, .own, "Also send a weak entity tag, for services that compare them (OData).", .only([.edit])
    )
    let unguarded = Option(
        "unguarded", .flag, .own, "Also write a document without an entity tag; this may overwrite someone else's change.",
        .only([.edit])
    )
    let yes = Option(
        "yes", .flag, .own, "Write without a prompt.", .only([.edit, .trust]), .letter("y"),
        .help(.trust, "Trust the file without a prompt.")
    )
    let remove = Option("remove", .flag, .own, "Stop trusting the file.", .only([.trust]))
    let origin = Option("origin", .flag, .own, "Print the file and line of each setting.", .only([.config]))
    let issuer = Option(
        "issuer", .text("url"), .own, "The authorization server, if it publishes metadata (RFC 8414).", .only([.login]),
        .conflicts(["tokens"], "the issuer's metadata contains that address")
    )
    let share = Option(
        "share", .list("origin"), .own, "Another origin that the issuer's metadata may refer to; repeatable.",
        .only([.login])
    )
    let tokens = Option("tokens", .text("url"), .own, "The address that issues tokens.", .only([.login]))
    let authorization = Option(
        "authorization", .text("url"), .own, "The address where you sign in, for the code grant.", .only([.login])
    )
    let device = Option("device", .text("url"), .own, "The address that issues device codes.", .only([.login]))
    let revocation = Option("revocation", .text("url"), .own, "The address that revokes tokens.", .only([.login]))
    let client = Option(
        "client", .text("id"), .own, "The client's identifier.", .only([.login]),
        .foreign(["--client-id"], "write --client ID")
    )
    let secret = Option(
        "secret", .text("text"), .own, "The client's secret, or env:NAME or @FILE.", .only([.login]), .candidates(.secrets),
        .foreign(["--client-secret"], "write --secret env:NAME")
    )
    let secretInBody = Option(
        "secret-in-body", .flag, .own, "Send the secret in the body, for servers that don't accept it as Basic.",
        .only([.login])
    )
    let scope = Option("scope", .text("text"), .own, "The scope of the token.", .only([.login]))
    let grant = Option(
        "grant", .choice("grant") as OptionType<LoginPlan.Grant?>, .own,
        "code, device or client (default: client with --secret, otherwise code).", .only([.login])
    )
    let limitRate = Option(
        "limit-rate", .text("rate"), .own, "Limit the total rate of all files, in bytes per second: 500k, 2.5M.",
        .only([.download, .upload]), .setting, .curl(.option("--limit-rate")), .example("for example --limit-rate 500k"),
        .foreign(["--max-download-limit", "--max-overall-download-limit"], "write --limit-rate RATE")
    )
    let minimumRate = Option(
        "minimum-rate", .text("rate[:seconds]"), .own,
        "Give up below this rate in bytes per second, measured over 30 seconds or the time after a colon; 0 means never "
            + "(default: 1 for downloads).",
        .only([.download, .upload]), .setting, .example("for example --minimum-rate 1k:60"),
        .foreign(["-Y", "--speed-limit", "--lowest-speed-limit"], "write --minimum-rate RATE")
    )
    let rate = Option(
        "rate", .text("n/time"), .own, "Limit the rate of requests, evenly spaced: 2/s, 30/m, 1/10s.",
        .only([.download, .upload]), .setting, .example("for example --rate 2/s")
    )

    // MARK: Request

    let json = Option(
        "json", .flag, .request, "Send data as JSON (the default), and request JSON.", .letter("j"),
        .conflicts(["form", "multipart"], "a body has one format")
    )
    let form = Option(
        "form", .flag, .request, "Send data as a form (multipart with files).", .also([.events]), .letter("f"),
        .setting, .help(.events, "Send data as a form."), .relatives(["json", "multipart", "raw"]),
        .foreign(["-F"], "write a form as -f name=text name@FILE; redirects are followed unless --no-follow is set"),
        .foreign(["--form-string", "--data-urlencode"], "write a form as -f name=text"), .roles([.common])
    )
    let multipart = Option(
        "multipart", .flag, .request, "Send data as a multipart form, even without files.",
        .conflicts(["raw"], "both define the body")
    )
    let boundary = Option("boundary", .text("text"), .request, "The multipart delimiter (default: random).")
    let raw = Option(
        "raw", .text("text"), .request, "Send this text as the body.", .also([.events]),
        .example("write --raw TEXT, or --raw=-4 for text that begins with a dash; for a file, write @FILE")
    )
    let compressed = Option("compressed", .flag, .request, "Also accept Brotli and Zstandard.", .setting)
    let compress = Option(
        "compress", .count, .request, "Compress the body with gzip if that makes it smaller; twice, always.",
        .also([.upload]), .help(.upload, "Compress the file with gzip while it is sent."),
        .foreign(["-x"], "--compress compresses the body, --proxy URL uses a proxy, and -x N is for cumulus download"),
        .pieces(false)
    )
    let chunked = Option("chunked", .flag, .request, "Send the body in chunks, without its length.")
    let ignoreStdin = Option(
        "ignore-stdin", .flag, .request, "Do not read the body from standard input.", .also([.events]), .setting
    )
    let anyMethod = Option("any-method", .flag, .request, "Do not ask before sending a method that looks misspelled.")
    let base = Option(
        "base", .text("url"), .request, "Resolve URL as a path below this base URL (or CUMULUS_BASE).",
        .also([.download, .upload, .events, .edit, .services]), .help(.services, "The imported service's base URL."),
        .setting, .example("for example --base https://api.example.com/v1"),
        .notInHosts(
            "base determines the host, so it can't be set in [hosts]",
            hint: "set base in [defaults] or [profiles.NAME]"
        ), .roles([.directing, .summarized]), .secret(.url)
    )
    let pages = Option(
        "pages", .text("n|all"), .request, "Print the items of this many pages of a list.", .example("write --pages all"),
        .curl(.missing)
    )
    let paging = Option(
        "paging", .text("rule"), .request, "How the list is paged, such as 'cursor at=next query=after'."
    )
    let offline = Option(
        "offline", .flag, .request, "Print the request and send nothing.", .also([.upload]),
        .foreign(["--dry-run"], "write --offline"), .roles([.common]), .pieces(false)
    )
    let curl = Option(
        "curl", .flag, .request, "Print the request as a curl command and send nothing.", .also([.upload]),
        .foreign(["--curl-long"], "write --curl"), .pieces(false)
    )

    // MARK: Authorization

    let auth = Option(
        "auth", .text("user:pass"), .authorization,
        "Credentials, or a token or key; a secret may be env:NAME or @FILE.", .letter("a"), .setting,
        .relatives(["auth-type"]), .candidates(.secrets), .example("write -a USER:PASSWORD, or -A bearer -a TOKEN"),
        .foreign(["-u", "--user"], "write -a USER:PASSWORD"),
        .foreign(["--bearer", "--oauth2-bearer", "--token"], "write -A bearer -a TOKEN"),
        .foreign(
            ["--password", "--ask-password", "--http-user", "--http-password", "--http-passwd"],
            "-a USER prompts for the password; -a USER:env:NAME reads it from a variable"
        ),
        .roles([.common, .wellKnown, .summarized]), .secret(.credentials)
    )
    let authType = Option(
        "auth-type", .text("kind"), .authorization, "The kind of credentials: \(AuthorizationKind.names).",
        .letter("A"), .setting, .relatives(["auth"]), .candidates(.values(AuthorizationKind.allCases.map(\.rawValue))),
        .example("for example -A bearer -a TOKEN"), .foreign(["--basic", "--digest"], "write -A basic or -A digest"),
        .foreign(["--ntlm", "--negotiate", "--anyauth"], "write -A KIND: \(AuthorizationKind.names)"),
        .foreign(["--aws-sigv4"], "write -A aws4:REGION:SERVICE -a KEY:env:SECRET"), .roles([.wellKnown, .directing])
    )
    let netrc = Option(
        "netrc", .flag, .authorization, "Require the netrc file.", .setting, .replaces(["ignore-netrc"]),
        .conflicts(["ignore-netrc"]), .foreign(["-n"], "the netrc file is read automatically; --netrc requires it"),
        .foreign(["--netrc-file"], "set the variable NETRC to the file: NETRC=FILE cumulus URL"), .roles([.wellKnown])
    )
    let ignoreNetrc = Option(
        "ignore-netrc", .flag, .authorization, "Ignore the netrc file.", .setting, .replaces(["netrc"]),
        .conflicts(["netrc"])
    )
    let showSecrets = Option(
        "show-secrets", .flag, .authorization, "Print secrets in requests and heads.", .setting, .also([.curl]),
        .weakens(.whenTrue)
    )

    // MARK: Session

    let cookies = Option(
        "cookies", .text("file"), .session, "Send cookies from a file, and save those that responses set.", .setting,
        .candidates(.files), .example("for example --cookies cookies.txt"), .relatives(["session", "session-read-only"]),
        .conflicts(["session", "session-read-only"], "a session stores its own cookies"),
        .foreign(
            ["-b", "--cookie", "--cookie-jar", "--load-cookies", "--save-cookies", "--keep-session-cookies"],
            "write --cookies FILE, or Cookie:NAME=VALUE for a single cookie"
        ), .roles([.wellKnown, .summarized])
    )
    let cache = Option(
        "cache", .text("folder|off"), .session, "Store responses in a folder, and reuse them as HTTP allows.",
        .also([.cache]), .help(.cache, "The folder of the stored responses."), .candidates(.files),
        .example("for example --cache ~/.cache/cumulus"),
        .foreign(["--etag-save", "--etag-compare"], "--cache FOLDER stores responses with their entity tags")
    )
    let har = Option(
        "har", .text("file"), .session, "Record all exchanges in a HAR file, without secrets.", .candidates(.files),
        .example("for example --har session.har")
    )
    let session = Option(
        "session", .text("name|file"), .session, "Remember cookies, headers and credentials for this origin.", .setting,
        .relatives(["cookies", "session-read-only"]), .conflicts(["session-read-only"]),
        .example("--session work stores a session by name; --session ./work.json uses a file"),
        .foreign(["--session-file"], "write --session ./FILE"), .roles([.wellKnown, .summarized]),
        .candidates(.sessions)
    )
    let sessionReadOnly = Option(
        "session-read-only", .text("name|file"), .session, "Use a session without changing it.", .setting,
        .relatives(["cookies", "session"]), .example("for example --session-read-only work"), .candidates(.sessions)
    )
    let profile = Option(
        "profile", .text("name"), .session, "Use this profile of the configuration.", .also([.config]),
        .candidates(.profiles), .help(.config, "Include the settings of this profile."),
        .conflicts(["no-config"], "a profile is part of the configuration"), .roles([.wellKnown])
    )
    let noConfig = Option(
        "no-config", .flag, .session, "Do not read configuration files.",
        .foreign(["-K", "--config"], "put options for every request in config.toml; see cumulus help config"),
        .foreign(["--disable", "--no-default-options"], "write --no-config")
    )

    // MARK: Connection

    let timeout = Option(
        "timeout", .seconds, .connection, "Limits for silence (60) and for connecting (10); 0 means no limit.", .setting,
        .curl(.plan), .example("for example --timeout 10, 500ms or 2m; 0 means no limit"),
        .foreign(["--connect-timeout", "-y", "--speed-time"], "write --timeout SECONDS"),
        .roles([.common, .wellKnown])
    )
    let maxTime = Option(
        "max-time", .seconds, .connection, "Limit for the whole call, including redirects and body (none).", .setting,
        .curl(.option("--max-time")), .example("for example --max-time 60, 500ms or 2m; 0 means no limit")
    )
    let maxRedirects = Option(
        "max-redirects", .integer(0...1000), .connection, "How many redirects to follow (20).", .setting, .curl(.plan),
        .conflicts(["no-follow"]), .relatives(["no-follow"]),
        .foreign(["--max-redirs", "--max-redirect"], "write --max-redirects N")
    )
    let noFollow = Option(
        "no-follow", .flag, .connection, "Do not follow redirects.", .setting, .curl(.plan), .relatives(["max-redirects"]),
        .conflicts(["max-redirects"]),
        .foreign(
            ["-L", "--location", "-F", "--location-trusted"], "redirects are followed unless --no-follow is set"
        )
    )
    let verify = Option(
        "verify", .textOrBoolean("yes|no|file"), .connection, "Check certificates: yes, no, or with a CA file.", .setting,
        .curl(.plan), .candidates(.valuesAndFiles(["yes", "no"])), .example("write --verify=yes, --verify=no or --verify=FILE"),
        .foreign(["--cacert", "--capath", "--ca-certificate"], "write --verify FILE"),
        .foreign(
            ["-k", "--insecure", "--no-check-certificate", "--no-verify"],
            "write --verify=no, but only for your own test server"
        ), .roles([.common, .wellKnown, .perHost, .directing, .summarized]), .weakens(.whenNo)
    )
    let cert = Option(
        "cert", .text("file"), .connection, "Client certificate, in PEM or PKCS#12.", .setting, .curl(.plan),
        .candidates(.files), .relatives(["cert-key"]), .example("for example --cert client.pem"), .foreign(["-E"], "write --cert FILE"),
        .roles([.perHost, .summarized])
    )
    let certKey = Option(
        "cert-key", .text("file"), .connection, "The certificate's private key, if it is in a separate file.", .setting, .curl(.plan),
        .candidates(.files), .relatives(["cert"]), .foreign(["--key", "--private-key"], "write --cert-key FILE"),
        .roles([.perHost])
    )
    let certPass = Option(
        "cert-pass", .text("passphrase"), .connection, "The passphrase for the private key; may be env:NAME or @FILE.",
        .curl(.plan), .candidates(.secrets), .example("write --cert-pass env:NAME"),
        .foreign(["--pass", "--cert-key-pass"], "write --cert-pass env:NAME"), .secret(.whole)
    )
    let pin = Option(
        "pin", .list("pin"), .connection, "A public key to accept from the server: sha256/BASE64; repeatable.", .setting,
        .curl(.plan), .foreign(["--pinnedpubkey"], "write --pin sha256/BASE64"), .roles([.perHost])
    )
    let tlsMin = Option(
        "tls-min", .oneOf("1.2", "1.3"), .connection, "Oldest allowed TLS version (1.2).", .setting,
        .curl(.plan),
        .foreign(
            ["--ssl", "--tlsv1.2", "--tlsv1.3", "--secure-protocol"],
            "write --tls-min 1.2 or --tls-min 1.3; --tls-max sets the newest version"
        ), .roles([.perHost])
    )
    let tlsMax = Option(
        "tls-max", .oneOf("1.2", "1.3"), .connection, "Newest allowed TLS version (1.3).", .setting,
        .curl(.option("--tls-max")), .roles([.perHost])
    )
    let ciphers = Option(
        "ciphers", .text("suites"), .connection, "TLS 1.2 cipher suites to offer, separated by colons.", .setting,
        .curl(.option("--ciphers")), .example("for example --ciphers ECDHE-RSA-AES256-GCM-SHA384"),
        .foreign(["--tls13-ciphers"], "TLS 1.3 cipher suites can't be chosen; --ciphers is for TLS 1.2"),
        .roles([.perHost])
    )
    let ipv4 = Option(
        "ipv4", .flag, .connection, "Connect to IPv4 addresses only.", .letter("4"), .setting, .curl(.option("-4")),
        .conflicts(["ipv6"]), .relatives(["ipv6"]), .roles([.perHost])
    )
    let ipv6 = Option(
        "ipv6", .flag, .connection, "Connect to IPv6 addresses only.", .letter("6"), .setting, .curl(.option("-6")),
        .conflicts(["ipv4"]), .relatives(["ipv4"]), .roles([.perHost])
    )
    let unixSocket = Option(
        "unix-socket", .text("file"), .connection, "Connect through a Unix domain socket.", .setting,
        .curl(.option("--unix-socket")), .candidates(.files), .example("for example --unix-socket /run/docker.sock"),
        .foreign(["--abstract-unix-socket"], "write --unix-socket FILE"), .roles([.perHost, .directing, .summarized])
    )
    let resolve = Option(
        "resolve", .list("host[:port]:address,..."), .connection, "Use this address instead of DNS; repeatable.",
        .setting, .curl(.plan), .example("for example --resolve api.example.com:127.0.0.1"),
        .foreign(["--connect-to", "--doh-url", "--dns-servers"], "write --resolve HOST:ADDRESS"),
        .roles([.perHost, .directing, .summarized])
    )
    let proxy = Option(
        "proxy", .text("url"), .connection, "Use this proxy (http, https, socks5, socks4a); '' uses none.", .setting,
        .curl(.plan), .relatives(["proxy-user"]), .example("for example --proxy http://proxy.example:8080, or --proxy= for none"),
        .foreign(["--socks5", "--socks5-hostname", "--preproxy", "--all-proxy"], "write --proxy socks5://HOST:PORT"),
        .roles([.wellKnown, .directing, .summarized]), .secret(.proxy)
    )
    let noproxy = Option(
        "noproxy", .text("hosts"), .connection, "Hosts that don't need the proxy, separated by commas; * matches all hosts.",
        .setting, .curl(.option("--noproxy")), .foreign(["--no-proxy"], "write --noproxy HOSTS, or --proxy= for none")
    )
    let proxyUser = Option(
        "proxy-user", .text("user:password"), .connection, "Credentials for the proxy.", .setting, .curl(.plan),
        .relatives(["proxy"]), .foreign(["-U"], "write --proxy-user USER:PASSWORD, or the item User-Agent:TEXT"),
        .roles([.summarized]), .secret(.password)
    )
    let publicOnly = Option(
        "public-only", .flag, .connection, "Connect to public addresses only.", .setting, .curl(.missing),
        .roles([.summarized]), .weakens(.whenFalse)
    )
    let allowAddress = Option(
        "allow-address", .list("hosts"), .connection, "Exceptions to --public-only.", .setting, .curl(.missing),
        .roles([.summarized]), .weakens(.always)
    )
    let httpVersion = Option(
        "http-version", .oneOf("1.1", "2", "auto"), .connection, "HTTP version: 1.1, 2, or auto.", .setting, .curl(.plan),
        .foreign(["--http2", "--http2-prior-knowledge"], "write --http-version 2"),
        .foreign(["--http1.1", "--http1.0", "-0"], "write --http-version 1.1"),
        .foreign(["--http3", "--http3-only"], "this command supports HTTP/1.1 and HTTP/2")
    )
    let retry = Option(
        "retry", .integer(0...1000), .connection,
        "Retries of temporary failures (0; downloads 2), up to 60 s apart, 10 min if the server requests it.", .setting,
        .curl(.option("--retry")),
        .foreign(["-t", "--retry-all-errors", "--retry-connrefused", "--max-tries"], "write --retry N"),
        .foreign(
            ["--retry-delay", "--retry-wait", "--waitretry"],
            "the times between retries are chosen automatically; --retry-max-time limits them"
        ),
        .roles([.wellKnown])
    )
    let retryMaxTime = Option(
        "retry-max-time", .seconds, .connection,
        "Do not retry after this time, even if the server requests it (0: no limit).", .setting,
        .curl(.option("--retry-max-time"))
    )
    let retryUnsafe = Option(
        "retry-unsafe", .flag, .connection, "Also retry POST and PATCH, although they may take effect twice."
    )
    let idempotencyKey = Option(
        "idempotency-key", .flag, .connection,
        "Send POST and PATCH with an Idempotency-Key, which makes them safe to retry.", .setting
    )
    let explain = Option(
        "explain", .flag, .connection, "Print each attempt, and why it was retried or not.", .setting,
        .also([.curl]), .help(.curl, "Print this program's command for the request, and send nothing."),
        .foreign(["-v", "--verbose", "--trace", "--trace-ascii", "--debug"], "--explain prints each attempt")
    )

    // MARK: Output

    let headers = Option(
        "headers", .flag, .output, "Print only the response headers; -h alone prints help.", .letter("h"),
        .roles([.common])
    )
    let body = Option("body", .flag, .output, "Print only the response body.", .letter("b"), .roles([.common]))
    let meta = Option(
        "meta", .flag, .output, "Print only times and addresses; with --json, as JSON.", .also([.events]), .letter("m"),
        .help(.events, "Print each event as a JSON object with its type, ID and data.")
    )
    let verbose = Option(
        "verbose", .count, .output, "Also print the request and redirects; twice, also times.", .letter("v"),
        .foreign(["--trace", "--trace-ascii", "--trace-time", "--debug"], "write -v or -vv"), .roles([.common])
    )
    let all = Option(
        "all", .flag, .output, "Also print each redirect and retry, with its body.", .setting,
        .foreign(["-P", "--history-print"], "write --all")
    )
    let print = Option(
        "print", .text("HBhbm"), .output, "Parts to print: HB request, hb response, m times.", .letter("p"), .setting,
        .relatives(["headers", "body", "meta", "verbose"]),
        .example("-p hb prints the response's headers and body; --print= prints nothing"),
        .foreign(["-i", "--include", "--show-headers"], "write -p hb for headers and body; cumulus download -i LIST reads URLs from a file")
    )
    let headersTo = Option(
        "headers-to", .text("file"), .output, "Also write the response headers to a file.", .candidates(.files),
        .curl(.option("-D")),
        .example("for example --headers-to head.txt"), .foreign(["-D", "--dump-header"], "write --headers-to FILE")
    )
    let output = Option(
        "output", .text("file"), .output, "Write the response body to a file.", .also([.download]), .letter("o"),
        .help(.download, "The file, or a folder for it."), .candidates(.files), .example("write -o FILE"),
        .foreign(["--output-dir", "--dir", "--directory-prefix"], "write cumulus download -o FOLDER/ URL"),
        .roles([.common])
    )
    let pretty = Option(
        "pretty", .choice("how") as OptionType<OutputPlan.Pretty?>, .output, "How to format the output.", .setting,
        .example("write --pretty all, colors, format or none"),
        .foreign(
            ["--color", "--colour", "--colors", "--no-color", "--no-colour", "--no-colors"],
            "write --pretty none or --pretty colors; NO_COLOR=1 turns colors off"
        ),
        .foreign(["--format-options"], "write --indent N or --sorted"),
        .foreign(["--unsorted"], "omit this option: members are sorted only with --sorted")
    )
    let indent = Option("indent", .integer(0...16), .output, "Spaces per level of JSON and XML (2).", .setting)
    let sorted = Option("sorted", .flag, .output, "Sort the members of JSON objects by name.", .setting)
    let style = Option(
        "style", .choice("name") as OptionType<ColorStyle?>, .output,
        "Colors: theme (the terminal's), dark, light, mono.", .setting
    )
    let noPager = Option("no-pager", .flag, .output, "Never use a pager for long output.", .setting)
    let `as` = Option(
        "as", .choice("form") as OptionType<TableFormat?>, .output,
        "Print a JSON response as json, jsonl (one value per line), yaml, csv or table.", .setting
    )
    let filter = Option(
        "filter", .text("path"), .output, "Print only these values of a JSON response: .items[].name", .also([.events]),
        .help(.events, "Print only these values of the data, which is JSON: .items[].name"),
        .example("for example --filter .items[0].name"), .foreign(["--query", "--jq"], "write --filter .items[].name"),
        .roles([.common])
    )
    let format = Option(
        "format", .text("text"), .output, "Print this after the response: '{status} {time_total}'", .letter("w"),
        .example("for example -w '{status} {time_total}'"), .foreign(["--write-out"], "write -w '{status}'")
    )
    let responseCharset = Option(
        "response-charset", .text("charset"), .output, "Read the body in this charset, instead of the response's."
    )
    let responseMime = Option(
        "response-mime", .text("type"), .output, "Treat the body as this media type, instead of the response's."
    )
    let quiet = Option(
        "quiet", .count, .output, "Print only errors and warnings; twice, nothing.", .also([.download, .events, .edit]),
        .letter("q"), .help(.download, "Print no progress or summary; twice, print nothing."),
        .help(.events, "Do not report reconnections; twice, print nothing but events."),
        .help(.edit, "Print only errors and prompts."),
        .foreign(
            ["-s", "-S", "-sS", "--silent", "--show-error", "--no-progress-meter", "--no-verbose"],
            "omit this option: only downloads and uploads show their progress; -q hides the body too"
        ), .pieces(true)
    )

    // MARK: The command itself

    let version = Option(
        "version", .flag, .own, "Show the version.", .only([.request]), .foreign(["-V"], "write cumulus --version")
    )
    let explainExit = Option(
        "explain-exit", .text("n"), .own, "Explain an exit code.", .only([.request]), .example("for example --explain-exit 9")
    )
}
