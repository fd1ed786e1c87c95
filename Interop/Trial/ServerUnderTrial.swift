// SPDX-License-Identifier: Apache-2.0

package import CumulusCore
package import CumulusNIO

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One of the servers that `Interop/Servers/start.py` has started, over one version of HTTP.
package struct ServerUnderTrial: Sendable, CustomStringConvertible {
    package let name: String
    package let version: HTTPVersion
    package let url: String
    /// After how many seconds it closes an unused connection; 0: not known, or too long to wait for.
    package let idleSeconds: Double
    /// The command that restarts it without losing what has begun; empty: there is none.
    package let restart: String
    /// A server of files: it sends a request's body back instead of counting it.
    package let echoesBodies: Bool
    /// A server that closes connections so that POSTs get lost, and counts those that arrive twice.
    package let closesConnections: Bool

    package var description: String { "\(name)/\(version == .http2 ? "2" : "1.1")" }

    /// Reads the table of servers, one a line: name, version, URL, seconds, `echo`, `count` or `close`, command, between tabs.
    package static func table(_ path: String) throws -> [ServerUnderTrial] {
        try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 6 else { return nil }
            return ServerUnderTrial(
                name: fields[0],
                version: fields[1] == "2" ? .http2 : .http1,
                url: fields[2],
                idleSeconds: Double(fields[3]) ?? 0,
                restart: fields[5],
                echoesBodies: fields[4] == "echo",
                closesConnections: fields[4] == "close"
            )
        }
    }

    /// A transport for this server alone, so that no other's connections are in its pool.
    ///
    /// - Parameter authority: The file of the certificate authority that the servers' certificate is from.
    /// - Returns: The transport, to be shut down at the end.
    package static func transport(trusting authority: String) -> NIOTransport {
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .files([authority])
        return NIOTransport(configuration: configuration)
    }
}
