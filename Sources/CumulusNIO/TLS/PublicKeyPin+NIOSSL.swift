// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOSSL

extension PublicKeyPin {
    /// The pin of a certificate's key; `nil` if the key can't be read.
    init?(_ certificate: NIOSSLCertificate) {
        guard let key = try? certificate.extractPublicKey().toSPKIBytes() else { return nil }
        self.init(publicKey: key)
    }
}
