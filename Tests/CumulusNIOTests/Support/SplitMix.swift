// SPDX-License-Identifier: Apache-2.0

/// A small generator whose sequence is the same on every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Changes, removes, repeats or inserts a few bytes.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        let telling: [UInt8] = Array("\r\n\0 \t:;,0159afx+-".utf8)
        for _ in 0...(next() % 3) where !result.isEmpty {
            let place = Int(next() % UInt64(result.count))
            switch next() % 5 {
            case 0: result[place] = UInt8(truncatingIfNeeded: next())
            case 1: result.remove(at: place)
            case 2: result.insert(telling[Int(next() % UInt64(telling.count))], at: place)
            case 3: result.insert(contentsOf: result[place..<min(place + 9, result.count)], at: place)
            default: result[place] = telling[Int(next() % UInt64(telling.count))]
            }
        }
        return result
    }
}
