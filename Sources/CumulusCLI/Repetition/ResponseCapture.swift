// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

/// The status and body of a response, which a condition examines.
final class ResponseCapture: Sendable {
    /// The error of a response that is too long to be examined.
    static let tooLong = unreadable("the response is longer than 64 MiB")

    private struct State {
        var status: Int?
        var type: MediaType?
        var bytes: [UInt8] = []
        var problem: JSONFilter.Unreadable?
    }

    private let state = Mutex(State())
    private let condition: ResponseCondition
    private let style: OutputPlan

    /// - Parameters:
    ///   - condition: The condition, which determines whether the body is examined.
    ///   - style: The output, which may name the type and charset of the body.
    init(for condition: ResponseCondition, _ style: OutputPlan) {
        self.condition = condition
        self.style = style
    }

    /// The status; `nil` if no response has arrived.
    var status: Int? { state.withLock(\.status) }
    /// The reason why the condition can't be true of such a response; `nil` if it can.
    var problem: JSONFilter.Unreadable? { state.withLock(\.problem) }

    /// The values of the response to compare; empty if they are missing.
    var values: [JSON] {
        let (status, type, bytes) = state.withLock { ($0.status, $0.type, $0.bytes) }
        return condition.values(status: status) {
            (try? style.inUTF8(bytes, of: type, for: "--until")).flatMap { try? JSON(parsing: $0) }
        }
    }

    private var needsBody: Bool { condition.subject != .status }

    /// Takes the response's status and media type.
    ///
    /// - Throws: `JSONFilter.Unreadable` for a body that is not one value.
    func take(_ head: ResponseHead) throws {
        let type = style.responseType ?? head.headers[.contentType].flatMap { MediaType($0) }
        let status = head.status.code
        let problem = needsBody && 200..<300 ~= status ? ResponseCapture.problem(of: BodyKind(type)) : nil
        state.withLock { ($0.status, $0.type, $0.problem) = (status, type, problem) }
        if let problem { throw problem }
    }

    /// Takes the next bytes of the body, without its content coding.
    ///
    /// - Throws: `JSONFilter.Unreadable` if the body exceeds the limit for bodies in memory.
    func take(_ chunk: ByteChunk) throws {
        guard needsBody else { return }
        let fits = state.withLock { state in
            guard state.problem == nil, state.bytes.count + chunk.count <= FilteredBody.limit else {
                state.problem = ResponseCapture.tooLong
                return false
            }
            chunk.withUnsafeBytes { state.bytes.append(contentsOf: $0) }
            return true
        }
        if !fits { throw ResponseCapture.tooLong }
    }

    private static func problem(of kind: BodyKind) -> JSONFilter.Unreadable? {
        switch kind {
        case .events:
            unreadable("the response is a stream of events; cumulus events --until TEXT stops at a matching event")
        case .jsonLines: unreadable("the response contains one value per line, but the condition needs a single value")
        case .json, .xml, .html, .other: nil
        }
    }

    private static func unreadable(_ reason: String) -> JSONFilter.Unreadable {
        JSONFilter.Unreadable(option: "--until", reason: reason)
    }
}
