// SPDX-License-Identifier: Apache-2.0

/// The options of curl that `cumulus curl` understands.
enum CurlOption: CaseIterable {
    case method, header, data, dataRaw, dataBinary, dataURLEncoded, json, get, form, formString, upload
    case user, bearer, digest, basic, netrc, agent, referer, cookie, url
    case insecure, location, compressed, head, include, verbose, globOff, ignored
    case proxy, maxTime, maxRedirects, retry, http1, http2, http2Directly, tls12, tls13, tlsMax, ciphers
    case cert, certType, key, passphrase, authority, resolve, unixSocket, ipv4, ipv6
    /// An option that is refused, because `cumulus curl` can't reproduce its effect.
    case output, remoteName, configuration, next

    /// The spellings, with their dashes.
    var spellings: [String] {
        switch self {
        case .method: ["-X", "--request"]
        case .header: ["-H", "--header"]
        case .data: ["-d", "--data", "--data-ascii"]
        case .dataRaw: ["--data-raw"]
        case .dataBinary: ["--data-binary"]
        case .dataURLEncoded: ["--data-urlencode"]
        case .json: ["--json"]
        case .get: ["-G", "--get"]
        case .form: ["-F", "--form"]
        case .formString: ["--form-string"]
        case .upload: ["-T", "--upload-file"]
        case .user: ["-u", "--user"]
        case .bearer: ["--oauth2-bearer"]
        case .digest: ["--digest"]
        case .basic: ["--basic"]
        case .netrc: ["-n", "--netrc"]
        case .agent: ["-A", "--user-agent"]
        case .referer: ["-e", "--referer"]
        case .cookie: ["-b", "--cookie"]
        case .url: ["--url"]
        case .insecure: ["-k", "--insecure"]
        case .location: ["-L", "--location"]
        case .compressed: ["--compressed"]
        case .head: ["-I", "--head"]
        case .include: ["-i", "--include", "--show-headers"]
        case .verbose: ["-v", "--verbose"]
        case .globOff: ["-g", "--globoff"]
        case .ignored:
            [
                "-s", "--silent", "-S", "--show-error", "-f", "--fail", "--fail-with-body", "-#", "--progress-bar",
                "--no-progress-meter", "-N", "--no-buffer",
            ]
        case .proxy: ["-x", "--proxy"]
        case .maxTime: ["-m", "--max-time"]
        case .maxRedirects: ["--max-redirs"]
        case .retry: ["--retry"]
        case .http1: ["--http1.1"]
        case .http2: ["--http2"]
        case .http2Directly: ["--http2-prior-knowledge"]
        case .tls12: ["--tlsv1.2"]
        case .tls13: ["--tlsv1.3"]
        case .tlsMax: ["--tls-max"]
        case .ciphers: ["--ciphers"]
        case .cert: ["-E", "--cert"]
        case .certType: ["--cert-type"]
        case .key: ["--key"]
        case .passphrase: ["--pass"]
        case .authority: ["--cacert"]
        case .resolve: ["--resolve"]
        case .unixSocket: ["--unix-socket"]
        case .ipv4: ["-4", "--ipv4"]
        case .ipv6: ["-6", "--ipv6"]
        case .output: ["-o", "--output"]
        case .remoteName: ["-O", "--remote-name", "-J", "--remote-header-name"]
        case .configuration: ["-K", "--config"]
        case .next: ["--next", "-:"]
        }
    }

    /// Whether a value follows.
    var takesValue: Bool {
        switch self {
        case .method, .header, .data, .dataRaw, .dataBinary, .dataURLEncoded, .json, .form, .formString, .upload, .user,
            .bearer, .agent, .referer, .cookie, .url, .proxy, .maxTime, .maxRedirects, .retry, .cert, .certType, .key,
            .passphrase, .tlsMax, .ciphers, .authority, .resolve, .unixSocket, .output, .configuration:
            true
        case .get, .digest, .basic, .netrc, .insecure, .location, .compressed, .head, .include, .verbose, .globOff,
            .ignored, .http1, .http2, .http2Directly, .tls12, .tls13, .ipv4, .ipv6, .remoteName, .next:
            false
        }
    }

    /// The alternative to an option that is refused; `nil` if the option is supported.
    var refusal: String? {
        switch self {
        case .output: "> FILE writes the body to a file"
        case .remoteName: "cumulus download URL saves a file"
        case .configuration: "copy the options from that file"
        case .next: "send one request with each command"
        default: nil
        }
    }

    /// Finds the option with a spelling; `nil` if no option has it.
    init?(_ spelling: String) {
        guard let option = CurlOption.allCases.first(where: { $0.spellings.contains(spelling) }) else { return nil }
        self = option
    }
}
