// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The configuration files of working folders that the user trusts, by path and content.
struct TrustedFiles {
    /// Whether a file is trusted.
    enum Trust {
        case none
        /// It was trusted with another content.
        case changed
        case full
    }

    private let file: PrivateFile

    /// Below the command's state folder; `nil` if that is not known.
    init?(_ environment: [String: String]) {
        guard let folder = StateFolder(environment) else { return nil }
        file = PrivateFile("\(folder.path)/trusted.json")
    }

    /// Whether a file with this content is trusted.
    func trust(of path: String, _ bytes: [UInt8]) throws(FileFailure) -> Trust {
        guard let digest = try digests()[path] else { return .none }
        return digest == TrustedFiles.digest(bytes) ? .full : .changed
    }

    /// Trusts a file with this content only; two commands at the same time keep each other's entries.
    func add(_ path: String, _ bytes: [UInt8]) async throws {
        try await file.exclusively {
            var digests = try digests()
            digests[path] = TrustedFiles.digest(bytes)
            try write(digests)
        }
    }

    /// Stops trusting a file.
    ///
    /// - Returns: Whether it was trusted.
    func remove(_ path: String) async throws -> Bool {
        try await file.exclusively {
            var digests = try digests()
            guard digests.removeValue(forKey: path) != nil else { return false }
            try write(digests)
            return true
        }
    }

    /// The stored digests; a file that another program wrote counts as missing: nothing in it is trusted.
    private func digests() throws(FileFailure) -> [String: String] {
        guard let bytes = try file.read(), let json = try? JSON(parsing: bytes), json["version"].int == 1 else {
            return [:]
        }
        var digests: [String: String] = [:]
        for (path, digest) in json["files"].object ?? JSON.Object() { digests[path] = digest.string }
        return digests
    }

    private func write(_ digests: [String: String]) throws(FileFailure) {
        let files = JSON.Object(digests.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        let json: JSON = ["version": 1, "files": .object(files)]
        try file.write(json.encoded() + [UInt8(ascii: "\n")])
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        "sha256:" + MessageDigest.hexadecimal(MessageDigest.sha256(of: bytes))
    }
}
