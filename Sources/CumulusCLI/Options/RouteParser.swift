// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusPrimitives

/// Determines addresses and client certificates: `--cert`, `--pin`, `--unix-socket`, `--resolve`.
struct RouteParser {
    private typealias TLS = NIOTransport.Configuration.TLS

    private let options: Arguments
    private let readFile: FileReader

    init(_ options: Arguments, readFile: FileReader) {
        self.options = options
        self.readFile = readFile
    }

    /// The transport's configuration for a URL at an origin, except for the trusted authorities.
    func route(to origin: Origin) throws(UsageMistake) -> NIOTransport.Configuration {
        var route = NIOTransport.Configuration()
        if options.unixSocket?.isEmpty == true {
            throw UsageMistake("--unix-socket is empty", hint: "--unix-socket /run/docker.sock")
        }
        route.unixSocketPath = options.unixSocket
        route.tls.minimumVersion = options.tlsMin == "1.3" ? .tls13 : .tls12
        route.addressFamily = options.ipv4 ? .ipv4 : options.ipv6 ? .ipv6 : .any
        for text in options.resolve { try addAddresses(text, to: &route) }
        for text in options.pin { try addPin(text, to: &route.tls) }
        // Only for the URL's own origin.
        if let identity = try identity() { route.tls.identities[origin] = identity }
        return route
    }

    private func addAddresses(_ text: String, to route: inout NIOTransport.Configuration) throws(UsageMistake) {
        guard let (name, list) = text.split(at: ":"), !name.isEmpty else {
            throw UsageMistake("--resolve has no host: \(quoted(text))", hint: "--resolve api.example.com:127.0.0.1")
        }
        let host = name.lowercased()
        let (port, rest) = try RouteParser.port(in: list)
        let addresses = rest.parts(at: ",").filter { !$0.isEmpty }.map(RouteParser.bare)
        if addresses.isEmpty {
            throw UsageMistake(
                "--resolve has no address for \(quoted(host))",
                hint: "--resolve \(host):127.0.0.1,::1"
            )
        }
        if let wrong = addresses.first(where: { IPAddress($0) == nil }) {
            throw UsageMistake(
                "\(quoted(wrong)) of --resolve is not an IP address",
                hint: "--resolve \(host):127.0.0.1 or, as with curl, \(host):443:127.0.0.1"
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
            throw UsageMistake("--pin is refused: \(error)", hint: "the error of a wrong pin names the server's key")
        }
    }

    private func identity() throws(UsageMistake) -> TLS.Identity? {
        guard let file = options.cert else {
            if options.certKey == nil { return nil }
            throw UsageMistake("--cert-key needs --cert", hint: "--cert FILE --cert-key FILE")
        }
        let chain = try bytes(of: file, for: "--cert")
        guard PEMText(chain).hasCertificate else {
            throw UsageMistake("the file \(quoted(file)) of --cert contains no PEM certificate", about: "--cert")
        }
        try PEMText(chain).refuseDamage(file, of: "--cert")
        guard let keyFile = options.certKey else {
            try check(key: chain, of: file, for: "--cert", hint: "--cert-key FILE names the file of the key")
            return TLS.Identity(certificateChain: chain, privateKey: chain)
        }
        let key = try bytes(of: keyFile, for: "--cert-key")
        try check(key: key, of: keyFile, for: "--cert-key", hint: nil)
        return TLS.Identity(certificateChain: chain, privateKey: key)
    }

    private func check(
        key: [UInt8],
        of file: String,
        for option: String,
        hint: String?
    ) throws(UsageMistake) {
        let text = PEMText(key)
        if text.hasEncryptedKey {
            throw UsageMistake(
                "the private key in the file \(quoted(file)) of \(option) is encrypted",
                hint: "openssl pkey -in FILE -out KEY writes it without its passphrase",
                about: option
            )
        }
        guard text.hasKey else {
            throw UsageMistake(
                "the file \(quoted(file)) of \(option) contains no PEM private key",
                hint: hint,
                about: option
            )
        }
        try text.refuseDamage(file, of: option)
    }

    private func bytes(of file: String, for option: String) throws(UsageMistake) -> [UInt8] {
        do {
            return try readFile.bytes(file, upTo: .certificates)
        } catch {
            throw UsageMistake("the file \(quoted(file)) of \(option) can't be read: \(error)", about: option)
        }
    }
}
