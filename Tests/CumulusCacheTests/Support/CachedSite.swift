// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization
import TestSupport

@testable import CumulusCache
@testable import CumulusTesting

/// A site with a cache in memory, a stub for its server, and a clock that stands still at ``Stored/arrival``.
final class CachedSite: Sendable {
    let cache: ResponseCache
    let clock: ManualClock
    let transport: StubTransport
    let site: Resource

    /// - Parameters:
    ///   - cache: The cache; one in memory if it is `nil`.
    ///   - announces: Whether responses have a `Content-Length`, if their bodies are whole.
    ///   - rules: Further rules.
    ///   - answer: What the server answers.
    init(
        _ cache: ResponseCache? = nil,
        announces: Bool = true,
        rules: (inout Resource.Rules) -> Void = { _ in },
        answer: @escaping @Sendable (StubRequest) async throws -> StubResponse
    ) {
        let cache = cache ?? .memory(megabytes: 1, date: Stored.arrival)
        // However long it is since the cache was made, no time has passed for it.
        let clock = ManualClock(now: cache.engine.time.instant)
        self.cache = cache
        self.clock = clock
        transport = StubTransport { request in
            let given = try await answer(request)
            return announces && request.method == .get ? given.announced : given
        }
        site = Resource("https://a.example", transport: transport.watched) {
            $0.cache = cache
            $0.clock = clock
            $0.retry = .never
            // A field for `Vary` that is not part of the user's identity.
            $0.neutralHeaders = ["Foo"]
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

extension StubResponse {
    /// The same with a field whose value need not be UTF-8.
    func adding(_ field: HTTPField) -> StubResponse {
        guard case .head(var head, let steps, let trailers) = outcome else { return self }
        head.headerFields.append(field)
        var answer = self
        answer.outcome = .head(head, steps, trailers: trailers)
        return answer
    }

    /// The same with the length of its body in its head, if it has one that won't break off.
    fileprivate var announced: StubResponse {
        guard case .head(var head, let steps, let trailers) = outcome, head.status != .notModified,
            head.headerFields[.contentLength] == nil
        else { return self }
        var length = 0
        for step in steps {
            if case .fail = step { return self }
            if case .chunk(let bytes) = step { length += bytes.count }
        }
        head.headerFields[.contentLength] = "\(length)"
        var answer = self
        answer.outcome = .head(head, steps, trailers: trailers)
        return answer
    }
}
