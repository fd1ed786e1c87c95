// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO

/// Works out where connections go and who this client is to servers: `--cert`, `--pin`, `--unix-socket`, `--resolve`.
struct RouteParser {
    private typealias TLS = NIOTransport.Configuration.TLS

    private let options: ConnectionOptions
    private let readFile: FileReader

    init(_ options: ConnectionOptions, readFile: FileReader) {
        self.options = options
        self.readFile = readFile
    }

    /// The transport's settings for a request, apart from whom it trusts.
    func route(to target: Plan.Target) throws(UsageMistake) -> NIOTransport.Configuration {
        var route = NIOTransport.Configuration()
        route.unixSocketPath = options.unixSocket
        for text in options.resolve { try addAddresses(text, to: &route) }
        for text in options.pin { try addPin(text, to: &route.tls) }
        // For the URL's own origin only.
        if let identity = try identity() { route.tls.identities[target.origin] = identity }
        return route
    }

    private func addAddresses(_ text: String, to route: inout NIOTransport.Configuration) throws(UsageMistake) {
        guard let (name, list) = text.split(at: ":"), !name.isEmpty else {
            throw UsageMistake("--resolve names no host: \(quoted(text))", hint: "--resolve api.example.com:127.0.0.1")
        }
        let host = name.lowercased()
        let addresses = list.parts(at: ",").filter { !$0.isEmpty }
        if addresses.isEmpty {
            throw UsageMistake(
                "--resolve gives no address for \(quoted(host))",
                hint: "--resolve \(host):127.0.0.1,::1"
            )
        }
        route.addresses[host, default: []] += addresses
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
            throw UsageMistake("--cert-key names a key without its certificate", hint: "--cert FILE --cert-key FILE")
        }
        let chain = try bytes(of: file, for: "--cert")
        return TLS.Identity(
            certificateChain: chain,
            privateKey: try options.certKey.map { (name) throws(UsageMistake) in try bytes(of: name, for: "--cert-key")
            }
                ?? chain
        )
    }

    private func bytes(of file: String, for option: String) throws(UsageMistake) -> [UInt8] {
        do {
            return try readFile.bytes(file)
        } catch {
            throw UsageMistake("the file \(quoted(file)) of \(option) can't be read: \(error)")
        }
    }
}
