// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Options for how the request travels.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Silence allowed (60), and time to connect (10); 0 is no limit.", valueName: "seconds")
    )
    var timeout: Double?

    @Option(
        name: .long,
        help: ArgumentHelp("What all of it may take, redirects and body too (no limit).", valueName: "seconds")
    )
    var maxTime: Double?

    @Option(name: .long, help: ArgumentHelp("Redirects that are followed (20).", valueName: "n"))
    var maxRedirects: Int?

    @Flag(name: .long, help: "Follow no redirect.")
    var noFollow = false

    @Option(name: .long, help: ArgumentHelp("Check certificates: yes, no, or by a CA file.", valueName: "yes|no|file"))
    var verify: String?

    @Option(name: .long, help: ArgumentHelp("Who you are to the server: a certificate in PEM.", valueName: "file"))
    var cert: String?

    @Option(name: .long, help: ArgumentHelp("The certificate's key, if it is in a file of its own.", valueName: "file"))
    var certKey: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A key that the server may have, sha256/BASE64; may be repeated.", valueName: "pin")
    )
    var pin: [String] = []

    @Option(name: .long, help: ArgumentHelp("Speak through a Unix domain socket.", valueName: "file"))
    var unixSocket: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Where a host is, whatever DNS says; may be repeated.", valueName: "host:address,...")
    )
    var resolve: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("A proxy to go through (http, https, socks5, socks4a), or none: ''.", valueName: "url")
    )
    var proxy: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Hosts that need no proxy, separated by commas; * is all.", valueName: "hosts")
    )
    var noproxy: String?

    @Option(name: .long, help: ArgumentHelp("Who you are to the proxy.", valueName: "user:password"))
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

    @Option(name: .long, help: ArgumentHelp("Version of HTTP: 1.1, 2, or the best of both.", valueName: "1.1|2|auto"))
    var httpVersion: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Retries of what may pass (0; downloads 2), 60 s apart, 10 min if asked.", valueName: "n")
    )
    var retry: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "No retry begins later than this, whatever is asked (0: no limit).",
            valueName: "seconds"
        )
    )
    var retryMaxTime: Double?

    @Flag(name: .long, help: "Retry POST and PATCH too, though they may have their effect twice.")
    var retryUnsafe = false

    @Flag(name: .long, help: "Give POST and PATCH an Idempotency-Key, which makes them safe to retry.")
    var idempotencyKey = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Send a late GET once more, and take the first answer.",
            valueName: "seconds"
        )
    )
    var hedge: Double?

    @Flag(name: .long, help: "Tell each attempt, and why it was retried or not.")
    var explain = false

    /// What a command line without them says; each option has to be named here, or reading it is an error.
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
        options.hedge = nil
        options.explain = false
        return options
    }
}
