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
    /// The URL of the same nginx, on the port with HTTP/2 only.
    static let nginxHTTP2 = variable("CUMULUS_INTEROP_NGINX_HTTP2")

    /// The URL of a file that the same nginx sends with Brotli, if its module is installed.
    static let nginxBrotli = variable("CUMULUS_INTEROP_NGINX_BROTLI")

    /// The URL of Apache, which has WebDAV below `dav/`.
    static let apache = variable("CUMULUS_INTEROP_APACHE")

    /// The URL of the server that parses with python-multipart.
    static let multipart = variable("CUMULUS_INTEROP_MULTIPART")

    /// The URL of moto's S3, which verifies signatures.
    static let store = variable("CUMULUS_INTEROP_S3")
    /// A key with all permissions there, and its secret.
    static let storeKey = variable("CUMULUS_INTEROP_S3_KEY")
    static let storeSecret = variable("CUMULUS_INTEROP_S3_SECRET")

    /// The URLs at which tuspyserver and tussi create uploads, and the folder in which they have them.
    static let tuspyserver = variable("CUMULUS_INTEROP_TUSPYSERVER")
    static let tussi = variable("CUMULUS_INTEROP_TUSSI")
    static let uploads = variable("CUMULUS_INTEROP_UPLOADS")

    /// The interpreter for which botocore is installed.
    static let python = variable("CUMULUS_INTEROP_PYTHON")

    /// The URL of the server that verifies message signatures.
    static let signatures = variable("CUMULUS_INTEROP_SIGNATURES")

    /// The URL of Kinto, which has accounts.
    static let kinto = variable("CUMULUS_INTEROP_KINTO")
    /// The URL of a FastAPI application.
    static let fastAPI = variable("CUMULUS_INTEROP_FASTAPI")
    /// The URL of event streams by sse-starlette.
    static let events = variable("CUMULUS_INTEROP_EVENTS")
    /// The path of etcd.
    static let etcd = variable("CUMULUS_INTEROP_ETCD")
    /// The URL of a Docker registry with 25 repositories.
    static let catalog = variable("CUMULUS_INTEROP_CATALOG")
    /// A folder of OpenAPI documents from different authors.
    static let documents = variable("CUMULUS_INTEROP_DOCUMENTS")

    /// The URL of the OAuth 2 server with authlib, and of a service that accepts its tokens.
    static let oauth = variable("CUMULUS_INTEROP_OAUTH")

    /// The URL of Apache over TLS, as localhost.
    static let apacheTLS = variable("CUMULUS_INTEROP_APACHE_TLS")
    /// The URL of Apache that requires a client certificate.
    static let apacheMutual = variable("CUMULUS_INTEROP_APACHE_MUTUAL")
    /// The URL of nginx over TLS, as localhost.
    static let nginxTLS = variable("CUMULUS_INTEROP_NGINX_TLS")
    /// The URL of nginx with an expired certificate.
    static let nginxExpired = variable("CUMULUS_INTEROP_NGINX_EXPIRED")
    /// The URL of nginx that requires a client certificate.
    static let nginxMutual = variable("CUMULUS_INTEROP_NGINX_MUTUAL")
    /// The URLs of squid: open to all, for a user, and over TLS.
    static let squid = variable("CUMULUS_INTEROP_SQUID")
    static let squidUser = variable("CUMULUS_INTEROP_SQUID_USER")
    static let squidTLS = variable("CUMULUS_INTEROP_SQUID_TLS")
    /// One that stores what it may.
    static let squidCache = variable("CUMULUS_INTEROP_SQUID_CACHE")
    /// The URLs of tinyproxy and of microsocks, each for a user.
    static let tinyproxy = variable("CUMULUS_INTEROP_TINYPROXY")
    static let socks = variable("CUMULUS_INTEROP_SOCKS")

    /// The folder with the certificates.
    static let certificates = variable("CUMULUS_INTEROP_CERTIFICATES")

    /// The folder that names the servers of many makers, which `Interop/Servers/start.py` starts.
    static let trial = variable("CUMULUS_INTEROP_SERVERS")

    /// Why a suite doesn't run without them.
    static let reason = "needs Scripts/interop.sh, which starts the servers and names them in the environment"

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// A transport for the interop tests.
enum InteropTransport: String, CaseIterable, Sendable {
    case nio
    /// The same over HTTP/2, for the servers that support it.
    case http2
    case urlSession

    static let allCases = [nio, urlSession]
    static let withHTTP2 = [nio, http2, urlSession]

    private static let nioTransport = NIOTransport()
    private static let urlSessionTransport = URLSessionTransport()

    /// A resource at a server's URL.
    func resource(_ url: String?) throws -> Resource {
        struct Missing: Error {}
        guard let url = self == .http2 ? InteropServers.nginxHTTP2 : url else { throw Missing() }
        let resource = Resource(url, transport: transport)
        if self == .http2 { resource.setRules { $0.httpVersion = .http2 } }
        return resource
    }

    var transport: any Transport {
        switch self {
        case .nio, .http2: Self.nioTransport
        case .urlSession: Self.urlSessionTransport
        }
    }
}
