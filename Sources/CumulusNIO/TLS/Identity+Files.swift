// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension NIOTransport.Configuration.TLS.Identity {
    /// Reads a certificate and its key from files in PEM.
    ///
    /// - Parameters:
    ///   - certificateFile: The certificate, followed by those that lead to its root.
    ///   - keyFile: The unencrypted private key; `nil` is the same file.
    /// - Throws: What the system says of a file that can't be read. What the files hold is looked at when the first TLS
    ///   connection is made.
    public init(certificateFile: some Locator, keyFile: (any Locator)? = nil) throws {
        let chain = try Data(contentsOf: URL(filePath: certificateFile.locatorText))
        let key = try keyFile.map { try Data(contentsOf: URL(filePath: $0.locatorText)) } ?? chain
        self.init(certificateChain: Array(chain), privateKey: Array(key))
    }
}
