// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusPrimitives

/// Determines addresses and TLS settings: `--cert`, `--pin`, `--tls-min`, `--ciphers`, `--unix-socket`, `--resolve`.
struct RouteParser {
    private typealias TLS = NIOTransport.Configuration.TLS

    private let options: Arguments
    private let surroundings: Surroundings

    init(_ options: Arguments, in surroundings: Surroundings) {
        self.options = options
        self.surroundings = surroundings
    }

    /// The transport's configuration for a URL at an origin, except for the trusted authorities.
    func route(to origin: Origin) throws(UsageMistake) -> NIOTransport.Configuration {
        var route = NIOTransport.Configuration()
        if options.unixSocket?.isEmpty == true {
            throw UsageMistake("--unix-socket is empty", hint: "for example --unix-socket /run/docker.sock")
        }
        route.unixSocketPath = options.unixSocket
        try setVersions(of: &route.tls)
        route.addressFamily = options.ipv4 ? .ipv4 : options.ipv6 ? .ipv6 : .any
        for text in options.resolve { try addAddresses(text, to: &route) }
        for text in options.pin { try addPin(text, to: &route.tls) }
        // Only for the URL's own origin.
        if let identity = try identity() { route.tls.identities[origin] = identity }
        return route
    }

    private func addAddresses(_ text: String, to route: inout NIOTransport.Configuration) throws(UsageMistake) {
        guard let (name, list) = text.split(at: ":"), !name.isEmpty else {
            throw UsageMistake(
                "--resolve has no host: \(quoted(text))",
                hint: "for example --resolve api.example.com:127.0.0.1"
            )
        }
        let host = name.lowercased()
        let (port, rest) = try RouteParser.port(in: list)
        let addresses = rest.parts(at: ",").filter { !$0.isEmpty }.map(RouteParser.bare)
        if addresses.isEmpty {
            throw UsageMistake(
                "--resolve has no address for \(quoted(host))",
                hint: "for example --resolve \(host):127.0.0.1,::1"
            )
        }
        if let wrong = addresses.first(where: { IPAddress($0) == nil }) {
            throw UsageMistake(
                "\(quoted(wrong)) in --resolve is not an IP address",
                hint: "for example --resolve \(host):127.0.0.1 or, as with curl, \(host):443:127.0.0.1"
            )
        }
        route.addresses[port.map { "\(host):\($0)" } ?? host, default: []] += addresses
    }

    /// The port before the addresses, as in curl, and the addresses.
    ///
    /// A part that may be an address is one: assigned addresses begin with 2 or 3, f, or a colon.
    private static func port(in list: String) throws(UsageMistake) -> (UInt16?, String) {
        guard let (number, rest) = list.split(at: ":"), !rest.isEmpty, let port = UInt16(number), port > 0 else {
            return (nil, list)
        }
        let first = list.parts(at: ",")[0]
        let isAddress =
            IPAddress(first) != nil && number.utf8.count == 4 && (0x2000...0x3FFF).contains(Int(number, radix: 16) ?? 0)
        return isAddress ? (nil, list) : (port, rest)
    }

    /// An address without the brackets around it.
    private static func bare(_ address: String) -> String {
        guard address.begins(with: "["), address.ends(with: "]") else { return address }
        return String(address.dropFirst().dropLast())
    }

    private func addPin(_ text: String, to tls: inout TLS) throws(UsageMistake) {
        do throws(TLS.PublicKeyPin.Malformation) {
            tls.pins["*", default: []].insert(try TLS.PublicKeyPin(text))
        } catch {
            throw UsageMistake(
                "--pin is not valid: \(error)",
                hint: "the error for a pin that doesn't match contains the server's key"
            )
        }
    }

    private func setVersions(of tls: inout TLS) throws(UsageMistake) {
        tls.minimumVersion = options.tlsMin == "1.3" ? .tls13 : .tls12
        tls.maximumVersion = options.tlsMax == "1.2" ? .tls12 : .tls13
        if options.tlsMin == "1.3", options.tlsMax == "1.2" {
            throw UsageMistake("--tls-min 1.3 is above --tls-max 1.2", about: "--tls-max")
        }
        guard let list = options.ciphers else { return }
        let names = list.utf8.split { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ",") || $0 == 0x20 }.map(\.text)
        if names.isEmpty { throw UsageMistake("--ciphers is empty", about: "--ciphers") }
        for name in names {
            guard let suite = TLSCipherSuite(named: name), suite.canBeOffered else {
                throw UsageMistake(
                    "\(quoted(name)) in --ciphers is not a known TLS 1.2 cipher suite",
                    hint: "use OpenSSL or IANA names, such as ECDHE-RSA-AES256-GCM-SHA384",
                    about: "--ciphers"
                )
            }
            if !tls.cipherSuites.contains(suite) { tls.cipherSuites.append(suite) }
        }
    }

    private func identity() throws(UsageMistake) -> TLS.Identity? {
        guard let file = options.cert else {
            if options.certKey == nil, options.certPass == nil { return nil }
            let option = options.certKey == nil ? "--cert-pass" : "--cert-key"
            throw UsageMistake("\(option) needs --cert", hint: "add --cert FILE")
        }
        let chain = try bytes(of: file, for: "--cert")
        if PKCS12File.isOne(chain) { return try identity(pkcs12: chain) }
        guard PEMText(chain).hasCertificate else {
            // A DER file begins with a sequence whose length has two or more bytes.
            let isBinary = chain.starts(with: [0x30, 0x82]) || chain.starts(with: [0x30, 0x83])
            throw UsageMistake(
                "the --cert file \(quoted(file)) contains no PEM certificate, and is not a PKCS#12 file",
                hint: isBinary ? "openssl x509 -inform der -in FILE -out client.pem converts a DER file" : nil,
                about: "--cert"
            )
        }
        try PEMText(chain).refuseDamage(file, of: "--cert")
        let passphrase = try passphrase()
        guard passphrase.map(RouteParser.isUsable) ?? true else {
            throw UsageMistake("the passphrase in --cert-pass is too long, or contains a character that is not ASCII")
        }
        guard let keyFile = options.certKey else {
            try check(key: chain, of: file, for: "--cert", hint: "write --cert-key FILE for a key in a separate file")
            return TLS.Identity(certificateChain: chain, privateKey: chain, passphrase: passphrase)
        }
        let key = try bytes(of: keyFile, for: "--cert-key")
        try check(key: key, of: keyFile, for: "--cert-key", hint: nil)
        return TLS.Identity(certificateChain: chain, privateKey: key, passphrase: passphrase)
    }

    private func passphrase() throws(UsageMistake) -> Secret<String>? {
        guard let word = options.certPass else { return nil }
        return try SecretWord(of: \.certPass, options, in: surroundings).secret(word)
    }

    private func identity(pkcs12 file: [UInt8]) throws(UsageMistake) -> TLS.Identity {
        if options.certKey != nil {
            throw UsageMistake(
                "--cert-key and a PKCS#12 file can't be combined: the file contains the key",
                hint: "omit --cert-key"
            )
        }
        return TLS.Identity(certificateChain: file, privateKey: file, passphrase: try passphrase())
    }

    /// Whether TLS accepts a text as the passphrase of a key in PEM.
    static func isUsable(_ passphrase: Secret<String>) -> Bool {
        passphrase.revealed.utf8.count < 1_024 && passphrase.revealed.utf8.allSatisfy { $0 < 0x80 }
    }

    private func check(
        key: [UInt8],
        of file: String,
        for option: String,
        hint: String?
    ) throws(UsageMistake) {
        let text = PEMText(key)
        guard text.hasKey else {
            throw UsageMistake(
                "the \(option) file \(quoted(file)) contains no PEM private key",
                hint: hint,
                about: option
            )
        }
        try text.refuseDamage(file, of: option)
    }

    private func bytes(of file: String, for option: String) throws(UsageMistake) -> [UInt8] {
        do {
            return try surroundings.readFile.bytes(file, upTo: .certificates)
        } catch {
            throw UsageMistake("the \(option) file \(quoted(file)) can't be read: \(error)", about: option)
        }
    }
}
