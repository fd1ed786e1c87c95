// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Sends a GET or HEAD once more if there is no response in time, and takes the response that arrives first.
struct Hedging: Sendable {
    /// How long to wait for a response before the request is sent again.
    let delay: Duration
    var clock: any RequestClock = SystemClock()

    private enum Event: Sendable {
        case late
        case responded(TransportResponse)
        case failed(any Error)
    }

    func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
        guard request.method == .get || request.method == .head else { return try await next(request) }
        return try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            group.addTask { await Hedging.send(request, next) }
            group.addTask {
                try? await clock.sleep(for: delay)
                return .late
            }
            var running = 1
            while let event = try await group.next() {
                switch event {
                case .late where Task.isCancelled: continue
                case .late:
                    running += 1
                    group.addTask { await Hedging.send(request, next) }
                case .responded(let response):
                    group.cancelAll()
                    // The other request ends now, too; if it has a response already, nobody reads it.
                    for try await case .responded(let other) in group { other.body.cancel() }
                    return response
                case .failed(let error):
                    running -= 1
                    if running == 0 { throw error }
                }
            }
            throw CancellationError()
        }
    }

    private static func send(_ request: EncodedRequest, _ next: InterceptorChain) async -> Event {
        do { return .responded(try await next(request)) } catch { return .failed(error) }
    }
}

/// Searches, of which late ones are sent once more.
func hedgedSearch(of site: Resource) -> Resource {
    // snippet.use
    let search = site["search"]
    search.setRules { $0.interceptors.append(Hedging(delay: .milliseconds(200)).intercept) }
    // snippet.end
    return search
}
