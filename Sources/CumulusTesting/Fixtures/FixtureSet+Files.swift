// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusFormats
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FixtureSet {
    private static let fileLimit: Int64 = 64 << 20
    private static let countLimit = 10_000

    /// Creates a set from JSON: an object with a fixture for each signature.
    ///
    /// A fixture is an object with one of `json`, `text`, `bytes` (Base64), `file`, `failure` or `sequence`, and
    /// optionally `status`, `headers`, `delay` (seconds), `then` (`repeat` or `fail`). A string means text; an array, a
    /// number or a boolean means JSON.
    ///
    /// - Parameters:
    ///   - bytes: The JSON text.
    ///   - folder: The folder for relative `file` paths: a path or a `file:` URL; by default the working directory.
    /// - Throws: ``FixtureProblem``, which names the signature.
    public init(json bytes: some Collection<UInt8>, filesIn folder: (any Locator)? = nil) throws(FixtureProblem) {
        let document: JSON
        do {
            document = try JSON(parsing: bytes)
        } catch {
            throw FixtureProblem("the fixtures are not valid JSON: \(error)")
        }
        try self.init(document, filesIn: folder?.locatorText)
    }

    /// Creates a set from a property list, XML or binary, with the same structure as the JSON format.
    ///
    /// `bytes` may be a `Data` value.
    ///
    /// - Throws: ``FixtureProblem``, which names the signature.
    public init(propertyList bytes: some Collection<UInt8>, filesIn folder: (any Locator)? = nil) throws(FixtureProblem)
    {
        let document: PropertyList
        do {
            document = try PropertyList(parsing: ByteChunk(Array(bytes)))
        } catch {
            throw FixtureProblem("the fixtures are not a property list: \(error)")
        }
        guard case .dictionary(let fixtures) = document else {
            try self.init(document.json, filesIn: nil)
            return
        }
        let pairs = fixtures.sorted { $0.key < $1.key }.map { name, value in
            if case .data = value { (name, JSON.object(["bytes": value.json])) } else { (name, value.json) }
        }
        try self.init(.object(JSON.Object(pairs)), filesIn: folder?.locatorText)
    }

    /// Creates a set from a file: JSON or, with the extension `plist`, a property list.
    ///
    /// Paths in it are relative to its folder.
    ///
    /// - Throws: ``FixtureProblem``, which names the file.
    public init(contentsOfFile file: some Locator) throws(FixtureProblem) {
        let path = file.locatorText
        let opened = try FixtureFile(path: path)
        guard opened.length <= FixtureSet.fileLimit else {
            throw FixtureProblem("the file \(PeerText.quoted(path)) is longer than \(FixtureSet.fileLimit) bytes")
        }
        let bytes = try opened.read(0..<opened.length).bytes
        let folder = path.cut(atLast: "/").map { "\($0.before)/" }
        do throws(FixtureProblem) {
            if path.lowercased().ends(with: ".plist") {
                try self.init(propertyList: bytes, filesIn: folder)
            } else {
                try self.init(json: bytes, filesIn: folder)
            }
        } catch {
            throw FixtureProblem("in the file \(PeerText.quoted(path)): \(error.description)")
        }
    }

    /// Creates a set from the files in a folder: `posts/GET.json` responds to `GET /posts`, and `posts/GET.404.json`
    /// responds with the status 404.
    ///
    /// A folder `:id` matches any single segment. Hidden files, and files whose names don't begin with a method, are
    /// ignored. The extension determines the media type. A file is read when it is requested.
    ///
    /// - Throws: ``FixtureProblem`` for a folder that can't be read, or has more than 10,000 files.
    public init(contentsOfFolder folder: some Locator) throws(FixtureProblem) {
        let path = folder.locatorText
        self.init()
        let names: [String]
        do {
            names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
        } catch {
            throw FixtureProblem("the folder \(PeerText.quoted(path)) can't be read")
        }
        guard names.count <= FixtureSet.countLimit else {
            throw FixtureProblem("the folder \(PeerText.quoted(path)) has more than \(FixtureSet.countLimit) files")
        }
        for name in names {
            let parts = name.parts(at: "/", omitsEmpty: true)
            guard let file = parts.last, !parts.contains(where: { $0.begins(with: ".") }) else { continue }
            let words = file.parts(at: ".", omitsEmpty: true)
            guard words.count > 1, let method = words.first, method.utf8.allSatisfy({ 0x41...0x5A ~= $0 }) else {
                continue
            }
            let status = words.count > 2 ? try FixtureSet.status(words[1], of: name) : .ok
            let place = parts.dropLast().map { part in
                part == "*" || part.begins(with: ":") ? String(part) : PercentEncoding.encode(part)
            }
            let signature = try FixtureSignature(parsing: "\(method) /\(place.joined(separator: "/"))")
            self[signature] = .file("\(path)/\(name)", status: status)
        }
    }

    private static func status(_ word: Substring, of name: String) throws(FixtureProblem) -> HTTPResponse.Status {
        guard let code = Int(word), 200...599 ~= code else {
            throw FixtureProblem("the name of the file \(PeerText.quoted(name)) has no status between its dots")
        }
        return HTTPResponse.Status(code: code)
    }

    private init(_ document: JSON, filesIn folder: String?) throws(FixtureProblem) {
        guard let object = document.object else {
            throw FixtureProblem("the fixtures must be an object whose member names are signatures")
        }
        self.init()
        for (name, value) in object {
            let signature = try FixtureSignature(parsing: name)
            do throws(FixtureProblem) {
                self[signature] = try FixtureDescription(value, filesIn: folder, depth: 0).fixture
            } catch {
                throw FixtureProblem("in the fixture for \(PeerText.quoted(name)): \(error.description)")
            }
        }
    }
}
