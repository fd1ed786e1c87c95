// SPDX-License-Identifier: Apache-2.0

extension CumulusError {
    /// What went wrong, in a few words for all codes: enough to choose what to tell a user.
    ///
    /// ``CumulusError/code`` says it exactly.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The request can't be made as it was written, or a hook of yours refused it; nothing was sent.
        case request
        /// The host can't be found or reached, or a proxy refused to lead there.
        case unreachable
        /// The connection ended too soon, or the transport failed.
        case connection
        /// A time limit passed.
        case timeout
        /// The server is not who it has to be: TLS failed, a redirect was unsafe, or its address is refused.
        case security
        /// A preflight's, authorizer's, interceptor's, validator's or post-processor's own failure.
        case hook
        /// The server answered that it won't: by its status, or in the body.
        case server
        /// The answer can't be used: no valid HTTP, too large, not what its digest or its type says.
        case content
        /// A file on this machine.
        case file
        /// The tree or the transport was closed.
        case shutdown
    }

    /// What went wrong, in a few words.
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
