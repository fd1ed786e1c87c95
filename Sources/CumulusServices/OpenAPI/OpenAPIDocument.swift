// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

/// An OpenAPI document, version 3.0 to 3.2, or Swagger 2.0, converted into a service.
///
///     let document = try OpenAPIDocument(json: bytes, from: "https://api.example.com/openapi.json")
///     let service = Service(document.service, transport: transport)  // its endpoints by their operationId
///     for gap in document.gaps { print(gap) }  // the parts that are omitted, by JSON pointer
///
/// Each operation becomes an endpoint. An operation without an `operationId` is named by its method and path.
/// References inside the document are followed; references to other documents are never fetched or opened, and become
/// gaps. A server at an origin other than the document's receives no credentials until you name it; see
/// ``ServiceServer/isThirdParty``.
public struct OpenAPIDocument: Sendable {
    /// The maximum length of a document, in bytes.
    public static let maximumLength = 32 << 20
    /// The maximum number of endpoints; additional ones are omitted.
    public static let maximumEndpoints = 10_000

    /// The version that the document names, such as `3.1.0`.
    public let version: String
    /// The service.
    public let service: ServiceDescription
    /// The parts of the document that are omitted, in order; at most a thousand.
    public let gaps: [OpenAPIGap]

    /// Creates a document from a JSON value, and converts it into a service.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - url: The document's URL, against which relative servers are resolved. Pass `nil` for a file; relative
    ///     servers then become gaps.
    ///   - name: The service's name; by default the document's title.
    /// - Throws: ``ServiceProblems`` for a value that is not an OpenAPI document.
    public init(
        _ document: JSON,
        from url: (any Locator)? = nil,
        named name: String? = nil
    ) throws(ServiceProblems) {
        var reader = try OpenAPIReader(document, from: url?.locatorText)
        service = reader.service(named: name)
        version = reader.version
        gaps = reader.gaps
        // Invalid endpoints are gaps already; any remaining problem is a mistake of the reader.
        let problems = service.servers.isEmpty ? [] : service.verify()
        if !problems.isEmpty { throw ServiceProblems(problems: problems) }
    }

    /// Creates a document from JSON text, and converts it into a service; see ``init(_:from:named:)``.
    ///
    /// - Throws: ``ServiceProblems``.
    public init(
        json bytes: some Collection<UInt8>,
        from url: (any Locator)? = nil,
        named name: String? = nil
    ) throws(ServiceProblems) {
        guard bytes.count <= OpenAPIDocument.maximumLength else {
            throw ServiceProblems(unreadable: "the document is longer than \(OpenAPIDocument.maximumLength) bytes")
        }
        let document: JSON
        do {
            document = try JSON(parsing: bytes)
        } catch {
            throw ServiceProblems(unreadable: "the document is not valid JSON: \(error)")
        }
        try self.init(document, from: url, named: name)
    }

    /// Whether a document identifies itself as OpenAPI or Swagger.
    public static func isOne(_ document: JSON) -> Bool {
        document.object.map { $0["openapi"] != nil || $0["swagger"] != nil } ?? false
    }
}

extension ServiceDescription {
    /// Creates the service of an OpenAPI document; ``OpenAPIDocument`` also lists the parts that are omitted.
    ///
    /// - Parameters:
    ///   - document: The document, version 3.0 to 3.2, or Swagger 2.0.
    ///   - url: The document's URL, against which relative servers are resolved.
    ///   - name: The service's name; by default the document's title.
    /// - Throws: ``ServiceProblems`` for a value that is not an OpenAPI document.
    public init(
        openAPI document: JSON,
        from url: (any Locator)? = nil,
        named name: String? = nil
    ) throws(ServiceProblems) {
        self = try OpenAPIDocument(document, from: url, named: name).service
    }
}
