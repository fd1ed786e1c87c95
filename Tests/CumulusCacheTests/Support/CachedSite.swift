// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization

@testable import CumulusCache

/// A site with a cache in memory, a stub for its server, and a clock that stands still at ``Stored/arrival``.
final class CachedSite: Sendable {
    let cache: ResponseCache
    let clock: ManualClock
    let transport: StubTransport
    let site: Resource

    /// - Parameters:
    ///   - cache: The cache; one in memory if it is `nil`.
    ///   - rules: Further rules.
    ///   - answer: What the server answers.
    init(
        _ cache: ResponseCache? = nil,
        rules: (inout Resource.Rules) -> Void = { _ in },
        answer: @escaping @Sendable (StubRequest) async throws -> StubAnswer
    ) {
        let cache = cache ?? .memory(megabytes: 1, date: Stored.arrival)
        let clock = ManualClock()
        self.cache = cache
        self.clock = clock
        transport = StubTransport(answering: answer)
        site = Resource("https://a.example", transport: transport) {
            $0.cache = cache
            $0.clock = clock
            $0.retry = .never
            rules(&$0)
        }
    }

    /// A server that always says the same, with a body that counts.
    convenience init(
        _ headers: Headers,
        status: HTTPResponse.Status = .ok,
        _ cache: ResponseCache? = nil,
        rules: (inout Resource.Rules) -> Void = { _ in }
    ) {
        self.init(cache, rules: rules) { request in
            .response(status, headers: headers, body: Array("body \(request.number)".utf8))
        }
    }

    /// A server that confirms a tag, and else gives a body that counts.
    static func validating(_ headers: Headers, tag: String = "\"1\"", confirming: Headers? = nil) -> CachedSite {
        CachedSite { request in
            var headers = headers
            headers[.eTag] = tag
            if request.headers[.ifNoneMatch] == tag { return .response(.notModified, headers: confirming ?? headers) }
            return .response(headers: headers, body: Array("body \(request.number)".utf8))
        }
    }

    /// How many requests the server has seen.
    var count: Int { transport.requests.count }

    /// What a GET gives, and what the cache did for it.
    func get(_ headers: Headers = [:], _ path: String = "x") async throws -> (text: String?, note: String?) {
        let response = try await site[path: path].get(headers: headers)
        return (response.text, response.storeNote)
    }

    /// What a call gives, whose pauses are over at once.
    func value(of call: RunningCall<Response>) async throws -> Response {
        let isOver = Gate()
        let value = Task {
            defer { isOver.open() }
            return try await call.value
        }
        while !isOver.isOpen {
            clock.advanceToNextSleeper()
            await Task.yield()
        }
        return try await value.value
    }
}
