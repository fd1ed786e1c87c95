// SPDX-License-Identifier: Apache-2.0

/// The characters that XML and its names may have (XML 1.0, fifth edition, sections 2.2 and 2.3).
enum XMLName {
    static func isCharacter(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    static func canStart(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x3A, 0x5F, 0x41...0x5A, 0x61...0x7A: true
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
            0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    static func canContinue(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: canStart(scalar)
        }
    }

    static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, canStart(first.value) else { return false }
        return text.unicodeScalars.allSatisfy { canContinue($0.value) }
    }
}

/// A name that equals only what has the same bytes: strings that look alike are equal.
struct ExactName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: ExactName, other: ExactName) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
