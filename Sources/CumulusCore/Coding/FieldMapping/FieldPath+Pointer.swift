// SPDX-License-Identifier: Apache-2.0

extension FieldPath {
    /// Reads a path, or a JSON Pointer (RFC 6901) where the text begins with a slash: `meta.next`, `/meta/next`.
    ///
    /// A path that can't be read is taken as the name of one member.
    init(anywhere text: String) {
        guard text.begins(with: "/") else {
            self = (try? FieldPath(parsing: text)) ?? FieldPath(member: text)
            return
        }
        let names = text.parts(at: "/").dropFirst().map { FieldPath.unescaped($0.utf8) }
        self.init(names.map(Step.member), description: text)
    }

    /// A token of a pointer: `~1` stands for a slash, and `~0` for a tilde.
    private static func unescaped(_ token: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = token
        while let byte = rest.popFirst() {
            switch (byte, rest.first) {
            case (UInt8(ascii: "~"), UInt8(ascii: "1")):
                bytes.append(UInt8(ascii: "/"))
                rest = rest.dropFirst()
            case (UInt8(ascii: "~"), UInt8(ascii: "0")):
                bytes.append(byte)
                rest = rest.dropFirst()
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
