// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for the connection.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Longest silence (60) and time to connect (10); 0 means no limit.", valueName: "seconds")
    )
    var timeout: Double?

    @Option(
        name: .long,
        help: ArgumentHelp("Limit for the whole call, redirects and body too (none).", valueName: "seconds")
    )
    var maxTime: Double?

    @Option(name: .long, help: ArgumentHelp("How many redirects to follow (20).", valueName: "n"))
    var maxRedirects: Int?

    @Flag(name: .long, help: "Follow no redirects.")
    var noFollow = false

    @Option(
        name: .long,
        help: ArgumentHelp("Check certificates: yes, no, or with a CA file.", valueName: "yes|no|file")
    )
    var verify: String?

    @Option(name: .long, help: ArgumentHelp("Client certificate, in PEM.", valueName: "file"))
    var cert: String?

    @Option(name: .long, help: ArgumentHelp("Its private key, if that is in another file.", valueName: "file"))
    var certKey: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A public key the server may have, sha256/BASE64; repeatable.", valueName: "pin")
    )
    var pin: [String] = []

    @Option(name: .long, help: ArgumentHelp("Oldest version of TLS that is allowed (1.2).", valueName: "1.2|1.3"))
    var tlsMin: String?

    @Flag(name: [.customShort("4"), .customLong("ipv4")], help: "Connect to IPv4 addresses only.")
    var ipv4 = false

    @Flag(name: [.customShort("6"), .customLong("ipv6")], help: "Connect to IPv6 addresses only.")
    var ipv6 = false

    @Option(name: .long, help: ArgumentHelp("Connect through a Unix domain socket.", valueName: "file"))
    var unixSocket: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Use this address instead of DNS; repeatable.", valueName: "host[:port]:address,...")
    )
    var resolve: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Use this proxy (http, https, socks5, socks4a); '' uses none.", valueName: "url")
    )
    var proxy: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Hosts that don't need the proxy, separated by commas; * is all hosts.", valueName: "hosts")
    )
    var noproxy: String?

    @Option(name: .long, help: ArgumentHelp("Credentials for the proxy.", valueName: "user:password"))
    var proxyUser: String?

    @Flag(
        name: .long,
        help: "Connect to public addresses only."
    )
    var publicOnly = false

    @Option(
        name: .long,
        help: ArgumentHelp("Exceptions to --public-only.", valueName: "hosts")
    )
    var allowAddress: [String] = []

    @Option(name: .long, help: ArgumentHelp("HTTP version: 1.1, 2, or auto.", valueName: "1.1|2|auto"))
    var httpVersion: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Retries of temporary failures (0; downloads 2), up to 60 s apart, 10 min if the server asks.",
            valueName: "n"
        )
    )
    var retry: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "No retry begins later than this, whatever the server asks (0: no limit).",
            valueName: "seconds"
        )
    )
    var retryMaxTime: Double?

    @Flag(name: .long, help: "Retry POST and PATCH too, although they may take effect twice.")
    var retryUnsafe = false

    @Flag(name: .long, help: "Give POST and PATCH an Idempotency-Key, which makes them safe to retry.")
    var idempotencyKey = false

    @Flag(name: .long, help: "Print each attempt, and why it was retried or not.")
    var explain = false

    /// The options of a command line that has none; each has to be listed here, or reading it is an error.
    static func none() -> ConnectionOptions {
        var options = ConnectionOptions()
        options.timeout = nil
        options.maxTime = nil
        options.maxRedirects = nil
        options.noFollow = false
        options.verify = nil
        options.cert = nil
        options.certKey = nil
        options.pin = []
        options.tlsMin = nil
        options.ipv4 = false
        options.ipv6 = false
        options.unixSocket = nil
        options.resolve = []
        options.proxy = nil
        options.noproxy = nil
        options.proxyUser = nil
        options.publicOnly = false
        options.allowAddress = []
        options.httpVersion = nil
        options.retry = nil
        options.retryMaxTime = nil
        options.retryUnsafe = false
        options.idempotencyKey = false
        options.explain = false
        return options
    }
}

extension ConnectionOptions {
    mutating func takeFlag(_ name: String) -> Bool {
        switch name {
        case "--no-follow": noFollow = true
        case "--ipv4", "-4": ipv4 = true
        case "--ipv6", "-6": ipv6 = true
        case "--public-only": publicOnly = true
        case "--retry-unsafe": retryUnsafe = true
        case "--idempotency-key": idempotencyKey = true
        case "--explain": explain = true
        default: return false
        }
        return true
    }

    mutating func takeOption(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--timeout": timeout.take(value)
        case "--max-time": maxTime.take(value)
        case "--max-redirects": maxRedirects.take(value)
        case "--verify": verify.take(value)
        case "--cert": cert.take(value)
        case "--cert-key": certKey.take(value)
        case "--pin": pin.take(value)
        case "--tls-min": tlsMin.take(value)
        case "--unix-socket": unixSocket.take(value)
        case "--resolve": resolve.take(value)
        case "--proxy": proxy.take(value)
        case "--noproxy": noproxy.take(value)
        case "--proxy-user": proxyUser.take(value)
        case "--allow-address": allowAddress.take(value)
        case "--http-version": httpVersion.take(value)
        case "--retry": retry.take(value)
        case "--retry-max-time": retryMaxTime.take(value)
        default: false
        }
    }
}
