// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A session in the command's own folder.
struct StoredSession: Sendable {
    let name: String
    /// The file of headers and credentials.
    let path: String
    let saved: SavedSession

    /// The names of its cookies.
    var cookies: [String] {
        guard let bytes = try? PrivateFile(SessionPlan.cookiePath(of: path)).read() else { return [] }
        return String(decoding: bytes, as: UTF8.self).parts(at: "\n").compactMap { line in
            // Seven columns in Netscape's format; other lines are comments.
            let columns = line.parts(at: "\t")
            return columns.count == 7 ? columns[5] : nil
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
