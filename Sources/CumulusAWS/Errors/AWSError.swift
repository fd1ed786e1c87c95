// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusFormats
import CumulusPrimitives
import HTTPTypes

/// An error reported by Amazon Web Services or an S3-compatible store; read by `ErrorDecoder.aws`.
public struct AWSError: Error, Sendable, Hashable {
    /// The service's error code: `NoSuchKey`, `SignatureDoesNotMatch`.
    public let code: String
    /// The service's message.
    public let message: String?
    /// The ID with which the service's operators can find the request.
    public let requestID: String?

    /// Creates an error.
    public init(code: String, message: String? = nil, requestID: String? = nil) {
        self.code = code
        self.message = message
        self.requestID = requestID
    }

    /// Reads an error from a response's body; `nil` if there is none.
    init?(body: ByteChunk) {
        let first = body.withUnsafeBytes { $0.first { $0 > 0x20 } }
        switch first {
        case UInt8(ascii: "<"):
            guard let root = try? XML(parsing: body.bytes) else { return nil }
            self.init(root)
        case UInt8(ascii: "{"):
            guard let json = try? body.withUnsafeBytes({ try JSON(parsing: $0) }) else { return nil }
            self.init(json)
        default: return nil
        }
    }

    /// Reads `<Error>`, which is the root in S3's answers, and inside `<ErrorResponse>` or `<Response><Errors>` in
    /// others.
    private init?(_ root: XML) {
        let error: XML? =
            switch root.localName {
            case "Error": root
            case "ErrorResponse": root["Error"]
            case "Response": root["Errors"]?["Error"]
            default: nil
            }
        guard let error, let code = error["Code"]?.text else { return nil }
        let id = error["RequestId"] ?? root["RequestId"] ?? root["CallID"]
        self.init(code: code, message: error["Message"]?.text, requestID: id?.text)
    }

    /// Reads `__type`, whose name follows a `#`, or `code`.
    private init?(_ json: JSON) {
        guard let name = json["__type"].string ?? json["code"].string ?? json["Code"].string else { return nil }
        let code = name.cut(atLast: "#").map { String($0.behind) } ?? name
        self.init(code: code, message: json["message"].string ?? json["Message"].string)
    }
}

extension AWSError: CustomStringConvertible {
    /// The code and the message, safe to print.
    public var description: String {
        PeerText.printable(message.map { "\(code): \($0)" } ?? code)
    }
}

extension ErrorDecoder {
    /// A decoder that finds an ``AWSError`` in unsuccessful responses, and in S3's responses that only look successful.
    ///
    ///     site.setRules { $0.errorDecoders = [.aws] }
    public static let aws = ErrorDecoder { response in
        // A successful status may still carry S3's error (`CompleteMultipartUpload` can end so).
        if response.isSuccessful, !response.bytes.looksLikeAWSError { return nil }
        guard let error = AWSError(body: response.bytes) else { return nil }
        if error.requestID != nil { return error }
        let ids = ["x-amz-request-id", "x-amzn-requestid"]
        let field = response.headers.first { ids.contains($0.name.canonicalName) }
        return AWSError(code: error.code, message: error.message, requestID: field?.value)
    }
}

extension ByteChunk {
    /// Whether the bytes begin with XML whose root is S3's `<Error>`.
    fileprivate var looksLikeAWSError: Bool {
        withUnsafeBytes { bytes in
            bytes.first == UInt8(ascii: "<") && String(decoding: bytes.prefix(128), as: UTF8.self).has("<Error>")
        }
    }
}
