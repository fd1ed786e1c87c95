// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Finds the service of a command line: in the user's folder, or in a file that the user trusts.
struct ServiceLookup {
    private let surroundings: Surroundings
    let folder: ServiceFolder?
    let trust: ServiceTrust?

    /// Whether a word may belong to an option's secret that contains a space.
    private let hidesWords: Bool

    init(_ surroundings: Surroundings, for arguments: Arguments? = nil) {
        self.surroundings = surroundings
        hidesWords = arguments?.mayContinueSecret ?? false
        folder = ServiceFolder(surroundings)
        trust = ServiceTrust(surroundings)
    }

    /// The user's folder.
    func ownFolder() throws(UsageMistake) -> ServiceFolder {
        guard let folder else {
            throw UsageMistake("services can't be saved: neither XDG_CONFIG_HOME nor HOME is set")
        }
        return folder
    }

    /// The service with a name or file, for calls.
    ///
    /// - Throws: ``UsageMistake`` if it doesn't exist, can't be read, or is not trusted.
    func service(_ word: String) throws(UsageMistake) -> ServiceFile {
        let (path, isOwn) = try path(of: word)
        let bytes = try ServiceFile.bytes(ofFile: path)
        if !isOwn {
            guard try trust?.trusts(path, bytes) ?? false else {
                throw UsageMistake(
                    "the service file \(quoted(path)) is not in your services folder, and its content is not trusted",
                    hint: "review it with cumulus services show \(path), then run cumulus services trust \(path)"
                )
            }
        }
        return try ServiceFile(bytes, path: path)
    }

    /// The service with a name or file, only for showing it.
    func shown(_ word: String) throws(UsageMistake) -> ServiceFile { try ServiceFile(path: try path(of: word).path) }

    /// The files of a service in the user's folder: one for each extension that it has there.
    ///
    /// - Throws: ``UsageMistake`` if there is none.
    func ownFiles(of name: String) throws(UsageMistake) -> [String] {
        let (path, isOwn) = try path(of: name)
        guard isOwn, let folder else {
            throw UsageMistake("\(quoted(path)) was not removed, because it is not in your services folder")
        }
        let name = ServiceFolder.name(ofFile: path)
        return ServiceFolder.endings.map { "\(folder.path)/\(name).\($0)" }.filter(ServiceStorage.isThere)
    }

    /// The file that a word refers to, and whether it is in the user's folder.
    func path(of word: String) throws(UsageMistake) -> (path: String, isOwn: Bool) {
        if word.isEmpty { throw UsageMistake("the service's name is empty") }
        if !word.has(anyOf: "/"), let file = folder?.file(word) { return (file, true) }
        let candidates =
            word.has(anyOf: "/") || ServiceFolder.ending(of: word) != nil
            ? [surroundings.readFile.expanded(word)] : ServiceFolder.endings.map { "\(word).\($0)" }
        if let found = candidates.map(ServiceStorage.absolute).first(where: ServiceStorage.isThere) {
            let isOwn = folder.map { found.utf8.starts(with: "\($0.path)/".utf8) && !found.has("/..") } ?? false
            return (found, isOwn)
        }
        let names = folder?.names ?? []
        let similar = SimilarName.of(word, among: names)
        let list = names.joined(separator: ", ")
        let known = names.isEmpty ? "cumulus services import URL adds one" : "services: \(list)"
        throw UsageMistake(
            hidesWords ? "unknown service" : "unknown service \(quotedURL(word))",
            hint: similar.map { "did you mean \($0)?" } ?? (hidesWords ? UsageMistake.spacedSecretHint : known)
        )
    }
}
