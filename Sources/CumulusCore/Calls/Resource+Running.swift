// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The requests that are running on this resource and below it, oldest first.
    ///
    /// For a root, they are the requests of the whole tree. On a copy that ``with(fileID:line:_:)`` made, only requests
    /// made from that copy are included, so that users of one tree don't see each other's. A streamed response counts
    /// as running until its body has ended or been dropped. A stream of events also counts while it waits before its
    /// next connection.
    public var runningCalls: [ListedCall] {
        let covers = coverage
        return tree.context.callList.entries { covers($0.subject) }.compactMap { ListedCall($0.entry, $0.listing) }
    }

    /// Returns the running request with this number, on this resource or below it; `nil` if there is none.
    public func runningCall(_ id: CallID) -> ListedCall? { runningCalls.first { $0.id == id } }

    /// Cancels the ``runningCalls``: their callers receive `CancellationError`.
    ///
    /// Requests that start later are not affected.
    ///
    /// - Returns: The number of cancelled requests.
    @discardableResult
    public func cancelAll() -> Int {
        let (covers, callList) = (coverage, tree.context.callList)
        return callList.entries { covers($0.subject) }.count { callList.cancel($0.listing) }
    }

    /// Waits until there are no ``runningCalls``.
    public func waitUntilIdle() async { await tree.context.callList.idle(where: coverage) }

    /// Makes the whole tree refuse new requests, and waits for the running ones to end.
    ///
    /// Later requests fail with ``CumulusError/Code/shutdown``, and so do streams of events that wait before their next
    /// connection. The transport keeps running, since other trees may use it.
    ///
    /// - Parameter mode: Whether running requests may finish, or are cancelled. Default: they may finish.
    public func shutdown(_ mode: ShutdownMode = .graceful) async {
        let callList = tree.context.callList
        callList.close()
        // The next request of a stream that waits would be refused.
        let ended = callList.entries { mode == .immediate || $0.isWaiting }
        for (_, listing) in ended { callList.cancel(listing) }
        await callList.idle { _ in true }
    }

    /// How running requests are treated when a tree is shut down.
    public enum ShutdownMode: Sendable, Hashable {
        /// Running requests may finish.
        case graceful
        /// Running requests are cancelled.
        case immediate
    }

    /// Whether a request belongs to this resource's subtree.
    private var coverage: @Sendable (any RunningSubject) -> Bool {
        let covers = placeCoverage
        guard let copy = node.copy else { return { covers($0.origin, $0.path) } }
        return { request in covers(request.origin, request.path) && request.node?.isMade(from: copy) == true }
    }

    /// Whether a request at an origin and a path has its place at or below this one.
    var placeCoverage: @Sendable (Origin, String) -> Bool {
        if node.isRoot { return { _, _ in true } }
        guard let address = try? place.address.get() else { return { _, _ in false } }
        let (origin, path) = (address.origin, address.path)
        return { $0 == origin && $1.isPath(atOrBelow: path) }
    }
}

extension String {
    fileprivate func isPath(atOrBelow base: String) -> Bool {
        guard utf8.starts(with: base.utf8) else { return false }
        return base.utf8.last == UInt8(ascii: "/") || utf8.count == base.utf8.count
            || utf8.dropFirst(base.utf8.count).first == UInt8(ascii: "/")
    }
}
