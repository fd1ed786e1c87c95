// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization

/// A file on a server with ranges and a strong tag.
final class StubFile: Sendable {
    let bytes: [UInt8]
    private let breaks: Mutex<[Int]>
    private let headers: Headers
    private let refusesRanges: Bool

    /// - Parameters:
    ///   - count: The file's length.
    ///   - breaks: After how many bytes the bodies of the next responses are interrupted.
    ///   - headers: Fields of each response.
    ///   - refusesRanges: Whether it has changed whenever a range is requested.
    init(_ count: Int, breaks: [Int] = [], headers: Headers = [:], refusesRanges: Bool = false) {
        bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        self.breaks = Mutex(breaks)
        self.headers = headers
        self.refusesRanges = refusesRanges
    }

    var transport: StubTransport { StubTransport { [self] request in answer(request) } }

    func answer(_ request: StubRequest) -> StubResponse {
        var fields = headers
        fields[.eTag] = "\"v1\""
        fields[.acceptRanges] = "bytes"
        var rest = bytes[...]
        var status = HTTPResponse.Status.ok
        if let range = request.headers[.range], let start = Int(range.dropFirst(6).prefix { $0 != "-" }) {
            if refusesRanges { return .response(.preconditionFailed) }
            rest = bytes[start...]
            status = .partialContent
            fields[.contentRange] = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
        }
        fields[.contentLength] = "\(rest.count)"
        let breaksAt = breaks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        var steps: [StubResponse.Step] = [.chunk(Array(breaksAt.map { rest.prefix($0) } ?? rest))]
        if breaksAt != nil { steps.append(.fail(TransportFailure(.truncated, "it broke off", fate: .unknown))) }
        return .script(steps, status: status, headers: fields)
    }
}
