// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusFormats
import CumulusPrimitives
import Foundation
public import XMLCoder

/// Encodes and decodes your `Codable` types as XML, with XMLCoder.
///
/// ```swift
/// site.setRules { $0.coders.registerXML() }
/// let feed = try await site["feed.xml"].get(as: Feed.self)
/// ```
///
/// CumulusFormats' parser reads each document first, so a document that declares entities, is nested too deeply, or is
/// not XML never reaches libxml2. It also reads the encoded document before it is sent: values that XML can't contain
/// cause errors.
public struct XMLBodyCoder: BodyCoder {
    /// The name of the root element for encoding; `nil` uses the type's name, without its generic parameters.
    public var rootName: String?
    /// A function that configures the encoder before each use.
    public var configureEncoder: @Sendable (XMLEncoder) -> Void
    /// A function that configures the decoder before each use.
    public var configureDecoder: @Sendable (XMLDecoder) -> Void

    /// Creates a coder.
    ///
    /// - Parameters:
    ///   - rootName: The name of the root element for encoding.
    ///   - configureEncoder: Configures the encoder: attributes, dates, layout.
    ///   - configureDecoder: Configures the decoder: dates, keys.
    public init(
        rootName: String? = nil,
        configureEncoder: @escaping @Sendable (XMLEncoder) -> Void = { _ in },
        configureDecoder: @escaping @Sendable (XMLDecoder) -> Void = { _ in }
    ) {
        self.rootName = rootName
        self.configureEncoder = configureEncoder
        self.configureDecoder = configureDecoder
    }

    /// `application/xml`.
    public var mediaType: MediaType { .xml }

    /// The two media types of XML.
    public var accept: String { "application/xml, text/xml" }

    /// Writes a document in UTF-8, with its declaration; an `XML` value is written unchanged.
    ///
    /// - Throws: `EncodingError`, and `CodingProblem` for values that XML can't contain: a key that is not a name, a
    ///   character that XML doesn't allow, `nil`.
    public func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
        if let xml = value as? XML { return ByteChunk(try xml.encoded()) }
        if let charset = mediaType?["charset"], charset.lowercased() != "utf-8" {
            throw CodingProblem("XML can be written only in UTF-8")
        }
        let encoder = XMLEncoder()
        configureEncoder(encoder)
        encoder.dateEncodingStrategy = encoder.dateEncodingStrategy.exact
        return ByteChunk(try XMLWritingPlan(value, rootName: rootName).bytes(from: encoder))
    }

    /// Reads a document, in the charset of the response or of the document's declaration.
    ///
    /// White space around text is omitted, unless `configureDecoder` sets XMLCoder's `trimValueWhitespaces` to false.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        of mediaType: MediaType?
    ) throws -> Value {
        guard !bytes.isEmpty else { throw CodingProblem("the body is empty") }
        let document = try bytes.withUnsafeBytes { try XML(parsing: $0, charset: mediaType?["charset"]) }
        if let tree = document as? Value { return tree }
        if let json = document.json as? Value { return json }
        let decoder = XMLDecoder()
        configureDecoder(decoder)
        decoder.dateDecodingStrategy = decoder.dateDecodingStrategy.finite
        // It would trim each piece of a text that libxml2 gives it: `a& &b` would become `a&&b`.
        let trimmed = decoder.trimValueWhitespaces ? document.trimmed : document
        decoder.trimValueWhitespaces = false
        guard trimmed.copyWork < XMLBodyCoder.mostWork else {
            throw CodingProblem(
                "an element has too many attributes, or a text node has too many references, for XMLCoder to decode "
                    + "in reasonable time; decode it as `XML`"
            )
        }
        // Parsed a second time, because XMLCoder only accepts bytes. Re-encoded for it: both parsers read the same
        // document, in UTF-8 and without a document type.
        do {
            return try decoder.decode(type, from: Data(trimmed.encoded()))
        } catch let error as DecodingError {
            throw XMLBodyCoder.withoutContent(error)
        }
    }

    /// About how many bytes may be copied for one document: a few seconds' worth.
    private static let mostWork = 2e11

    /// The error without quotations of the body.
    private static func withoutContent(_ error: DecodingError) -> DecodingError {
        switch error {
        case .dataCorrupted(let context):
            .dataCorrupted(.init(codingPath: context.codingPath, debugDescription: "the text doesn't match the type"))
        case .typeMismatch(let type, let context):
            .typeMismatch(
                type,
                .init(codingPath: context.codingPath, debugDescription: "the text is not a valid \(type)")
            )
        default: error
        }
    }
}

extension XML {
    /// The element without the white space around its texts.
    fileprivate var trimmed: XML {
        var trimmed = self
        trimmed.children = children.compactMap { child in
            switch child {
            case .element(let element): return .element(element.trimmed)
            case .text(let text):
                let trimmed = text.trimmedOfLines
                return trimmed.utf8.isEmpty ? nil : .text(String(trimmed))
            }
        }
        return trimmed
    }
}

extension XML {
    /// About how many bytes are copied to decode it: XMLCoder copies a text at each reference in it, and Foundation
    /// compares each attribute of an element with the others.
    fileprivate var copyWork: Double {
        var work = Double(attributes.count) * Double(attributes.count) * 16
        for child in children {
            switch child {
            case .element(let element): work += element.copyWork
            case .text(let text):
                let references = text.utf8.count { "&<>\r".utf8.contains($0) }
                work += Double(references) * Double(text.utf8.count)
            }
        }
        return work
    }
}

extension XMLDecoder.DateDecodingStrategy {
    /// The same strategy, except for dates that are not finite: printing one would stop the process.
    fileprivate var finite: Self {
        switch self {
        case .deferredToDate:
            .custom { try XMLBodyCoder.finite(Date(timeIntervalSinceReferenceDate: Double(from: $0)), $0) }
        case .secondsSince1970: .custom { try XMLBodyCoder.finite(Date(timeIntervalSince1970: Double(from: $0)), $0) }
        case .millisecondsSince1970:
            .custom { try XMLBodyCoder.finite(Date(timeIntervalSince1970: Double(from: $0) / 1000), $0) }
        case .custom(let decode): .custom { try XMLBodyCoder.finite(decode($0), $0) }
        // XMLCoder's own strategy loses fractions of a second.
        case .iso8601: .custom { try XMLBodyCoder.date($0) }
        default: self
        }
    }
}

extension XMLEncoder.DateEncodingStrategy {
    /// The same strategy, except for fractions of a second, which XMLCoder's ISO 8601 loses.
    fileprivate var exact: Self {
        guard case .iso8601 = self else { return self }
        return .custom { date, encoder in
            guard let text = ISO8601Date.text(date) else {
                throw EncodingError.invalidValue(
                    date.timeIntervalSince1970,
                    .init(codingPath: encoder.codingPath, debugDescription: "the date is outside the years 0 to 9999")
                )
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }
}

extension XMLBodyCoder {
    fileprivate static func date(_ decoder: any Decoder) throws -> Date {
        guard let date = ISO8601Date.date(try String(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "this is not an ISO 8601 date")
            )
        }
        return date
    }

    fileprivate static func finite(_ date: Date, _ decoder: any Decoder) throws -> Date {
        guard date.timeIntervalSinceReferenceDate.isFinite else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "this is not a date")
            )
        }
        return date
    }
}

extension CoderRegistry {
    /// Registers a coder for your types in XML, and for XML trees: `application/xml`, `text/xml`, types that end in
    /// `+xml`, and paths ending in `.xml`.
    public mutating func registerXML(_ coder: XMLBodyCoder = XMLBodyCoder()) {
        register(coder, for: [XML.self], mediaTypes: ["application/xml", "text/xml", "+xml"], fileExtensions: ["xml"])
    }
}
