// SPDX-License-Identifier: Apache-2.0

/// A label of a host name that is not all ASCII, and the rules for it (UTS 46 section 4.1).
struct HostNameLabel {
    private static let nonJoiner: Unicode.Scalar = "\u{200C}"
    private static let joiner: Unicode.Scalar = "\u{200D}"

    private let scalars: [Unicode.Scalar]

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    /// Whether a character makes its whole name bidirectional.
    static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        let kind = direction(of: scalar)
        return kind == UInt8(ascii: "R") || kind == UInt8(ascii: "A")
    }

    private static func direction(of scalar: Unicode.Scalar) -> UInt8 { HostNameTable.directions.kind(of: scalar) }

    /// The label's problem, as the end of a sentence; `nil` if there is none.
    func problem(inBidirectionalName isBidirectional: Bool) -> String? {
        guard let first = scalars.first else { return nil }
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return "has a label that begins with a mark"
        default: break
        }
        for place in scalars.indices where scalars[place] == Self.joiner || scalars[place] == Self.nonJoiner {
            guard mayJoin(at: place) else { return "has a joiner where it is not allowed" }
        }
        if isBidirectional, !followsDirections { return "mixes text directions in one label" }
        return nil
    }

    /// RFC 5892 appendix A.1 and A.2: after a virama, or, for the non-joiner, between letters that would join.
    private func mayJoin(at place: Int) -> Bool {
        if place > 0, scalars[place - 1].properties.canonicalCombiningClass == .virama { return true }
        guard scalars[place] == Self.nonJoiner else { return false }
        let kinds = scalars.map { HostNameTable.joinings.kind(of: $0) }
        let transparent = UInt8(ascii: "T")
        let before = kinds[..<place].last { $0 != transparent }
        let behind = kinds[(place + 1)...].first { $0 != transparent }
        return (before == UInt8(ascii: "L") || before == UInt8(ascii: "D"))
            && (behind == UInt8(ascii: "R") || behind == UInt8(ascii: "D"))
    }

    /// RFC 5893 section 2.
    private var followsDirections: Bool {
        let kinds = scalars.map { Self.direction(of: $0) }
        let last = kinds.last { $0 != UInt8(ascii: "N") }
        switch kinds.first {
        case UInt8(ascii: "R"):
            let hasBoth = kinds.contains(UInt8(ascii: "A")) && kinds.contains(UInt8(ascii: "E"))
            let ends = last == UInt8(ascii: "R") || last == UInt8(ascii: "A") || last == UInt8(ascii: "E")
            return !hasBoth && ends && !kinds.contains(UInt8(ascii: "L"))
        case UInt8(ascii: "L"):
            let ends = last == UInt8(ascii: "L") || last == UInt8(ascii: "E")
            return ends && !kinds.contains(UInt8(ascii: "R")) && !kinds.contains(UInt8(ascii: "A"))
        default: return false
        }
    }
}
