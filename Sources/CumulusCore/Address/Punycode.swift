// SPDX-License-Identifier: Apache-2.0

/// The ASCII encoding of host names' labels (RFC 3492), without the `xn--` prefix.
enum Punycode {
    private static let base: UInt32 = 36
    private static let tMin: UInt32 = 1
    private static let tMax: UInt32 = 26
    /// More characters than a label can hold.
    private static let longest = 1_000

    /// The label in ASCII; `nil` for one that is too long.
    static func encode(_ label: [Unicode.Scalar]) -> String? {
        guard label.count <= longest else { return nil }
        var output = label.filter { $0.value < 0x80 }.map { UInt8(truncatingIfNeeded: $0.value) }
        let basic = UInt32(output.count)
        var handled = basic
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (next, delta, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
        while handled < label.count {
            guard let least = label.lazy.map(\.value).filter({ $0 >= next }).min() else { return nil }
            let (product, overflows) = (least - next).multipliedReportingOverflow(by: handled + 1)
            let (sum, isTooMuch) = delta.addingReportingOverflow(product)
            if overflows || isTooMuch { return nil }
            delta = sum
            next = least
            for scalar in label {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                write(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The label that an ASCII text encodes; `nil` if it is invalid.
    static func decode(_ text: String) -> [Unicode.Scalar]? {
        let bytes = Array(text.utf8)
        guard bytes.count <= longest, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let mark = bytes.lastIndex(of: UInt8(ascii: "-"))
        var output = mark.map { bytes[..<$0].map { Unicode.Scalar($0) } } ?? []
        var rest = bytes[(mark.map { $0 + 1 } ?? 0)...]
        var (next, place, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
        while !rest.isEmpty {
            let before = place
            var (weight, step): (UInt32, UInt32) = (1, base)
            while true {
                guard let byte = rest.popFirst(), let digit = value(of: byte) else { return nil }
                let (part, overflows) = digit.multipliedReportingOverflow(by: weight)
                let (sum, isTooMuch) = place.addingReportingOverflow(part)
                if overflows || isTooMuch { return nil }
                place = sum
                let threshold = threshold(step, bias)
                if digit < threshold { break }
                let (product, isTooHeavy) = weight.multipliedReportingOverflow(by: base - threshold)
                if isTooHeavy { return nil }
                weight = product
                step += base
            }
            let count = UInt32(output.count) + 1
            bias = adapted(place - before, count: count, isFirst: before == 0)
            let (value, overflows) = next.addingReportingOverflow(place / count)
            guard !overflows, let scalar = Unicode.Scalar(value), value >= 0x80 else { return nil }
            next = value
            place %= count
            output.insert(scalar, at: Int(place))
            place += 1
        }
        return output
    }

    private static func write(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var (rest, step) = (delta, base)
        while true {
            let threshold = threshold(step, bias)
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            step += base
        }
        output.append(digit(rest))
    }

    private static func threshold(_ step: UInt32, _ bias: UInt32) -> UInt32 {
        step <= bias + tMin ? tMin : min(step - bias, tMax)
    }

    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps: UInt32 = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            steps += base
        }
        return steps + (base - tMin + 1) * delta / (delta + 38)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 0x61
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 0x41
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30 + 26
        default: nil
        }
    }
}
