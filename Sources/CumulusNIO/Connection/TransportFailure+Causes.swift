// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension TransportFailure {
    /// The same failure, with a reason.
    func because(_ reason: Reason?) -> TransportFailure {
        var failure = self
        failure.reason = reason
        return failure
    }

    /// The transport accepts no more requests, or ends those that run.
    static func shutDown(_ fate: Fate = .unsent) -> TransportFailure {
        TransportFailure(.shutdown, "the transport has been shut down", fate: fate)
    }

    /// No connection was made, to the origin or to its proxy.
    static func connecting(to origin: Origin, by route: Route = .direct, _ error: any Error) -> TransportFailure {
        let place = route.proxy.map { "the proxy \($0)" } ?? "\(origin)"
        switch error {
        case let refusal as AddressRefusal: return .forbidden(refusal)
        case let error as NIOConnectionError:
            let refusals = error.connectionErrors.compactMap { $0.error as? AddressRefusal }
            // If other addresses were tried and failed, their failure is the reason.
            if refusals.count == error.connectionErrors.count, let failure = forbidden(refusals) { return failure }
            if let failed = error.connectionErrors.last {
                let all = error.connectionErrors.map { "\($0.target.hostAndPort ?? "?"): \(reason($0.error))" }
                let kind = isTimeout(failed.error) ? Kind.timeout(.connect) : .connect
                return TransportFailure(
                    kind,
                    "can't connect to \(place): \(all.joined(separator: "; "))",
                    cause: error
                )
            }
            let cause = error.dnsAError ?? error.dnsAAAAError ?? error
            return lookingUp(route.peer(for: origin), cause)
        case is NIOSSLExtraError, is NIOSSLError:
            return TransportFailure(.tls, "can't start TLS with \(origin): \(reason(error))", cause: error)
        default:
            let kind = isTimeout(error) ? Kind.timeout(.connect) : .connect
            return TransportFailure(kind, "can't connect to \(place): \(reason(error))", cause: error)
        }
    }

    /// No connection was made through a Unix domain socket.
    static func connecting(toSocket path: String, _ error: any Error) -> TransportFailure {
        let kind = isTimeout(error) ? Kind.timeout(.connect) : .connect
        let name = PeerText.printable(path, limit: 1_000)
        return TransportFailure(kind, "can't connect to the socket \"\(name)\": \(reason(error))", cause: error)
    }

    /// The proxy opened no tunnel.
    static func tunnelling(
        to origin: Origin,
        by proxy: Proxy,
        _ problem: TunnelProblem,
        cause: (any Error)?
    ) -> TransportFailure {
        let host = origin.host.has(":") ? "[\(origin.host)]" : origin.host
        let place = "\(host):\(origin.port)"
        guard let refusal = problem.refusal(by: proxy) else {
            let detail = cause.map { " (\(reason($0)))" } ?? ""
            let message = "the proxy \(proxy) did not open a tunnel to \(place): \(problem)\(detail)"
            return TransportFailure(.proxy, message, fate: .unsent, cause: problem)
        }
        let what =
            if case .refused(let status, _) = problem {
                status == 407 ? " with 407: \(refusal.explanation)" : " with \(status)"
            } else {
                ": \(refusal.explanation)"
            }
        let message = "the proxy \(proxy) refused the tunnel to \(place)\(what)"
        return TransportFailure(.proxy, message, fate: .unsent, cause: refusal)
    }

    /// The host has no address, or its configured addresses can't be used.
    static func lookingUp(_ origin: Origin, _ error: any Error) -> TransportFailure {
        TransportFailure(.lookup, "can't find the host \(origin.host): \(reason(error))", cause: error)
    }

    /// The response is invalid or missing; `proxy` is one that forwards requests, and responds for the server.
    static func response(
        _ error: HTTP1ProtocolError,
        by proxy: Proxy? = nil,
        fate: Fate,
        cause: (any Error)?
    ) -> TransportFailure {
        let kind: Kind =
            switch error {
            case .closedBeforeResponse, .closedByTLSPort, .truncatedHead: .connectionClosed
            case .truncatedBody: .truncated
            case .headTooLarge, .tooManyLines, .tooManyInformationalResponses, .informationalResponsesTooLarge:
                .headerTooLarge
            // Not even a faulty server's response, as a proxy would forward it.
            case .notHTTP where proxy != nil, .tlsRecord where proxy != nil: .proxy
            default: .malformedResponse
            }
        let description = proxy == nil ? error.description : error.proxyDescription
        let what = cause.map { "\(description) (\(reason($0)))" } ?? description
        let message = proxy.map { "through the proxy \($0): \(what)" } ?? what
        let failure = TransportFailure(kind, message, fate: fate, cause: cause ?? error)
        return error == .notHTTP && proxy == nil ? failure.because(.notHTTP1) : failure
    }

    private static func isTimeout(_ error: any Error) -> Bool {
        if case .connectTimeout? = error as? ChannelError { return true }
        return false
    }

    /// The system's text for an error of the system, and our own for errors of the libraries beneath, which quote their
    /// types and places in their source.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: return systemText(error.errnoCode)
        case let error as SocketAddressError:
            switch error {
            case .unknown: return "it has no known address"
            case .unixDomainSocketPathTooLong: return "the socket's path is too long"
            case .failedToParseIPString: return "an address can't be parsed"
            case .unsupported: return "addresses of this kind are not supported"
            }
        case let error as SocketAddressError.UnknownHost: return lookUpText(error.errorCode)
        case let error as HostLookup.UnknownHost: return lookUpText(Int(error.code))
        case let error as CustomResolver.Failure: return error.description
        case is NIOConnectionError: return "it has no known address"
        case let error as FamilyResolver.OtherFamily: return error.description
        case let error as ChannelError:
            switch error {
            case .connectTimeout(let limit): return "no response within \(limit.nanoseconds / 1_000_000) ms"
            case .connectPending, .operationUnsupported, .inappropriateOperationForState:
                return "the connection can't be used"
            default: return "the connection was closed"
            }
        case let error as AddressRefusal: return error.description
        case let error as GivenAddresses.Malformation: return error.description
        case let error as TLSContextCache.OtherHost: return error.description
        case let error as ClientCertificate.Problem: return error.description
        case let error as TLSContextCache.OtherSuite: return error.description
        case let error as TLSContextCache.UnexpectedKey: return error.description
        case is any NIOHTTP2Error: return NIOHTTP2Errors.reason(for: error) ?? "HTTP/2 rules were violated"
        default:
            // A system error without a number, or a program's own error: its type would be of no use to anyone.
            return NIOSSLError.reason(for: error) ?? "the reason is unknown"
        }
    }

    /// Why the system found no address (RFC 3493 section 6.1).
    private static func lookUpText(_ code: Int) -> String {
        switch CInt(truncatingIfNeeded: code) {
        case EAI_NONAME: "its name does not exist"
        case EAI_AGAIN: "the name server does not respond"
        case EAI_FAIL: "the name server failed"
        default: "it has no known address"
        }
    }

    private static func systemText(_ code: CInt) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress else { return "error \(code)" }
            return strerror_r(code, start, buffer.count) == 0 ? String(cString: start) : "error \(code)"
        }
    }
}
