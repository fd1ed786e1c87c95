// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The parameters of a message signature (RFC 9421 section 2.3).
struct SignatureParameters {
    var components: [SignatureComponent]
    var created: Int64?
    var expires: Int64?
    var keyID: String?
    var algorithm: String?
    var nonce: String?
    var tag: String?

    /// The value of `@signature-params`, and of a member of `Signature-Input`.
    func text() throws -> String {
        var text = "(\(try components.map { try $0.identifier() }.joined(separator: " ")))"
        if let created { text += ";created=\(created)" }
        if let expires { text += ";expires=\(expires)" }
        let named = [("keyid", keyID), ("alg", algorithm), ("nonce", nonce), ("tag", tag)]
        for case (let name, let value?) in named { text += ";\(name)=\(try Self.quoted(value, name))" }
        return text
    }

    /// The signature base, which is signed (RFC 9421 section 2.5).
    func base(of message: SignedMessage) throws -> String {
        guard Set(components).count == components.count else {
            throw AuthorizationProblem("the signature lists a component twice")
        }
        var base = ""
        for component in components {
            base += "\(try component.identifier()): \(try message.value(of: component))\n"
        }
        return "\(base)\"@signature-params\": \(try text())"
    }

    /// A string of structured fields (RFC 9651 section 3.3.3).
    private static func quoted(_ text: String, _ name: String) throws -> String {
        guard text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw AuthorizationProblem("the signature's \(name) contains a character that is not allowed in a header")
        }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
