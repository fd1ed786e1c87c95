// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO

extension CommandRun {
    private typealias TLS = NIOTransport.Configuration.TLS

    /// A plan whose client certificates' keys have their passphrases; each missing one is read from the terminal once.
    func unlocked(_ plan: Plan) throws -> Plan {
        guard !plan.isOffline, !plan.isCurl else { return plan }
        var plan = plan
        var typed: [[UInt8]: Secret<String>] = [:]
        for (origin, identity) in plan.route.tls.identities where identity.isLocked {
            let passphrase = try typed[identity.privateKey] ?? passphrase(of: identity, for: plan)
            typed[identity.privateKey] = passphrase
            plan.route.tls.identities[origin]?.passphrase = passphrase
        }
        return plan
    }

    private func passphrase(of identity: TLS.Identity, for plan: Plan) throws -> Secret<String> {
        guard let text = try console.askPassword("cumulus: passphrase of the client certificate's key: ") else {
            throw plan.arguments.lockedKey
        }
        guard PKCS12File(identity) != nil || RouteParser.isUsable(Secret(text)) else {
            throw UsageMistake("the passphrase is too long, or contains a character that is not ASCII")
        }
        return Secret(text)
    }
}

extension Arguments {
    /// The mistake of a client certificate's key that needs a passphrase, without a terminal to read it from.
    var lockedKey: UsageMistake {
        let option = self.certKey == nil ? "--cert" : "--cert-key"
        return UsageMistake(
            "the private key in the \(option) file \(quoted(self.certKey ?? self.cert ?? "")) is encrypted, and there is "
                + "no terminal to prompt for its passphrase",
            hint: "write --cert-pass env:NAME or --cert-pass @FILE",
            about: option
        )
    }
}

extension NIOTransport.Configuration.TLS.Identity {
    /// Whether its key is encrypted, and its passphrase is missing.
    var isLocked: Bool {
        passphrase == nil && (PKCS12File(self)?.isLocked ?? PEMText(privateKey).hasEncryptedKey)
    }
}
