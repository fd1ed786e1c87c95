// SPDX-License-Identifier: Apache-2.0

/// Normalization Form C of text that UTS 46 has mapped, which has no characters that compose by themselves.
struct HostNameComposition: Sendable {
    private static let shared = HostNameComposition()

    private static let hangul: (base: UInt32, l: UInt32, v: UInt32, t: UInt32) = (0xAC00, 0x1100, 0x1161, 0x11A7)

    private let parts: [UInt32: (UInt32, UInt32)]
    private let wholes: [UInt64: UInt32]

    private init() {
        var (parts, wholes): ([UInt32: (UInt32, UInt32)], [UInt64: UInt32]) = ([:], [:])
        let text = HostNameData.compositions
        HostNameTable.eachWord(of: text) { word in
            var place = word.lowerBound
            var numbers: [UInt32] = []
            while place < word.upperBound {
                numbers.append(HostNameTable.number(in: text, &place, end: word.upperBound))
                place += 1
            }
            guard numbers.count == 3 else { return }
            parts[numbers[0]] = (numbers[1], numbers[2])
            wholes[HostNameComposition.pair(numbers[1], numbers[2])] = numbers[0]
        }
        (self.parts, self.wholes) = (parts, wholes)
    }

    /// The text normalized (Unicode section 3.11).
    static func composed(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        if text.allSatisfy({ $0.value < 0x300 }) { return text }
        return shared.compose(ordered(shared.decompose(text)))
    }

    private static func pair(_ one: UInt32, _ other: UInt32) -> UInt64 { UInt64(one) << 32 | UInt64(other) }

    private static func rank(_ scalar: Unicode.Scalar) -> UInt8 { scalar.properties.canonicalCombiningClass.rawValue }

    private func decompose(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var output: [Unicode.Scalar] = []
        var waiting: [UInt32] = text.reversed().map(\.value)
        while let value = waiting.popLast() {
            let (base, l, v, t) = HostNameComposition.hangul
            if value >= base, value < base + 11_172 {
                let place = value - base
                let end = place % 28
                output += [l + place / 588, v + place % 588 / 28].compactMap { Unicode.Scalar($0) }
                if end > 0 { output += [t + end].compactMap { Unicode.Scalar($0) } }
            } else if let (first, second) = parts[value] {
                waiting += [second, first]
            } else if let scalar = Unicode.Scalar(value) {
                output.append(scalar)
            }
        }
        return output
    }

    /// The marks in the order of their combining classes, each after its base.
    private static func ordered(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var output: [Unicode.Scalar] = []
        var marks: [Unicode.Scalar] = []
        func flush() {
            let sorted = marks.enumerated().sorted {
                (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
            }
            output += sorted.map(\.element)
            marks = []
        }
        for scalar in text {
            if rank(scalar) == 0 {
                flush()
                output.append(scalar)
            } else {
                marks.append(scalar)
            }
        }
        flush()
        return output
    }

    private func compose(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var output: [Unicode.Scalar] = []
        var starter: Int?
        /// The combining class of the last character after the starter; `nil` if there is none.
        var last: UInt8?
        for scalar in text {
            let rank = HostNameComposition.rank(scalar)
            let isFree = last.map { $0 < rank && $0 != 0 } ?? true
            if let place = starter, isFree, let whole = whole(output[place], scalar) {
                output[place] = whole
                continue
            }
            if rank == 0 {
                starter = output.count
                last = nil
            } else {
                last = rank
            }
            output.append(scalar)
        }
        return output
    }

    private func whole(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Unicode.Scalar? {
        let (base, l, v, t) = HostNameComposition.hangul
        if one.value >= l, one.value < l + 19, other.value >= v, other.value < v + 21 {
            return Unicode.Scalar(base + ((one.value - l) * 21 + other.value - v) * 28)
        }
        let isPair = one.value >= base && one.value < base + 11_172 && (one.value - base) % 28 == 0
        if isPair, other.value > t, other.value < t + 28 { return Unicode.Scalar(one.value + other.value - t) }
        return wholes[HostNameComposition.pair(one.value, other.value)].flatMap { Unicode.Scalar($0) }
    }
}
