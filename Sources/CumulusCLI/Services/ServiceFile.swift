// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusServices
import CumulusYAML

/// A service read from a file or a document: a description of Cumulus, a profile of Cycles, or OpenAPI.
struct ServiceFile {
    let service: ServiceDescription
    /// The features of an OpenAPI document that the service lacks.
    let gaps: [OpenAPIGap]
    let isOpenAPI: Bool

    /// Reads a file; the type of one without a known extension is detected by its beginning.
    init(path: String) throws(UsageMistake) {
        try self.init(try ServiceFile.bytes(ofFile: path), path: path)
    }

    /// Reads the bytes of a file, which were read once: those that are trusted are those that are used.
    init(_ bytes: [UInt8], path: String) throws(UsageMistake) {
        do throws(ServiceProblems) {
            try self.init(
                bytes,
                ending: ServiceFolder.ending(of: path),
                named: ServiceFolder.name(ofFile: path),
                from: nil
            )
        } catch {
            throw ServiceFile.mistake(error, path)
        }
    }

    /// The bytes of a file.
    ///
    /// - Throws: ``UsageMistake``, which names the file, if it can't be read.
    static func bytes(ofFile path: String) throws(UsageMistake) -> [UInt8] {
        do throws(ServiceProblems) {
            return try ServiceDescription.bytes(ofFile: path)
        } catch {
            throw UsageMistake(error.problems.map(\.description).joined(separator: "; "))
        }
    }

    /// Reads the bytes of a file or a response.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - ending: The file's extension; `nil` if it is not known.
    ///   - name: The service's name if the description has none.
    ///   - url: The URL of the description; `nil` for a file.
    /// - Throws: `ServiceProblems` for an invalid description.
    init(_ bytes: [UInt8], ending: String?, named name: String?, from url: String?) throws(ServiceProblems) {
        let document: JSON
        if ending != "plist", ServiceFile.isMarkup(bytes) {
            throw ServiceProblems(unreadable: "the text is HTML or XML, but not a property list")
        }
        switch ending ?? ServiceFile.ending(of: bytes) {
        case "plist":
            let service = try ServiceDescription(propertyList: bytes, named: name)
            (self.service, gaps, isOpenAPI) = (ServiceFile.guarded(service, from: url), [], false)
            return
        case "json":
            do throws(JSON.ParsingError) {
                document = try JSON(parsing: bytes)
            } catch {
                throw ServiceProblems(unreadable: "the description is not valid JSON: \(error)")
            }
        default:
            do throws(YAMLProblem) {
                document = try JSON(parsingYAML: bytes)
            } catch {
                throw ServiceProblems(unreadable: error.description)
            }
        }
        isOpenAPI = OpenAPIDocument.isOne(document)
        if isOpenAPI {
            let read = try OpenAPIDocument(document, from: url)
            (service, gaps) = (read.service, read.gaps)
        } else {
            service = ServiceFile.guarded(try ServiceDescription(document, named: name), from: url)
            gaps = []
        }
    }

    /// A description from a URL; its servers elsewhere get no credentials until the user names them.
    private static func guarded(_ service: ServiceDescription, from url: String?) -> ServiceDescription {
        guard let url, let origin = try? RequestURL(url).origin else { return service }
        var service = service
        for index in service.servers.indices {
            service.servers[index].isThirdParty = (try? RequestURL(service.servers[index].url).origin) != origin
        }
        return service
    }

    /// Whether a text begins as HTML or XML does, and is not a property list.
    private static func isMarkup(_ bytes: [UInt8]) -> Bool {
        ending(of: bytes) == "plist" && !bytes.starts(with: "bplist".utf8)
            && !String(decoding: bytes.prefix(1_000), as: UTF8.self).has("<plist")
    }

    /// The type of a document by its first bytes.
    private static func ending(of bytes: [UInt8]) -> String {
        let first = bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
        if first == UInt8(ascii: "<") || bytes.starts(with: "bplist".utf8) { return "plist" }
        return first == UInt8(ascii: "{") ? "json" : "yaml"
    }

    /// All problems as one mistake: the first in its line, the others after it.
    static func mistake(_ problems: ServiceProblems, _ place: String) -> UsageMistake {
        mistake(problems.problems, place)
    }

    /// The same for problems that were found separately.
    static func mistake(_ problems: [ServiceProblem], _ place: String) -> UsageMistake {
        let shown = problems.prefix(5).map(\.description).joined(separator: "; ")
        let rest = problems.count - 5
        let more = rest > 0 ? "; and \(rest) more" : ""
        return UsageMistake("\(quoted(place)) is not a valid description of a service: \(shown)\(more)")
    }
}
