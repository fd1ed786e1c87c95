// SPDX-License-Identifier: Apache-2.0

/// Matches the elements of one array with those of another.
enum JSONAlignment {
    /// One step from the old array to the new one, in order.
    enum Step: Equatable {
        /// The element is unchanged.
        case keep(from: Int, to: Int)
        /// The element changes.
        case change(from: Int, to: Int)
        case remove(from: Int)
        case insert(to: Int)
    }

    /// Comparing takes time proportional to the product of both lengths: beyond this, elements are paired by position.
    private static let largestProduct = 250_000

    static func steps(from old: [JSON], to new: [JSON]) -> [Step] {
        let most = min(old.count, new.count)
        var start = 0
        while start < most, old[start] == new[start] { start += 1 }
        var end = 0
        while end < most - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        let (olds, news) = (start..<old.count - end, start..<new.count - end)
        var steps = (0..<start).map { Step.keep(from: $0, to: $0) }
        let (product, overflows) = olds.count.multipliedReportingOverflow(by: news.count)
        let isSmall = !overflows && product <= largestProduct
        steps += olds.count == news.count || !isSmall ? paired(olds, news) : compared(old, new, olds, news)
        steps += (0..<end).reversed().map { .keep(from: old.count - 1 - $0, to: new.count - 1 - $0) }
        return steps
    }

    /// Pairs elements by position; the rest are inserted or removed.
    private static func paired(_ olds: Range<Int>, _ news: Range<Int>) -> [Step] {
        let common = min(olds.count, news.count)
        return zip(olds, news).map { .change(from: $0, to: $1) }
            + olds.dropFirst(common).map { .remove(from: $0) } + news.dropFirst(common).map { .insert(to: $0) }
    }

    /// Keeps as many elements as possible; equal numbers of new and old elements in between are changes.
    private static func compared(
        _ old: [JSON],
        _ new: [JSON],
        _ olds: Range<Int>,
        _ news: Range<Int>
    ) -> [Step] {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new[news].difference(from: old[olds]) {
            switch change {
            case .remove(let offset, _, _): removed.insert(olds.lowerBound + offset)
            case .insert(let offset, _, _): inserted.insert(news.lowerBound + offset)
            }
        }
        var steps: [Step] = []
        var (from, to) = (olds.lowerBound, news.lowerBound)
        while from < olds.upperBound || to < news.upperBound {
            let (firstOld, firstNew) = (from, to)
            while from < olds.upperBound, removed.contains(from) { from += 1 }
            while to < news.upperBound, inserted.contains(to) { to += 1 }
            steps += paired(firstOld..<from, firstNew..<to)
            if from < olds.upperBound, to < news.upperBound {
                steps.append(.keep(from: from, to: to))
                from += 1
                to += 1
            }
        }
        return steps
    }
}
