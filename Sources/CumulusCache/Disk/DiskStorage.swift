// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Logging
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keeps responses in a folder that several processes may use at once.
///
/// No lock is held: a body's file has a name that no other has, and counts once a head names it; heads are replaced by
/// renaming. Nothing is synced to the disk, since a power failure can only make files that their checksums don't fit.
final class DiskStorage: CacheStorage {
    private struct State {
        var folder: CacheFolder?
        var isOpened = false
        /// About how many bytes there are; `nil` until they are counted.
        var total: Int64?
        var hasWarned = false
    }

    private let parent: String
    private let capacity: Int64
    private let logger: Logger
    /// Heads, and what is written.
    private let queue = DiskQueue("cumulus.cache")
    private let bodies = DiskQueue("cumulus.cache.bodies")
    private let state = Mutex(State())

    init(_ parent: String, capacity: Int64, logger: Logger) {
        (self.parent, self.capacity, self.logger) = (parent, capacity, logger)
    }

    func responses(for place: CachePlace) async -> [KeptResponse] {
        (try? await queue.run { [self] in kept(place) }) ?? []
    }

    func write(_ response: CachedResponse, for place: CachePlace, length: Int64?) async -> (any CacheWriter)? {
        // A secret that a response depends on would have to be written.
        guard !response.selecting.fields.contains(where: { $0.value != nil && Redaction.isSecret($0.name) }),
            length ?? 0 <= capacity / 4
        else { return nil }
        return try? await queue.run { [self] in writer(response, place) }
    }

    func update(_ kept: KeptResponse, to response: CachedResponse?, for place: CachePlace) async {
        try? await queue.run { [self] in
            guard let folder = folder() else { return }
            let urlFolder = folder.folder(of: place.url)
            let old = FilePath(urlFolder.text, kept.id)
            guard let head = head(old, place, folder) else { return }
            guard let response else { return remove(old, head, urlFolder) }
            let new = StoredHead(response: response, body: head.body, length: head.length)
            let name = folder.headName(response.selecting, place)
            if save(new, as: name, place, folder), name != kept.id { unlink(old.text) }
        }
    }

    func remove(_ url: String?) async {
        try? await queue.run { [self] in
            guard let folder = folder() else { return }
            let urls = url.map { [folder.folder(of: $0)] } ?? DiskSweep(folder).folders
            for urlFolder in urls { DiskSweep.removeAll(in: urlFolder) }
            if url == nil { state.withLock { $0.total = 0 } }
        }
    }

    // MARK: On the queue

    /// The folder; opened at the first use, so that making a cache never fails.
    private func folder() -> CacheFolder? {
        if state.withLock(\.isOpened) { return state.withLock(\.folder) }
        var opened: CacheFolder?
        do throws(FileFailure) {
            opened = try CacheFolder(in: parent)
        } catch {
            warn(error)
        }
        state.withLock { state in
            (state.folder, state.isOpened) = (opened, true)
        }
        return opened
    }

    private func kept(_ place: CachePlace) -> [KeptResponse] {
        guard let folder = folder() else { return [] }
        let urlFolder = folder.folder(of: place.url)
        let prefix = folder.prefix(place)
        var found: [KeptResponse] = []
        for name in CacheFolder.names(in: urlFolder)
        where name.begins(with: prefix) && name.ends(with: CacheFolder.headEnding) && CacheFolder.isOwn(name) {
            let path = FilePath(urlFolder.text, name)
            guard let head = head(path, place, folder) else {
                unlink(path.text)
                continue
            }
            let bodyPath = FilePath(urlFolder.text, head.body)
            let body = StoredBody(bodyPath, name: head.body, length: head.length, queue: bodies) { unlink(path.text) }
            guard let body else {
                remove(path, head, urlFolder)
                continue
            }
            DiskSweep.touch(path)
            found.append(KeptResponse(id: name, response: head.response, body: body))
        }
        return found
    }

    /// Reads a head; `nil` if it is damaged, or another user's.
    private func head(_ path: FilePath, _ place: CachePlace, _ folder: CacheFolder) -> StoredHead? {
        guard let bytes = try? PrivateFile(path, longest: StoredHead.longest).read() else { return nil }
        guard let head = StoredHead(bytes, of: folder.code(of: place), keyedBy: folder.key) else { return nil }
        return head.body.ends(with: CacheFolder.bodyEnding) && CacheFolder.isOwn(head.body) ? head : nil
    }

    private func writer(_ response: CachedResponse, _ place: CachePlace) -> (any CacheWriter)? {
        guard let folder = folder() else { return nil }
        let urlFolder = folder.folder(of: place.url)
        let name = CacheFolder.newBodyName()
        var problem: FileFailure?
        // A sweep of another process may remove the folder while it is empty.
        for _ in 0..<3 {
            do throws(FileFailure) {
                try FilePath.makeDirectory(urlFolder.text)
                return try bodyWriter(name, response, place, folder)
            } catch {
                problem = error
                if error.errorNumber != ENOENT { break }
            }
        }
        if let problem { warn(problem) }
        return nil
    }

    private func bodyWriter(
        _ name: String,
        _ response: CachedResponse,
        _ place: CachePlace,
        _ folder: CacheFolder
    ) throws(FileFailure) -> StoredBodyWriter {
        let path = FilePath(folder.folder(of: place.url).text, name)
        return try StoredBodyWriter(path, name: name, limit: capacity / 4, queue: queue) { [self] result in
            switch result {
            case .success(let length):
                let head = StoredHead(response: response, body: name, length: length)
                if save(head, as: folder.headName(response.selecting, place), place, folder) {
                    count(BodyBlocks.fileLength(of: length) + 2_048, folder)
                } else {
                    unlink(path.text)
                }
            case .failure(let problem): warn(problem)
            }
        }
    }

    /// Writes a head, and removes the body of the one that it replaces.
    private func save(_ head: StoredHead, as name: String, _ place: CachePlace, _ folder: CacheFolder) -> Bool {
        let urlFolder = folder.folder(of: place.url)
        let path = FilePath(urlFolder.text, name)
        let bytes = head.bytes(of: folder.code(of: place), keyedBy: folder.key)
        guard bytes.count <= StoredHead.longest else { return false }
        let old = self.head(path, place, folder)
        do throws(FileFailure) {
            try CacheFolder.replace(path, with: bytes)
        } catch {
            warn(error)
            return false
        }
        if let old, old.body != head.body {
            unlink(FilePath(urlFolder.text, old.body).text)
            state.withLock { $0.total = $0.total.map { $0 - BodyBlocks.fileLength(of: old.length) } }
        }
        return true
    }

    private func remove(_ path: FilePath, _ head: StoredHead, _ urlFolder: FilePath) {
        unlink(path.text)
        unlink(FilePath(urlFolder.text, head.body).text)
    }

    /// Counts what was written, and makes room.
    private func count(_ bytes: Int64, _ folder: CacheFolder) {
        let total = state.withLock { state in
            state.total = state.total.map { $0 + bytes }
            return state.total
        }
        guard total ?? .max > capacity else { return }
        // Other processes write, too, so it is counted anew.
        let left = DiskSweep(folder).shrink(to: capacity)
        state.withLock { $0.total = left }
    }

    /// Says once that something is wrong; after that, the cache just has less.
    private func warn(_ problem: FileFailure) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        if isFirst { logger.warning("the cache can't use its folder", metadata: ["problem": "\(problem)"]) }
    }
}
