// SPDX-License-Identifier: Apache-2.0

extension CumulusError {
    /// The code of a failure.
    ///
    /// New codes may be added, so a `switch` over them needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case invalidURL, invalidPath, invalidHeader, invalidRequest, refused, encoding, authorization
            case lookup, connect, addressRefused, proxy, tls, timeout, connectionClosed, truncatedBody,
                malformedResponse
            case headerTooLarge, bodyTooLarge, requestBody, tooManyRedirects, redirectRefused, status, validation,
                decoding
            case postProcessing, interception, service, unsupported, shutdown, transport, wouldDeadlock
            case fixture, notModified, contentCoding
            case checksum, remoteChanged, disk, fileExists, fileInUse, incomplete, paging, conflict
        }

        private let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// The code's name.
        public var description: String { kind.rawValue }

        /// The URL is invalid; the message quotes the invalid part.
        public static let invalidURL = Code(.invalidURL)
        /// A child's path was refused because it could lead outside its parent's path.
        public static let invalidPath = Code(.invalidPath)
        /// A header field's name or value can't be sent.
        public static let invalidHeader = Code(.invalidHeader)
        /// The request can't be written in the format of its protocol.
        public static let invalidRequest = Code(.invalidRequest)
        /// A preflight refused the request; nothing was sent.
        public static let refused = Code(.refused)
        /// The payload could not be encoded.
        public static let encoding = Code(.encoding)
        /// An authorizer failed.
        public static let authorization = Code(.authorization)
        /// An interceptor failed.
        public static let interception = Code(.interception)
        /// The host's name could not be resolved.
        public static let lookup = Code(.lookup)
        /// No connection could be established, or it broke during the TLS handshake.
        public static let connect = Code(.connect)
        /// ``Resource/Settings/allowedAddresses`` refuses the host's address; nothing was sent.
        ///
        /// The cause is a ``TransportFailure``, whose own cause is an ``AddressRefusal`` that contains the host, the
        /// address and the rule.
        public static let addressRefused = Code(.addressRefused)
        /// A proxy refused the request, or violated its protocol; the message names the proxy.
        ///
        /// The cause is a ``TransportFailure``; if the proxy refused the request, its own cause is a ``ProxyRefusal``.
        public static let proxy = Code(.proxy)
        /// The TLS handshake failed with a definite error, such as an alert, or the certificate was not trusted.
        ///
        /// The cause is a ``TransportFailure``, whose ``TransportFailure/reason`` a program can act on.
        public static let tls = Code(.tls)
        /// A time limit passed; see ``CumulusError/phase``.
        public static let timeout = Code(.timeout)
        /// The connection ended before a response arrived.
        public static let connectionClosed = Code(.connectionClosed)
        /// The response's body was cut short.
        public static let truncatedBody = Code(.truncatedBody)
        /// The peer's bytes are not valid HTTP.
        public static let malformedResponse = Code(.malformedResponse)
        /// The response's header exceeds the limits.
        public static let headerTooLarge = Code(.headerTooLarge)
        /// The response's body exceeds ``Resource/Settings/maxBodySize``.
        public static let bodyTooLarge = Code(.bodyTooLarge)
        /// The response's content coding can't be decoded: it is unknown, broken or cut short, or expands too much.
        public static let contentCoding = Code(.contentCoding)
        /// The request's body could not be produced, or could not be produced a second time.
        public static let requestBody = Code(.requestBody)
        /// There were more redirects than the policy allows, or a redirect loop.
        public static let tooManyRedirects = Code(.tooManyRedirects)
        /// A redirect would be unsafe to follow.
        public static let redirectRefused = Code(.redirectRefused)
        /// The response's status doesn't indicate success; the response is attached.
        public static let status = Code(.status)
        /// The service reported an error in the body, and an ``ErrorDecoder`` read it.
        ///
        /// The response is attached; ``CumulusError/serviceError(as:)`` returns it.
        public static let service = Code(.service)
        /// A validator refused the response; the response is attached.
        public static let validation = Code(.validation)
        /// The response's body could not be decoded; the response is attached.
        public static let decoding = Code(.decoding)
        /// A post-processor failed.
        public static let postProcessing = Code(.postProcessing)
        /// The transport doesn't support a feature that the request needs.
        public static let unsupported = Code(.unsupported)
        /// The transport has been shut down.
        public static let shutdown = Code(.shutdown)
        /// A blocking request would wait for itself, or a hook sends requests that run the same hook; nothing was sent.
        public static let wouldDeadlock = Code(.wouldDeadlock)
        /// Used by `CumulusTesting`: the request has no fixture and nothing may be sent, or its fixture can't be used.
        public static let fixture = Code(.fixture)
        /// The server sent 304 to a call that requests a value: the caller's copy is still valid.
        public static let notModified = Code(.notModified)
        /// The file doesn't match the server's digest or yours; no file was written at the destination.
        public static let checksum = Code(.checksum)
        /// The file on the server kept changing while it was downloaded.
        public static let remoteChanged = Code(.remoteChanged)
        /// A file can't be created, written or moved, for example because there is no space, a permission is missing,
        /// or the directory doesn't exist.
        ///
        /// The cause is a ``FileProblem``.
        public static let disk = Code(.disk)
        /// A file already exists at the destination; it was kept.
        public static let fileExists = Code(.fileExists)
        /// Another download, in this program or a different one, is writing the same file.
        public static let fileInUse = Code(.fileInUse)
        /// A download was interrupted, and the attempts to resume it failed.
        ///
        /// The cause is the error of the last attempt.
        ///
        /// With ``DownloadOptions/resume``, the received bytes are kept for a later call.
        public static let incomplete = Code(.incomplete)
        /// There may be more pages, but the last response has no link that can be requested; the cause is a
        /// ``PagingProblem``.
        public static let paging = Code(.paging)
        /// Another client changed the document before every attempt to write the change.
        ///
        /// The cause is an ``UpdateConflict``, and the response is the last refusal.
        public static let conflict = Code(.conflict)
        /// Something else failed in the transport.
        public static let transport = Code(.transport)

    }
}

extension CumulusError.Code: ErrorMatching {
    /// Whether an error is a ``CumulusError`` with the code.
    public func matches(_ error: any Error) -> Bool { (error as? CumulusError)?.code == self }

    /// Whether an error has the code.
    public static func ~= (code: CumulusError.Code, error: CumulusError) -> Bool { error.code == code }
}

/// A value that a `catch` clause compares with an error: `catch CumulusError.Code.timeout { ... }`.
///
/// It is a protocol because the compiler considers an operator of a single type for the patterns of all other types,
/// and would name the wrong type in the error for a mistyped pattern.
public protocol ErrorMatching {
    /// Whether the value describes the error.
    func matches(_ error: any Error) -> Bool
}

extension ErrorMatching {
    /// Whether the value describes the error.
    public static func ~= (value: Self, error: any Error) -> Bool { value.matches(error) }
}
