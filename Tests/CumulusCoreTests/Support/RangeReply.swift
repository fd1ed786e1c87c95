// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization

/// The response of a server to a request for a range: right, or one of the wrong ones that servers send.
enum RangeReply: String, CaseIterable, Sendable {
    case part, partOK, partNonAuthoritative, partCreated
    case shifted, shiftedOK, longer, longerOK, shorter, shorterOK, otherTotal, otherTotalOK, unknownTotalOK
    case nameless, invalidOK, twiceOK, unsatisfiedOK, wholeAsPart, multipart, coded
    case whole, wholeNamed, wholeNonAuthoritative
    case created, accepted, noContent, multiStatus
    case unsatisfied, preconditionFailed, notModified, notFound, serverError

    /// The whole file from the first byte, or the requested range: a client can do with one of these what it wants.
    var isRight: Bool {
        switch self {
        case .part, .partOK, .whole, .wholeNamed, .wholeNonAuthoritative: true
        default: false
        }
    }

    /// The response to a request with a range.
    ///
    /// - Parameters:
    ///   - range: The request's `Range`.
    ///   - bytes: The file.
    ///   - fields: The fields of all responses for the file.
    /// - Returns: The response.
    func answer(to range: String, of bytes: [UInt8], _ fields: Headers) -> StubResponse {
        let ends = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        let start = Int(ends[0]) ?? 0
        let wanted = start..<min((Int(ends[1]) ?? bytes.count - 1) + 1, bytes.count)
        let total = "\(bytes.count)"
        func slice(_ range: Range<Int>, _ status: HTTPResponse.Status, total: String) -> StubResponse {
            let field = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
            return send(Array(bytes[range]), status, field, fields)
        }
        let earlier = max(0, start - 10)..<max(1, wanted.upperBound - 10)
        let longer = start..<min(bytes.count, wanted.upperBound + 10)
        let shorter = start..<max(start + 1, wanted.upperBound - 10)
        let other: HTTPResponse.Status? = status
        switch self {
        case .part: return slice(wanted, .partialContent, total: total)
        case .partOK: return slice(wanted, .ok, total: total)
        case .partNonAuthoritative: return slice(wanted, .nonAuthoritativeInformation, total: total)
        case .partCreated: return slice(wanted, .created, total: total)
        case .shifted: return slice(earlier, .partialContent, total: total)
        case .shiftedOK: return slice(earlier, .ok, total: total)
        case .longer: return send(Array(bytes[longer]) + [1, 2, 3], .partialContent, field(wanted, total), fields)
        case .longerOK: return send(Array(bytes[longer]) + [1, 2, 3], .ok, field(wanted, total), fields)
        case .shorter: return slice(shorter, .partialContent, total: total)
        case .shorterOK: return slice(shorter, .ok, total: total)
        case .otherTotal: return slice(wanted, .partialContent, total: "\(bytes.count + 1)")
        case .otherTotalOK: return slice(wanted, .ok, total: "\(bytes.count + 1)")
        case .unknownTotalOK: return slice(wanted, .ok, total: "*")
        case .nameless: return send(Array(bytes[wanted]), .partialContent, nil, fields)
        case .invalidOK: return send(Array(bytes[wanted]), .ok, "bytes \(start)", fields)
        case .twiceOK: return send(Array(bytes[wanted]), .ok, "bytes 0-1/2, \(field(wanted, total))", fields)
        case .unsatisfiedOK: return send(Array(bytes[wanted]), .ok, "bytes */\(total)", fields)
        case .wholeAsPart: return slice(0..<bytes.count, .partialContent, total: total)
        case .wholeNamed: return slice(0..<bytes.count, .ok, total: total)
        case .multipart, .coded:
            var own = fields
            if self == .coded { own[.contentEncoding] = "gzip" }
            if self == .multipart { own[.contentType] = "multipart/byteranges; boundary=x" }
            return send(Array(bytes[wanted]), .partialContent, field(wanted, total), own)
        case .whole: return send(bytes, .ok, nil, fields)
        case .wholeNonAuthoritative: return send(bytes, .nonAuthoritativeInformation, nil, fields)
        case .unsatisfied: return send([], .rangeNotSatisfiable, "bytes */\(total)", fields)
        case .notModified: return .response(.notModified, headers: fields)
        case .noContent: return .response(.noContent, headers: fields)
        default: return send(Array("other".utf8), other ?? .ok, nil, fields)
        }
    }

    private var status: HTTPResponse.Status? {
        switch self {
        case .created: .created
        case .accepted: .accepted
        case .multiStatus: .init(code: 207)
        case .preconditionFailed: .preconditionFailed
        case .notFound: .notFound
        case .serverError: .internalServerError
        default: nil
        }
    }

    private func field(_ range: Range<Int>, _ total: String) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
    }

    private func send(
        _ bytes: [UInt8],
        _ status: HTTPResponse.Status,
        _ range: String?,
        _ fields: Headers
    ) -> StubResponse {
        var headers = fields
        headers[.contentRange] = range.map { .init($0) }
        headers[.contentLength] = "\(bytes.count)"
        return .script(RemoteFile.steps(bytes), status: status, headers: headers)
    }
}

/// A server whose first response without a range breaks off, and that answers requests for ranges in its own way.
final class RangeReplyServer: Sendable {
    let bytes = RemoteFile.content(100_000)
    let reply: RangeReply
    private let fields: Headers
    private let state: Mutex<(breaks: Bool, seen: [HTTPFields])>

    init(_ reply: RangeReply, breaks: Bool = true, _ fields: Headers = [:]) {
        self.reply = reply
        var all = fields
        all[.eTag] = "\"v1\""
        all[.acceptRanges] = "bytes"
        self.fields = all
        state = Mutex((breaks, []))
    }

    /// The requests' ranges.
    var ranges: [String?] { state.withLock { $0.seen.map { $0[.range] } } }

    var transport: StubTransport {
        StubTransport { [self] request in
            let breaks = state.withLock { state in
                state.seen.append(request.headers)
                guard request.headers[.range] == nil else { return false }
                defer { state.breaks = false }
                return state.breaks
            }
            if let range = request.headers[.range] { return reply.answer(to: range, of: bytes, fields) }
            var headers = fields
            headers[.contentLength] = "\(bytes.count)"
            return .script(RemoteFile.steps(bytes, breaks ? 70_000 : -1), headers: headers)
        }
    }
}
