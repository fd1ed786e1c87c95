// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL

/// Tells a TLS handshake whose connection broke from one that failed.
enum HandshakeBreak {
    /// Whether an error is only the connection's end: a reset, or an end without an alert.
    ///
    /// A refused certificate, an alert, or bytes that are not TLS will be the same next time.
    static func isEnd(_ error: any Error) -> Bool {
        switch error {
        case is IOError: true
        case let error as ChannelError:
            switch error {
            case .eof, .inputClosed, .outputClosed, .ioOnClosedChannel, .alreadyClosed: true
            default: false
            }
        case let error as NIOSSLError:
            switch error {
            case .uncleanShutdown: true
            case .handshakeFailed(.sslError(let stack)): stack.contains(where: isEnd)
            case .handshakeFailed(.zeroReturn): true
            default: false
            }
        default: false
        }
    }

    private static func isEnd(_ error: BoringSSLInternalError) -> Bool {
        error == .eofDuringHandshake || error == .eofDuringAdditionalCertficiateChainValidation
    }
}
