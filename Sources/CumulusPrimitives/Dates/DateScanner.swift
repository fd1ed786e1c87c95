// SPDX-License-Identifier: Apache-2.0

/// Reads the parts of a date from its beginning on, by bytes.
struct DateScanner {
    private let bytes: [UInt8]
    private(set) var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { place == bytes.count }

    /// Begins again.
    mutating func restart() { place = 0 }

    /// A number of so many digits.
    mutating func number(_ digits: Int) -> Int? {
        guard bytes.count - place >= digits else { return nil }
        var number = 0
        for byte in bytes[place..<place + digits] {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            number = number * 10 + Int(byte &- UInt8(ascii: "0"))
        }
        place += digits
        return number
    }

    /// The place of the word that is next, among these.
    mutating func word(of words: [String]) -> Int? {
        guard let index = words.firstIndex(where: { stands($0) }) else { return nil }
        place += words[index].utf8.count
        return index
    }

    mutating func skip(_ text: String) -> Bool {
        guard stands(text) else { return false }
        place += text.utf8.count
        return true
    }

    /// Skips one of these characters.
    mutating func skip(oneOf characters: String) -> Bool {
        guard place < bytes.count, characters.utf8.contains(bytes[place]) else { return false }
        place += 1
        return true
    }

    /// Whether a text is next, in any letter case: caches read dates so (RFC 9111 section 4.2).
    private func stands(_ text: String) -> Bool {
        guard bytes.count - place >= text.utf8.count else { return false }
        var index = place
        for byte in text.utf8 {
            guard DateScanner.lowercased(bytes[index]) == DateScanner.lowercased(byte) else { return false }
            index += 1
        }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
