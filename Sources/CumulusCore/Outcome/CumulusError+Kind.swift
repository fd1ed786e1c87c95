// SPDX-License-Identifier: Apache-2.0

extension CumulusError {
    /// The kind of failure, derived from the code: detailed enough to choose a message for a user.
    ///
    /// ``CumulusError/code`` is exact.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The request is invalid, or your own hook refused it; nothing was sent.
        case request
        /// The host can't be found or reached, or a proxy refused to connect to it.
        case unreachable
        /// The connection ended too early, or the transport failed.
        case connection
        /// A time limit passed.
        case timeout
        /// The server can't be trusted: TLS failed, a redirect was unsafe, or its address is refused.
        case security
        /// A preflight, authorizer, interceptor, validator or post-processor failed.
        case hook
        /// The server reported an error, by its status or in the body.
        case server
        /// The response can't be used: it is invalid HTTP, too large, or doesn't match its digest or its type.
        case content
        /// A file on this machine caused the failure.
        case file
        /// The tree or the transport was shut down.
        case shutdown
    }

    /// The kind of failure.
    public var kind: Kind {
        switch code {
        case .lookup, .connect, .proxy: .unreachable
        case .connectionClosed, .truncatedBody, .incomplete, .transport: .connection
        case .timeout: .timeout
        case .tls, .redirectRefused, .addressRefused: .security
        case .authorization, .interception, .validation, .postProcessing: .hook
        case .status, .service, .notModified, .tooManyRedirects, .conflict: .server
        case .malformedResponse, .headerTooLarge, .bodyTooLarge, .contentCoding, .decoding, .checksum, .remoteChanged,
            .paging:
            .content
        case .disk, .fileExists, .fileInUse: .file
        case .shutdown: .shutdown
        default: .request
        }
    }
}
