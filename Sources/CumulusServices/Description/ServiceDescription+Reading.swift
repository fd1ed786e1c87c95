// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusFormats
import CumulusPrimitives

extension ServiceDescription {
    private static let fileLimit: Int64 = 16 << 20

    /// Creates a description from a JSON value, and verifies it.
    ///
    /// The members, which are compared case-insensitively, are `name`, `summary`, `baseURL` or `servers` (`url`,
    /// `name`, `foreign`), `headers`, `clientHeaders` (`name`, `version`, `contact`), `authorization` (`"basic"`,
    /// `["bearer", "header X-Key"]`, `"none"`, or `schemes` and `required`), `errors` (names of members, or `members`,
    /// `problemDetails`, `ignoresStatus`), `rate` (`requests`, `seconds`, `burst`, `tracksQuota`, `heedsQuota`),
    /// `maxConcurrentTasks`, `paging` (see `PagingRule.init(_:)`), `bodyFormat`, `responseFormat` and `endpoints`. The
    /// members of an endpoint are `name`, `template`, `method`, `summary`, `server`, `parameters`, and its own
    /// `headers`, formats, `authorization`, `errors` and `paging`. The members of a parameter are `name`, `in`,
    /// `field`, `kind`, `style`, `required`, `default`, `values`, `summary`; a string is the name of a query item.
    /// Cycles' `Resources` and `URITemplate` are other names for `endpoints` and `template`. Members that begin with
    /// `x-` are ignored.
    ///
    /// - Parameters:
    ///   - document: The description.
    ///   - name: The service's name, if the description has none.
    /// - Throws: ``ServiceProblems`` with all problems.
    public init(_ document: JSON, named name: String? = nil) throws(ServiceProblems) {
        var reader = ServiceDescriptionReader()
        let service = reader.service(document, named: name)
        let problems = reader.problems + (reader.problems.isEmpty ? service.verify() : [])
        if !problems.isEmpty { throw ServiceProblems(problems: problems) }
        self = service
    }

    /// Creates a description from JSON text; see ``init(_:named:)``.
    ///
    /// - Throws: ``ServiceProblems``.
    public init(json bytes: some Collection<UInt8>, named name: String? = nil) throws(ServiceProblems) {
        let document: JSON
        do {
            document = try JSON(parsing: bytes)
        } catch {
            throw ServiceProblems(unreadable: "the description is not valid JSON: \(error)")
        }
        try self.init(document, named: name)
    }

    /// Creates a description from a property list, XML or binary, such as a service profile of Cycles.
    ///
    /// - Throws: ``ServiceProblems``.
    public init(propertyList bytes: some Collection<UInt8>, named name: String? = nil) throws(ServiceProblems) {
        let document: PropertyList
        do {
            document = try PropertyList(parsing: ByteChunk(Array(bytes)))
        } catch {
            throw ServiceProblems(unreadable: "the description is not a property list: \(error)")
        }
        try self.init(document.json, named: name)
    }

    /// Creates a description from a file: JSON or, with the extension `plist`, a property list.
    ///
    /// If the description has no name, the file's name is used.
    ///
    /// - Throws: ``ServiceProblems``.
    public init(contentsOfFile file: some Locator) throws(ServiceProblems) {
        let path = file.locatorText
        let bytes = try ServiceDescription.bytes(ofFile: path)
        let fileName = path.cut(atLast: "/")?.behind ?? path[...]
        let name = fileName.cut(atLast: ".").map { String($0.before) } ?? String(fileName)
        if path.lowercased().ends(with: ".plist") {
            try self.init(propertyList: bytes, named: name)
        } else {
            try self.init(json: bytes, named: name)
        }
    }

    /// Reads a file that may contain a description.
    ///
    /// - Throws: ``ServiceProblems`` for one that can't be read, or is longer than 16 MiB.
    package static func bytes(ofFile path: String) throws(ServiceProblems) -> [UInt8] {
        do throws(OpenedFile.Refusal) {
            let opened = try OpenedFile(path)
            let length = try opened.size()
            if length <= fileLimit { return try opened.read(at: 0, count: Int(length)) }
        } catch {
            throw ServiceProblems(unreadable: "the file \(PeerText.quoted(error.path)) \(error.reason)")
        }
        throw ServiceProblems(unreadable: "the file \(PeerText.quoted(path)) is longer than \(fileLimit) bytes")
    }
}

extension ServiceProblems {
    /// Creates the problem of a description that can't be read at all.
    package init(unreadable message: String) { problems = [ServiceProblem(.unreadable, at: "", message)] }
}

extension ServiceDescription: Codable {
    /// Decodes a description, as ``init(_:named:)`` does.
    public init(from decoder: any Decoder) throws {
        let document = try JSON(from: decoder)
        do throws(ServiceProblems) {
            try self.init(document)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.description)
            )
        }
    }

    /// Encodes ``json``.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
