// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The result of comparing a download's response with its request, for all cases and without I/O.
enum RangeCheck: Sendable, Hashable {
    /// The requested range, or the beginning of it.
    case part(count: Int64, total: Int64?)
    /// The whole file from its first byte.
    case whole(length: Int64?)
    /// The whole file, whose content coding is decoded during the transfer. Ranges, sizes and digests of the head count
    /// other bytes.
    case decoded
    /// The received bytes are already complete.
    case complete
    /// The file has changed since the existing bytes were received.
    case changed(String)
    /// The server's ranges can't be trusted.
    case unreliable(String)
    /// Any other response: its status is the error.
    case failed

    init(_ rangeRequest: RangeRequest, _ status: HTTPResponse.Status, _ headers: HTTPFields, announced: Int64?) {
        switch status.code {
        case 206: self = RangeCheck.part(rangeRequest, headers, announced)
        // Some file servers send the requested slice with status 200.
        case 200 where headers.isPart(length: announced) && rangeRequest.isRanged:
            self = RangeCheck.part(rangeRequest, headers, announced)
        case 200..<300 where headers.isPart(length: announced):
            self = .unreliable("the response (\(status.code)) contains only a part of the file (Content-Range)")
        case 200, 203:
            let isWhole = rangeRequest.known?.contradicts(headers, length: announced) != true
            self = isWhole ? .whole(length: announced) : .unreliable("the same revision has a different length")
        // The first response of a download for the whole file may have any successful status. Later, and for a range,
        // no other success contains bytes of the file.
        case 200..<300 where rangeRequest.acceptsAnySuccess: self = .whole(length: announced)
        case 416 where rangeRequest.known != nil: self = RangeCheck.unsatisfied(rangeRequest, headers)
        case 412 where rangeRequest.known != nil: self = .changed("a precondition failed (412)")
        default: self = .failed
        }
    }

    /// The same for bytes from a source, which must be that of the existing bytes.
    func from(_ source: ResponseSource, for rangeRequest: RangeRequest) -> RangeCheck {
        guard let known = rangeRequest.known?.source,
            let difference = known.difference(from: source, isCovered: rangeRequest.isCovered)
        else { return self }
        switch self {
        case .part, .complete: return .changed(difference)
        case .whole, .decoded, .changed, .unreliable, .failed: return self
        }
    }

    private static func part(_ rangeRequest: RangeRequest, _ headers: HTTPFields, _ announced: Int64?) -> Self {
        guard rangeRequest.isRanged else { return .unreliable("the server sent a part (206) that was not requested") }
        if let type = headers[.contentType].flatMap({ MediaType(parsing: $0) }), type.essence == "multipart/byteranges"
        {
            return .unreliable("one range was requested, but the server sent several")
        }
        if headers.codings != rangeRequest.codings { return .unreliable("the range has a different content coding") }
        let fields = headers[values: .contentRange]
        guard fields.count == 1, let range = fields.first.flatMap({ ContentRange(parsing: $0) }), range.unit == "bytes",
            let bytes = range.range, let count = range.length
        else { return .unreliable("the server sent a part without a valid Content-Range") }
        guard bytes.lowerBound == rangeRequest.start else {
            return .unreliable(
                "bytes from \(rangeRequest.start) on were requested, but the body begins at \(bytes.lowerBound)"
            )
        }
        if let end = rangeRequest.end, bytes.upperBound >= end {
            return .unreliable("bytes up to \(end - 1) were requested, but the server sent up to \(bytes.upperBound)")
        }
        if let announced, announced != count {
            return .unreliable("Content-Range announces \(count) bytes, but the body has \(announced)")
        }
        if let known = rangeRequest.known,
            let difference = known.difference(headers, total: range.total, isStrict: !rangeRequest.isCovered)
        {
            return .changed(difference)
        }
        return .part(count: count, total: range.total)
    }

    private static func unsatisfied(_ rangeRequest: RangeRequest, _ headers: HTTPFields) -> Self {
        guard let known = rangeRequest.known,
            let total = headers[.contentRange].flatMap({ ContentRange(parsing: $0) })?.total
        else { return .changed("the range is not available (416)") }
        // If the length was known, all bytes already have that state.
        let isWhole = known.length != nil || rangeRequest.isCovered
        if let difference = known.difference(headers, total: total, isStrict: !isWhole) { return .changed(difference) }
        return total == rangeRequest.start ? .complete : .changed("the file has \(total) bytes (416)")
    }
}

/// The reason why a response's bytes can't be combined with the existing ones.
enum RangeMismatch: Sendable, Hashable {
    /// The file has changed.
    case changed(String)
    /// The server's ranges can't be trusted.
    case unreliable(String)

    var reason: String {
        switch self {
        case .changed(let reason), .unreliable(let reason): reason
        }
    }

    /// The error's code, if starting over doesn't help.
    var code: CumulusError.Code {
        switch self {
        case .changed: .remoteChanged
        case .unreliable: .malformedResponse
        }
    }
}

extension CumulusError {
    /// Whether the remaining bytes of a body that broke off with this error may be requested.
    ///
    /// - Parameter mayBeTemporary: Whether a server that responds with a status may have them later.
    /// - Returns: Whether they may be requested.
    func isResumable(_ mayBeTemporary: (HTTPResponse.Status) -> Bool = StatusSet.transient.contains) -> Bool {
        if isTransient(mayBeTemporary) { return true }
        // Unknown transport failures may be temporary. Only missing bytes are requested, so that nothing is done twice.
        guard code == .transport else { return false }
        guard let status = statusCode, !(200..<300).contains(status) else { return true }
        return mayBeTemporary(HTTPResponse.Status(code: status))
    }

    /// The time when the server wants the next request; `nil` if it reports none, or no response arrived.
    var timing: ServerTiming? {
        response.flatMap { ServerTiming($0.headers, status: $0.status, now: Date()) }
    }

    /// Whether the error suggests that a link has expired.
    var mayMeanExpiredLink: Bool {
        statusCode.map { HTTPResponse.Status(code: $0).mayMeanExpired } == true && (code == .status || code == .service)
    }
}

extension HTTPResponse.Status {
    /// Whether servers respond with it to an expired link.
    var mayMeanExpired: Bool { [401, 403, 404, 410].contains(code) }
}
