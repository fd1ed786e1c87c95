// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Synchronization

/// Two origins that do with each request what its call's plan says, and remember all that arrived.
final class FaultService: Sendable {
    /// A request as the server saw it.
    struct Arrival: Sendable {
        let method: HTTPRequest.Method
        let isAway: Bool
        let fault: FaultPlan.Fault
        /// The fields that only the call's own origin may see.
        let secrets: [String]
        let key: String?
        let hasBody: Bool
        let isRest: Bool
    }

    /// A call's part in it.
    private struct Entry {
        let plan: FaultPlan
        let cancel: @Sendable () -> Void
        let delay: @Sendable () -> Void
        var arrivals: [Arrival] = []
    }

    private static let secretNames: [HTTPField.Name] = [.authorization, .cookie, .proxyAuthorization]
    private let entries = Mutex<[Int: Entry]>([:])
    private let count = Mutex(0)
    /// The URLs of both origins, once their servers run.
    private let urls = Mutex<(home: String, other: String)>(("", ""))

    /// The next sequence's number, from 0; `nil` once `end` is reached.
    func nextNumber(below end: Int) -> Int? {
        count.withLock { count in
            guard count < end else { return nil }
            defer { count += 1 }
            return count
        }
    }

    func open(home: String, other: String) { urls.withLock { $0 = (home, other) } }

    /// Expects a call; `cancel` cancels it, and `delay` lets its deadline pass.
    func expect(
        _ plan: FaultPlan,
        cancel: @escaping @Sendable () -> Void,
        delay: @escaping @Sendable () -> Void
    ) {
        entries.withLock { $0[plan.number] = Entry(plan: plan, cancel: cancel, delay: delay) }
    }

    func arrivals(of plan: FaultPlan) -> [Arrival] { entries.withLock { $0[plan.number]?.arrivals ?? [] } }

    func routes(isAway: Bool) -> (inout Routes) -> Void {
        { routes in
            routes.get("/else") { _ in .text("else") }
            routes.on(nil, "/plain/:number") { [self] in try answer($0, isAway) }
            // It answers before it reads, so it can't keep the connection.
            routes.on(nil, "/asked/:number", body: .discarded) { [self] request in
                var answer = try answer(request, isAway)
                answer.closesConnection = true
                return answer
            }
        }
    }

    private func answer(_ request: ServerRequest, _ isAway: Bool) throws -> ServerResponse {
        let number = request.parameters["number"].flatMap { Int($0) } ?? -1
        let entry = entries.withLock { entries in
            entries[number].map { entry in
                let arrival = Arrival(
                    method: request.method,
                    isAway: isAway,
                    fault: entry.plan.fault(at: entry.arrivals.count),
                    secrets: Self.secretNames.filter { request.headers[$0] != nil }.map(\.canonicalName)
                        + (request.headers["X-Secret"] == nil ? [] : ["x-secret"]),
                    key: request.headers["Idempotency-Key"],
                    hasBody: !request.body.isEmpty,
                    isRest: request.headers[.range] != nil
                )
                entries[number]?.arrivals.append(arrival)
                return (plan: entry.plan, fault: arrival.fault, cancel: entry.cancel, delay: entry.delay)
            }
        }
        guard let entry else { return .text("nobody expects \(request.path)", status: .notFound) }
        if entry.fault == .cancelled { entry.cancel() }
        if entry.fault == .late { entry.delay() }
        return try answer(request, isAway, entry.plan, entry.fault)
    }

    private func answer(
        _ request: ServerRequest,
        _ isAway: Bool,
        _ plan: FaultPlan,
        _ fault: FaultPlan.Fault
    ) throws -> ServerResponse {
        switch fault {
        case .none: return whole(request, plan)
        case .farewell: return whole(request, plan).failing(.cut(at: plan.content.count))
        case .closed: throw ServerResponse.Abort.close
        case .reset: throw ServerResponse.Abort.reset
        case .closedInHead: return .raw("HTTP/1.1 200 OK\r\nContent-Le")
        case .cut: return whole(request, plan).failing(.cut(at: half(request, plan)))
        case .cutByReset: return whole(request, plan).failing(.reset(at: half(request, plan)))
        case .misdirected: return .text("not here", status: .misdirectedRequest)
        case .timedOut: return .text("too late", status: .requestTimeout)
        case .expectation: return .text("don't ask", status: .expectationFailed)
        case .failed: return .text("failed", status: .internalServerError)
        case .busy, .cancelled, .late: return ServerResponse(.serviceUnavailable, headers: [.retryAfter: "0"])
        case .busyForLong: return ServerResponse(.serviceUnavailable, headers: [.retryAfter: "100000"])
        case .near: return .redirect(to: plan.path, status: plan.redirectStatus)
        case .away:
            let other = urls.withLock { isAway ? $0.home : $0.other }
            return .redirect(to: other + plan.path, status: plan.redirectStatus)
        }
    }

    private func whole(_ request: ServerRequest, _ plan: FaultPlan) -> ServerResponse {
        let (status, headers, start) = part(request, plan)
        return ServerResponse(status, headers: headers, body: Array(plan.content[start...]))
    }

    /// How many bytes of the remaining content are sent: up to three quarters of the whole, but at least half.
    private func half(_ request: ServerRequest, _ plan: FaultPlan) -> Int {
        let start = part(request, plan).2
        return max(plan.content.count * 3 / 4, (start + plan.content.count) / 2) - start
    }

    private func part(_ request: ServerRequest, _ plan: FaultPlan) -> (HTTPResponse.Status, Headers, Int) {
        var headers: Headers = [.eTag: "\"v1\"", .acceptRanges: "bytes"]
        let range = request.headers[.range] ?? ""
        guard range.hasPrefix("bytes="), range.hasSuffix("-"), let start = Int(range.dropFirst(6).dropLast()),
            start < plan.content.count
        else { return (.ok, headers, 0) }
        headers[.contentRange] = "bytes \(start)-\(plan.content.count - 1)/\(plan.content.count)"
        return (.partialContent, headers, start)
    }
}
