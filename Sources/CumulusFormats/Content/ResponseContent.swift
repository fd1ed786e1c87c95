// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A body decoded according to its media type, for use without your own type: `response.content`.
public enum ResponseContent: Sendable, Hashable {
    /// JSON; newline-delimited JSON becomes an array of its values.
    case json(JSON)
    /// Text of any other kind.
    case text(String)
    /// A form's names and values.
    case form(Query)
    /// A property list, XML or binary.
    case propertyList(PropertyList)
    /// Any other XML.
    case xml(XML)
    /// An image, with its data unchanged.
    case image(EncodedImage)
    /// Any other body, including an empty one.
    case data(Data)
}

extension Response {
    /// The body decoded according to its media type, regardless of the status.
    ///
    /// The media type is taken from the `Content-Type` if that is known, otherwise from the path's extension, otherwise
    /// from the request's `Accept`. Failing that, it is guessed from the first bytes, unless the type is
    /// `application/octet-stream`. XML whose root is a `plist` is a property list.
    ///
    /// - Throws: `CumulusError.Code.decoding` if the body doesn't match its media type.
    public var content: ResponseContent {
        get throws {
            do {
                return try ResponseContent(bytes, label, text: coders.text)
            } catch {
                let problem = DecodingProblem(error, type: ResponseContent.self, bytes: bytes, mediaType: mediaType)
                throw CumulusError(
                    .decoding,
                    stage: .decoding,
                    problem.description,
                    request: request,
                    response: self,
                    cause: problem
                )
            }
        }
    }
}

extension ResponseContent {
    init(_ bytes: ByteChunk, _ label: BodyLabel, text coder: TextCoder) throws {
        guard !bytes.isEmpty else {
            self = .data(bytes.data)
            return
        }
        let kind =
            label.mediaType.flatMap { ContentKind($0) }
            ?? label.fileExtension.flatMap { ContentKind(fileExtension: $0) }
            ?? label.acceptedTypes.lazy.compactMap { ContentKind($0) }.first
        if let kind {
            self = try ResponseContent(bytes, as: kind, of: label.mediaType, text: coder)
        } else {
            self = ResponseContent(sniffing: bytes, of: label.mediaType, text: coder)
        }
    }

    private init(_ bytes: ByteChunk, as kind: ContentKind, of type: MediaType?, text coder: TextCoder) throws {
        switch kind {
        case .json: self = .json(try JSON(body: bytes, of: type))
        case .jsonLines: self = .json(.array(try JSONLinesCoder().decode([JSON].self, from: bytes, of: type)))
        case .text: self = .text(try coder.text(bytes, of: type))
        case .form: self = .form(Query(parsing: try coder.text(bytes, of: type)))
        case .propertyList: self = .propertyList(try PropertyList(parsing: bytes, charset: type?["charset"]))
        case .xml:
            // Only the first bytes distinguish a binary property list, not its media type.
            if PropertyList.isBinary(bytes) {
                self = .propertyList(try PropertyList(parsing: bytes))
                return
            }
            let xml = try bytes.withUnsafeBytes { try XML(parsing: $0, charset: type?["charset"]) }
            self = xml.name == "plist" ? .propertyList(try PropertyList(xml)) : .xml(xml)
        case .image: self = .image(try EncodedImage(bytes))
        }
    }

    /// Guesses the form: invalid JSON or XML becomes text, and invalid text becomes data.
    private init(sniffing bytes: ByteChunk, of type: MediaType?, text coder: TextCoder) {
        let isOpaque = type?.essence == MediaType.bytes.essence
        if !isOpaque, let kind = MediaType(sniffing: bytes).flatMap({ ContentKind($0) }),
            let content = try? ResponseContent(bytes, as: kind, of: type, text: coder)
        {
            self = content
        } else if !isOpaque, type == nil, let text = try? TextCoder(charset: "utf-8").text(bytes, of: nil),
            !text.unicodeScalars.contains(where: { $0.value < 0x20 && !(0x09...0x0D).contains($0.value) })
        {
            self = .text(text)
        } else {
            self = .data(bytes.data)
        }
    }
}
