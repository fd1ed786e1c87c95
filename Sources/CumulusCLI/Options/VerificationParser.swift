// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Interprets `--verify`.
struct VerificationParser {
    private let options: Arguments
    private let surroundings: Surroundings

    init(_ options: Arguments, in surroundings: Surroundings) {
        self.options = options
        self.surroundings = surroundings
    }

    /// The given authorities, otherwise those of the environment, otherwise the system's.
    ///
    /// For a URL without TLS, the environment's authorities are not read.
    func verification(of origin: Origin) throws(UsageMistake) -> Plan.Verification {
        let word = options.verify ?? "yes"
        switch word.lowercased() {
        case "yes", "true":
            let roots = EnvironmentRoots(surroundings)
            if origin.scheme == .http, roots.areSet { return .environment }
            return try roots.pem().map { .authority(pem: $0) } ?? .system
        case "no", "false": return .none
        default: break
        }
        let pem: [UInt8]
        do {
            pem = try surroundings.readFile.bytes(word, upTo: .certificates)
        } catch {
            throw UsageMistake(
                "the --verify file \(quoted(word)) can't be read: \(error)",
                hint: "--verify=yes|no|FILE",
                about: "--verify"
            )
        }
        guard PEMText(pem).hasCertificate else {
            throw UsageMistake(
                "the --verify file \(quoted(word)) contains no PEM certificate",
                hint: "--verify=yes|no|FILE",
                about: "--verify"
            )
        }
        try PEMText(pem).refuseDamage(word, of: "--verify")
        return .authority(pem: pem)
    }
}
