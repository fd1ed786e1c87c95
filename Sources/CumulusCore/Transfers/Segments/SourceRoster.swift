// SPDX-License-Identifier: Apache-2.0

/// The sources of a file, the first one and its mirrors: decides which gets the next connection.
struct SourceRoster: Sendable {
    /// A source.
    struct Source: Sendable, Equatable {
        let origin: Origin
        fileprivate(set) var running = 0
        /// How often in a row it has failed.
        fileprivate(set) var failures = 0
        fileprivate(set) var isDropped = false
    }

    /// The number of consecutive failures after which a mirror is dropped.
    static let tolerance = 2

    private(set) var sources: [Source]
    private let perOrigin: Int

    /// Starts with sources without connections; one origin gets `perOrigin` at most.
    init(origins: [Origin], perOrigin: Int) {
        sources = origins.map { Source(origin: $0) }
        self.perOrigin = max(1, perOrigin)
    }

    /// The largest number of connections in total.
    var capacity: Int { Set(sources.filter { !$0.isDropped }.map(\.origin)).count * perOrigin }

    /// The source for another connection, the one with the fewest; `nil` if each origin has reached its limit.
    mutating func begin() -> Int? {
        let open = sources.indices.filter { index in
            !sources[index].isDropped && running(at: sources[index].origin) < perOrigin
        }
        // Of those with equally many, the one with the fewest failures, then the first.
        guard let index = open.min(by: { rank($0) < rank($1) }) else { return nil }
        sources[index].running += 1
        return index
    }

    /// A connection has ended.
    mutating func end(_ index: Int) { sources[index].running = max(0, sources[index].running - 1) }

    /// A connection has delivered bytes of the file.
    mutating func succeed(_ index: Int) { sources[index].failures = 0 }

    /// A connection has failed, perhaps because the source can't be used for this file at all.
    ///
    /// - Returns: Whether the source is dropped; the last remaining one never is.
    @discardableResult
    mutating func fail(_ index: Int, isFinal: Bool = false) -> Bool {
        sources[index].failures += 1
        let others = sources.indices.contains { $0 != index && !sources[$0].isDropped }
        guard others, isFinal || sources[index].failures >= SourceRoster.tolerance else { return false }
        sources[index].isDropped = true
        return true
    }

    private func running(at origin: Origin) -> Int {
        sources.reduce(0) { $0 + ($1.origin == origin ? $1.running : 0) }
    }

    private func rank(_ index: Int) -> (Int, Int, Int) { (sources[index].running, sources[index].failures, index) }
}
