// SPDX-License-Identifier: Apache-2.0

/// HEIC and AVIF: boxes of ISO 14496-12, with the items and properties of ISO 23008-12.
extension ImageHead {
    /// A box: the position of its name, and its content.
    private struct Box {
        let name: Int
        let content: Range<Int>
    }

    /// The size of the primary item: that of `ispe`, unless a `clap` crops it.
    func primaryItem() -> Size? {
        guard let meta = box("meta", in: 0..<bytes.count), meta.count >= 4 else { return nil }
        let inner = meta.lowerBound + 4..<meta.upperBound
        guard let properties = box("iprp", in: inner), let container = box("ipco", in: properties) else { return nil }
        let all = boxes(in: container)
        let primary = box("pitm", in: inner).flatMap(primaryNumber)
        let own = box("ipma", in: properties).flatMap { table in primary.flatMap { places(of: $0, in: table) } }
        let chosen = own.map { $0.compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil } } ?? all
        var size: Size?
        for box in chosen where matches("ispe", at: box.name) && box.content.count >= 12 {
            guard let next = pair(big: true, at: box.content.lowerBound + 4, bytes: 4) else { return nil }
            // If it is unknown which is the primary item's, the largest counts: tiles and previews are smaller.
            if size.map({ next.width > $0.width || next.height > $0.height }) ?? true { size = next }
        }
        guard own != nil, let cut = chosen.first(where: { matches("clap", at: $0.name) }) else { return size }
        return clean(cut.content, within: size)
    }

    /// Width and height of a clean aperture, which are fractions.
    private func clean(_ content: Range<Int>, within size: Size?) -> Size? {
        guard let size, content.count >= 16, let width = pair(big: true, at: content.lowerBound, bytes: 4),
            let height = pair(big: true, at: content.lowerBound + 8, bytes: 4), width.height > 0, height.height > 0
        else { return nil }
        let cut = (width: width.width / width.height, height: height.width / height.height)
        return cut.width <= size.width && cut.height <= size.height ? cut : size
    }

    private func primaryNumber(_ content: Range<Int>) -> Int? {
        guard let version = number(big: true, at: content.lowerBound, bytes: 1) else { return nil }
        return number(big: true, at: content.lowerBound + 4, bytes: version == 0 ? 2 : 4)
    }

    /// The properties of an item, counted from 1.
    private func places(of item: Int, in content: Range<Int>) -> [Int]? {
        guard let version = number(big: true, at: content.lowerBound, bytes: 1),
            let flags = number(big: true, at: content.lowerBound + 3, bytes: 1),
            let count = number(big: true, at: content.lowerBound + 4, bytes: 4)
        else { return nil }
        let (itemSize, size) = (version == 0 ? 2 : 4, flags & 1 == 0 ? 1 : 2)
        var place = content.lowerBound + 8
        for _ in 0..<count {
            guard place < content.upperBound, let number = number(big: true, at: place, bytes: itemSize),
                let own = self.number(big: true, at: place + itemSize, bytes: 1)
            else { return nil }
            place += itemSize + 1
            if number == item {
                // The first bit means that a reader must know the property.
                return (0..<own).compactMap { self.number(big: true, at: place + $0 * size, bytes: size) }
                    .map { $0 & (size == 1 ? 0x7F : 0x7FFF) }
            }
            place += own * size
        }
        return nil
    }

    /// The content of the first box of a name.
    private func box(_ name: StaticString, in range: Range<Int>) -> Range<Int>? {
        boxes(in: range, until: name).last.flatMap { matches(name, at: $0.name) ? $0.content : nil }
    }

    /// The boxes up to one of a name, or up to the first that is damaged.
    private func boxes(in range: Range<Int>, until name: StaticString? = nil) -> [Box] {
        var found: [Box] = []
        var place = range.lowerBound
        while place + 8 <= range.upperBound, var length = number(big: true, at: place, bytes: 4) {
            var head = 8
            if length == 1 {
                guard let long = number(big: true, at: place + 8, bytes: 8) else { break }
                (length, head) = (long, 16)
            } else if length == 0 {
                length = range.upperBound - place
            }
            guard length >= head, length <= range.upperBound - place else { break }
            found.append(Box(name: place + 4, content: place + head..<place + length))
            if let name, matches(name, at: place + 4) { break }
            place += length
        }
        return found
    }
}
