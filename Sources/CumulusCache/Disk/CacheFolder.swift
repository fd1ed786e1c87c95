// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The files of a cache: in a subfolder whose name contains the version of their format, with one folder for each URL.
///
/// File names are codes under the folder's key, and never contain text from outside. Only files with such names are
/// removed.
struct CacheFolder: Sendable {
    let root: FilePath
    /// A random key that is made with the folder.
    let key: [UInt8]
    /// A folder of another version that existed when this one was made; it isn't read.
    var other: String?

    private static let stem = "cumulus-responses-"
    /// Another file format needs another number.
    static let name = "\(stem)3"
    private static let keySize = 32
    static let headEnding = ".head"
    static let bodyEnding = ".body"
    static let draftEnding = ".new"

    /// Opens the folder, or creates it, readable only by its owner.
    ///
    /// - Throws: `FileFailure`.
    init(in parent: String) throws(FileFailure) {
        root = FilePath(parent, CacheFolder.name)
        if access(root.text, F_OK) != 0 { other = CacheFolder.otherVersion(in: parent) }
        try FilePath.makeDirectory(root.text)
        try CacheFolder.check(root)
        key = try CacheFolder.keyFile(root).sharedKey(size: CacheFolder.keySize)
    }

    /// Opens the folder only if it exists; `nil` if it doesn't.
    ///
    /// - Throws: `FileFailure`.
    init?(existingIn parent: String) throws(FileFailure) {
        root = FilePath(parent, CacheFolder.name)
        if access(root.text, F_OK) != 0 {
            guard let stream = opendir(parent) else {
                let failure = FileFailure("read", parent)
                if failure.errorNumber == ENOENT { return nil }
                throw failure
            }
            closedir(stream)
            guard let other = CacheFolder.otherVersion(in: parent) else { return nil }
            throw FileFailure("read", parent, because: "it contains a cache written by another version, \"\(other)\"")
        }
        try CacheFolder.check(root)
        guard let key = try CacheFolder.keyFile(root).read(), key.count == CacheFolder.keySize else {
            throw FileFailure("read", root.text, because: "it does not contain a key of \(CacheFolder.keySize) bytes")
        }
        self.key = key
    }

    private static func check(_ root: FilePath) throws(FileFailure) {
        var facts = stat()
        guard lstat(root.text, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid(),
            facts.st_mode & 0o077 == 0
        else { throw FileFailure("use", root.text, because: "it is not a folder that only its owner can read") }
    }

    private static func keyFile(_ root: FilePath) -> PrivateFile { PrivateFile(FilePath(root.text, "key")) }

    private static func otherVersion(in parent: String) -> String? {
        FilePath.names(inDirectory: parent, followsLinks: true).filter { $0.begins(with: stem) && $0 != name }.min()
    }

    /// The folder of a URL.
    func folder(of url: String) -> FilePath {
        FilePath(
            root.text,
            String(MessageDigest.hexadecimal(HMAC(key: key).code(of: Array("url \(url)".utf8))).prefix(32))
        )
    }

    /// The data that the codes of heads cover: the URL, the user, and the content of a QUERY.
    func code(of place: CachePlace) -> [UInt8] {
        let text = place.content.map { "\(place.url)\n\($0)" } ?? place.url
        return Array(HMAC(key: key).code(of: place.partition.code(keyedBy: key) + Array(text.utf8)).prefix(16))
    }

    /// The same code, read from the name of a head; `nil` for another name.
    static func code(inName name: String) -> [UInt8]? {
        guard isOwn(name), name.ends(with: headEnding) else { return nil }
        let digits = Array(name.utf8.prefix(32))
        return stride(from: 0, to: 32, by: 2).map { place in
            digits[place...(place + 1)].reduce(0) { $0 << 4 | ($1 & 15) + ($1 > UInt8(ascii: "9") ? 9 : 0) }
        }
    }

    /// The beginning of the names of a user's heads.
    func prefix(_ place: CachePlace) -> String { MessageDigest.hexadecimal(code(of: place)) + "-" }

    /// The name of a response's head.
    func headName(_ selecting: SelectingFields, _ place: CachePlace) -> String {
        var text = "selecting"
        for field in selecting.fields {
            text += "\n\(field.name.utf8.count) \(field.name) \(field.digest ?? "none")"
        }
        let code = MessageDigest.hexadecimal(HMAC(key: key).code(of: Array(text.utf8)))
        return prefix(place) + code.prefix(16) + CacheFolder.headEnding
    }

    /// A unique name for a new body.
    static func newBodyName() -> String {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return MessageDigest.hexadecimal(bytes) + bodyEnding
    }

    /// Replaces a file by renaming a draft; without a sync, unlike `PrivateFile`.
    static func replace(_ path: FilePath, with bytes: [UInt8]) throws(FileFailure) {
        let number = UInt32.random(in: .min ... .max)
        let draft = FilePath("\(path.text).\(number)\(draftEnding)")
        try PrivateFile.create(draft, with: bytes, isFlushed: false)
        guard rename(draft.text, path.text) == 0 else {
            let problem = FileFailure("replace", path.text)
            unlink(draft.text)
            throw problem
        }
    }

    /// Whether a file's name has the format of this cache.
    static func isOwn(_ name: String) -> Bool {
        guard let point = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
        let ending = name[point...]
        let isCode = name[..<point].utf8.allSatisfy { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
                || byte == UInt8(ascii: "-")
        }
        let count = name[..<point].utf8.count
        if ending == bodyEnding { return isCode && count == 32 }
        let isDraft = ending.begins(with: headEnding) && ending.ends(with: draftEnding)
        return isCode && count == 49 && (ending == headEnding || isDraft)
    }

    /// Whether a folder's name has the format of this cache.
    static func isOwnFolder(_ name: String) -> Bool {
        name.utf8.count == 32
            && name.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
    }
}
