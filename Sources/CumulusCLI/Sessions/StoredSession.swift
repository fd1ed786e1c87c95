// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A session in the command's own folder.
struct StoredSession: Sendable {
    let name: String
    /// The file of headers and credentials.
    let path: String
    let saved: SavedSession

    /// The names of the cookies that it would send; none for a file that can't be read.
    var cookies: [String] {
        get async {
            let jar = try? await CookieJar(file: SessionPlan.cookiePath(of: path), keepsSessionCookies: true)
            return jar?.cookies.map(\.name) ?? []
        }
    }

    /// The sessions of all origins, sorted by name and origin.
    ///
    /// Files that are not sessions are omitted.
    static func all(in surroundings: Surroundings) -> [StoredSession] {
        guard let folder = StateFolder(surroundings.environment).map({ "\($0.path)/sessions" }),
            let origins = try? surroundings.readFolder(folder)
        else { return [] }
        let found = origins.flatMap { origin -> [StoredSession] in
            let names = (try? surroundings.readFolder("\(folder)/\(origin)")) ?? []
            return names.filter { $0.ends(with: ".json") }.compactMap { file in
                let path = "\(folder)/\(origin)/\(file)"
                guard let bytes = try? PrivateFile(path).read(), let saved = SavedSession(decoding: bytes) else {
                    return nil
                }
                return StoredSession(name: file.utf8.dropLast(5).text, path: path, saved: saved)
            }
        }
        return found.sorted { ($0.name, $0.saved.origin.description) < ($1.name, $1.saved.origin.description) }
    }

    /// Removes the session and its cookies, each while no other process writes it.
    ///
    /// The files of the locks stay: without them, two processes could hold a lock at once.
    ///
    /// - Throws: `FileFailure`, also if another process holds a lock too long.
    func remove() async throws {
        for path in [path, SessionPlan.cookiePath(of: path)] {
            let file = PrivateFile(path)
            try await file.exclusively(within: CommandRun.longestLock) { try file.remove() }
        }
    }
}
