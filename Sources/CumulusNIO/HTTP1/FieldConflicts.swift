// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Decides for each of the caller's fields whether it is sent, is redundant, or contradicts the transport's own.
struct FieldConflicts {
    /// The caller's own `Host`, which replaces the transport's.
    private(set) var ownHost: String?
    private let body: HTTP1RequestWriter.BodyLength
    private let expectsContinue: Bool
    /// The connection options of the fields seen so far.
    private(set) var traits = HTTP1RequestWriter.Traits()

    init(_ head: HTTP1RequestWriter.Head) {
        body = head.body
        expectsContinue = head.expectsContinue
    }

    /// False for a field that repeats the transport's own; throws for one that contradicts it.
    mutating func isToBeSent(_ field: HTTPField) throws(HTTP1RequestError) -> Bool {
        let name = field.name.canonicalName
        switch name.utf8.count {
        case 4 where name == "host":
            if ownHost != nil { throw .conflictingField(name: field.name.rawName) }
            ownHost = field.value
            return false
        case 6 where name == "expect" && expectsContinue:
            return try repeats(field, field.value.lowercased() == "100-continue")
        case 7 where name == "upgrade":
            traits.asksToUpgrade = true
        case 10 where name == "connection":
            try considerConnection(field)
        case 14 where name == "content-length":
            return try repeats(field, field.value == declaredLength)
        case 17 where name == "transfer-encoding":
            return try repeats(field, body == .unknown && field.value.lowercased() == "chunked")
        case 19 where name == "proxy-authorization":
            // A proxy gets the credentials of its own settings; the origin never gets any.
            return false
        default:
            break
        }
        return true
    }

    private var declaredLength: String? {
        switch body {
        case .none: "0"
        case .fixed(let length): String(length)
        case .unknown: nil
        }
    }

    private func repeats(_ field: HTTPField, _ isSame: Bool) throws(HTTP1RequestError) -> Bool {
        if !isSame { throw .conflictingField(name: field.name.rawName) }
        return false
    }

    /// Accepts only options that the transport understands: any other would make an intermediary drop the named field.
    ///
    /// The members of a list (RFC 9110 section 5.6.1) count as a whole; empty ones are ignored.
    private mutating func considerConnection(_ field: HTTPField) throws(HTTP1RequestError) {
        let isUnderstood = field.withUnsafeBytesOfValue { bytes in
            var isUnderstood = true
            HTTP1Syntax.forEachElement(of: UnsafeRawBufferPointer(bytes)[...]) { option in
                if HTTP1Syntax.matches(option, "close") {
                    traits.asksToClose = true
                } else if !["keep-alive", "upgrade", "te"].contains(where: { HTTP1Syntax.matches(option, $0) }) {
                    isUnderstood = false
                }
            }
            return isUnderstood
        }
        if !isUnderstood { throw .conflictingField(name: field.name.rawName) }
    }
}
