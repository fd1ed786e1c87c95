// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusURLSession

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The servers that `Scripts/interop.sh` has started.
enum InteropServers {
    /// The URL of httpbin.
    static let httpbin = variable("CUMULUS_INTEROP_HTTPBIN")
    /// The URL of nginx.
    static let nginx = variable("CUMULUS_INTEROP_NGINX")

    /// The URL of Apache, which has WebDAV below `dav/`.
    static let apache = variable("CUMULUS_INTEROP_APACHE")

    /// The URL of the server that reads with python-multipart.
    static let multipart = variable("CUMULUS_INTEROP_MULTIPART")

    /// Why a suite doesn't run without them.
    static let reason = "needs Scripts/interop.sh, which starts the servers and names them in the environment"

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// A transport that the interop tests run over.
enum InteropTransport: String, CaseIterable, Sendable {
    case nio
    case urlSession

    private static let nioTransport = NIOTransport()
    private static let urlSessionTransport = URLSessionTransport()

    /// A resource at a server's URL.
    func resource(_ url: String?) throws -> Resource {
        struct Missing: Error {}
        guard let url else { throw Missing() }
        return Resource(url, transport: transport)
    }

    private var transport: any Transport {
        switch self {
        case .nio: Self.nioTransport
        case .urlSession: Self.urlSessionTransport
        }
    }
}
