// SPDX-License-Identifier: Apache-2.0

/// One of Unicode's tables for host names: ranges of characters, each with a kind and optional numbers after it.
///
/// Read once, for the first host that is not ASCII.
struct HostNameTable: Sendable {
    /// The mapping of characters in UTS 46.
    static let mapping = HostNameTable(HostNameData.mapping)
    /// The directions of characters.
    static let directions = HostNameTable(HostNameData.directions)
    /// The joining types of characters.
    static let joinings = HostNameTable(HostNameData.joinings)

    private let text: StaticString
    private let starts: [UInt32]
    private let kinds: [UInt8]
    /// The positions of each kind's own words in the text.
    private let places: [Range<Int>]

    private init(_ text: StaticString) {
        self.text = text
        var (starts, kinds, places): ([UInt32], [UInt8], [Range<Int>]) = ([], [], [])
        var start: UInt32 = 0
        HostNameTable.eachWord(of: text) { word in
            var place = word.lowerBound
            let distance = HostNameTable.number(in: text, &place, end: word.upperBound)
            start &+= distance
            guard place < word.upperBound else { return }
            starts.append(start)
            kinds.append(text.utf8Start[place])
            places.append(place + 1..<word.upperBound)
        }
        (self.starts, self.kinds, self.places) = (starts, kinds, places)
    }

    /// The kind of a character.
    func kind(of scalar: Unicode.Scalar) -> UInt8 { kinds[index(of: scalar)] }

    /// The numbers after the kind of a character.
    func numbers(of scalar: Unicode.Scalar) -> [UInt32] {
        let range = places[index(of: scalar)]
        var numbers: [UInt32] = []
        var place = range.lowerBound
        while place < range.upperBound {
            numbers.append(HostNameTable.number(in: text, &place, end: range.upperBound))
            place += 1
        }
        return numbers
    }

    /// The last range that begins at or before a character; the first begins at zero.
    private func index(of scalar: Unicode.Scalar) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= scalar.value { low = middle } else { high = middle }
        }
        return low
    }

    /// Visits the words between blanks.
    static func eachWord(of text: StaticString, _ body: (Range<Int>) -> Void) {
        var start: Int?
        for place in 0...text.utf8CodeUnitCount {
            let isBlank = place == text.utf8CodeUnitCount || text.utf8Start[place] <= 0x20
            if isBlank, let first = start {
                body(first..<place)
                start = nil
            } else if !isBlank, start == nil {
                start = place
            }
        }
    }

    /// Reads a number in base 36, up to the first character that is not a digit.
    static func number(in text: StaticString, _ place: inout Int, end: Int) -> UInt32 {
        var value: UInt32 = 0
        while place < end {
            let byte = text.utf8Start[place]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value &* 36 &+ UInt32(byte - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = value &* 36 &+ UInt32(byte - 0x57)
            default: return value
            }
            place += 1
        }
        return value
    }
}
