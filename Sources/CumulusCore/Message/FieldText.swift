// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// A part of a field's value that goes back to the server byte for byte: a realm, a nonce, an address.
///
/// Old servers send Latin-1, which isn't UTF-8: as a `String` it would lose its bytes.
package struct FieldText: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    package init(_ text: String) { bytes = Array(text.utf8) }

    /// For people; bytes that aren't UTF-8 become U+FFFD.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Each byte as one scalar (ISO 8859-1), so that no byte is lost.
    package var latin1: String { String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) })) }

    /// Creates a text from ``latin1``; scalars above U+00FF are omitted.
    package init(latin1: String) { bytes = latin1.unicodeScalars.compactMap { UInt8(exactly: $0.value) } }

    /// As an address, or a part of one: if it isn't UTF-8, its bytes outside of ASCII are percent-encoded as they are.
    package var address: String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var escaped: [UInt8] = []
        for byte in bytes { PercentEncoding.append(byte, to: &escaped) { $0 < 0x80 } }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension FieldText: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(value) }
}

extension HTTPField {
    /// The value with all its bytes.
    package var bytes: FieldText { withUnsafeBytesOfValue { FieldText($0) } }

    /// Creates a field whose value has these bytes.
    package init(name: HTTPField.Name, _ value: FieldText) { self.init(name: name, value: value.bytes) }
}

extension HTTPFields {
    /// The values of a field with all their bytes.
    package func texts(_ name: HTTPField.Name) -> [FieldText] { self[fields: name].map(\.bytes) }
}
