// SPDX-License-Identifier: Apache-2.0

/// Keys with their punctuation, `,"key":`, ready to be copied.
struct JSONKeyTexts: ~Copyable {
    /// All texts, one after the other.
    private var texts = JSONStack<UInt8>()
    /// The end of each text.
    private var ends = JSONStack<Int>()

    /// The number of keys.
    var count: Int { ends.count }

    /// The size of all texts in bytes.
    var size: Int { texts.count }

    /// Adds a key, whose number is the previous count.
    mutating func append(_ key: String) {
        texts.append(UInt8(ascii: ","))
        texts.append(quoting: key)
        texts.append(UInt8(ascii: ":"))
        ends.append(texts.count)
    }

    /// The text of a key; without the comma if it is the first of its object.
    @inline(__always)
    func text(_ number: Int, isFirst: Bool) -> UnsafeBufferPointer<UInt8> {
        let start = (number > 0 ? ends.base[number - 1] : 0) + (isFirst ? 1 : 0)
        return UnsafeBufferPointer(start: texts.base + start, count: ends.base[number] - start)
    }
}
