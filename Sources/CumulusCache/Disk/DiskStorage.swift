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

/// Stores responses in a folder that several processes may use at once.
///
/// It needs no lock: a body's file has a unique name, and is only used once a head contains that name. Heads are
/// replaced by renaming. Nothing is synced to the disk, since a power failure can only leave files that don't match
/// their checksums.
final class DiskStorage: CacheStorage {
    private struct State {
        var folder: CacheFolder?
        /// The time of the last attempt to open it.
        var tried: ContinuousClock.Instant?
        /// The approximate number of bytes; `nil` until they are counted.
        var total: Int64?
        /// The number of bytes that are being written.
        var arriving: Int64 = 0
        var hasWarned = false
    }

    private let parent: String
    private let capacity: Int64
    private let logger: Logger
    /// For heads and for writing.
    private let queue = DiskQueue("cumulus.cache")
    private let bodies = DiskQueue("cumulus.cache.bodies")
    private let state = Mutex(State())
    /// The time after which a folder that couldn't be opened is tried again.
    private let pause: Duration

    /// The maximum number of responses to one URL for one user.
    static let mostVariants = 32

    init(_ parent: String, capacity: Int64, logger: Logger, pause: Duration = .seconds(60)) {
        (self.parent, self.capacity, self.logger, self.pause) = (parent, capacity, logger, pause)
    }

    func responses(for place: CachePlace) async -> [KeptResponse] {
        (try? await queue.run { [self] in kept(place) }) ?? []
    }

    func write(_ response: CachedResponse, for place: CachePlace, length: Int64?) async -> (any CacheWriter)? {
        // A body of unknown length begins with one block.
        let reservation = Reservation(self)
        guard reservation.grow(to: length ?? Int64(BodyBlocks.size)) else { return nil }
        return try? await queue.run { [self] in writer(response, place, reservation) }
    }

    /// The reserved size of a body that is being written.
    ///
    /// All of them together get at most half of the cache, and release it at their end.
    private final class Reservation: Sendable {
        private let storage: WeakReference<DiskStorage>
        private let taken = Mutex<Int64>(0)

        init(_ storage: DiskStorage) { self.storage = WeakReference(storage) }

        deinit { storage.object?.give(taken.withLock(\.self)) }

        /// Whether a body of this length fits.
        func grow(to length: Int64) -> Bool {
            guard let storage = storage.object, length <= storage.capacity / 4 else { return false }
            let room = DiskStorage.room(for: length)
            return taken.withLock { taken in
                guard room <= taken || storage.take(room - taken) else { return false }
                taken = max(taken, room)
                return true
            }
        }
    }

    private func take(_ room: Int64) -> Bool {
        state.withLock { state in
            guard state.arriving == 0 || state.arriving + room <= capacity / 2 else { return false }
            state.arriving += room
            return true
        }
    }

    private func give(_ room: Int64) { state.withLock { $0.arriving -= room } }

    /// The disk space of a body of a length, its head and their folder, whose smallest unit is a block.
    private static func room(for length: Int64) -> Int64 {
        (BodyBlocks.fileLength(of: length) + DiskSweep.block - 1) / DiskSweep.block * DiskSweep.block + 2
            * DiskSweep.block
    }

    func update(_ kept: KeptResponse, to response: CachedResponse?, for place: CachePlace) async {
        try? await queue.run { [self] in
            guard let folder = folder(), let id = DiskStorage.names(in: kept.id) else { return }
            let old = FilePath(folder.folder(of: place.url).text, id.head)
            guard let response else { return remove(old, ifNaming: id.body, place, folder) }
            // Another version may have been stored in the meantime, whose body isn't this response's.
            guard let head = head(old, place, folder), head.body == id.body else { return }
            let new = StoredHead(response, at: place, body: head.body, length: head.length)
            let name = folder.headName(response.selecting, place)
            if save(new, as: name, place, folder), name != id.head { unlink(old.text) }
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

    /// The folder.
    ///
    /// It is opened at the first use, so that making a cache never fails.
    private func folder() -> CacheFolder? {
        let now = ContinuousClock.now
        let (folder, tried) = state.withLock { ($0.folder, $0.tried) }
        if let folder { return folder }
        if let tried, tried.duration(to: now) < pause { return nil }
        var opened: CacheFolder?
        do throws(FileFailure) {
            opened = try CacheFolder(in: parent)
            if let other = opened?.other {
                logger.warning(
                    "the cache ignores a folder written by another version",
                    metadata: ["folder": "\(other)"]
                )
            }
        } catch {
            warn(error)
        }
        state.withLock { state in
            (state.folder, state.tried) = (opened, now)
        }
        return opened
    }

    private func kept(_ place: CachePlace) -> [KeptResponse] {
        guard let folder = folder() else { return [] }
        return headPaths(place, folder).compactMap { path in
            let found = reading(path, place, folder)
            if case .damaged = found { unlink(path.text) }
            guard case .head(let head) = found else { return nil }
            let body = LateBody(length: head.length) { [self] in
                (try? await queue.run { self.body(of: head, path, place, folder) }) ?? nil
            }
            return KeptResponse(id: "\(path.name) \(head.body)", response: head.response, body: body)
        }
    }

    /// The files of a user's heads for a URL.
    private func headPaths(_ place: CachePlace, _ folder: CacheFolder) -> [FilePath] {
        let urlFolder = folder.folder(of: place.url)
        let prefix = folder.prefix(place)
        return FilePath.names(inDirectory: urlFolder.text)
            .filter { $0.begins(with: prefix) && $0.ends(with: CacheFolder.headEnding) && CacheFolder.isOwn($0) }
            .map { FilePath(urlFolder.text, $0) }
    }

    /// Opens a body.
    ///
    /// If the body is missing or damaged, its head is removed, but not if it only can't be read at the moment.
    private func body(of head: StoredHead, _ path: FilePath, _ place: CachePlace, _ folder: CacheFolder) -> StoredBody?
    {
        let bodyPath = FilePath(path.directory, head.body)
        do throws(StoredBodyProblem) {
            let body = try StoredBody(bodyPath, name: head.body, length: head.length, queue: bodies) { [self] in
                queue.post { self.remove(path, ifNaming: head.body, place, folder) }
            }
            DiskSweep.touch(path)
            return body
        } catch {
            if case .isGone = error { remove(path, ifNaming: head.body, place, folder) }
            return nil
        }
    }

    /// The names of the head's file and of the body's file, which identify a response.
    private static func names(in id: String) -> (head: String, body: String)? {
        guard let names = id.cut(at: " ") else { return nil }
        let (head, body) = (String(names.before), String(names.behind))
        return CacheFolder.isOwn(head) && CacheFolder.isOwn(body) ? (head, body) : nil
    }

    private enum Reading {
        case head(StoredHead)
        /// The file is missing, or can't be read at the moment.
        case nothing
        case damaged
    }

    private func reading(_ path: FilePath, _ place: CachePlace, _ folder: CacheFolder) -> Reading {
        guard let bytes = (try? PrivateFile(path, longest: StoredHead.longest).read()) ?? nil else { return .nothing }
        guard let head = StoredHead(bytes, of: folder.code(of: place), keyedBy: folder.key),
            head.body.ends(with: CacheFolder.bodyEnding), CacheFolder.isOwn(head.body)
        else { return .damaged }
        return .head(head)
    }

    /// Reads a head; `nil` if it can't be read, is damaged, or belongs to another user.
    private func head(_ path: FilePath, _ place: CachePlace, _ folder: CacheFolder) -> StoredHead? {
        if case .head(let head) = reading(path, place, folder) { head } else { nil }
    }

    private func writer(
        _ response: CachedResponse,
        _ place: CachePlace,
        _ reservation: Reservation
    ) -> (any CacheWriter)? {
        guard let folder = folder() else { return nil }
        let urlFolder = folder.folder(of: place.url)
        let name = CacheFolder.newBodyName()
        var problem: FileFailure?
        // A sweep of another process may remove the folder while it is empty.
        for _ in 0..<3 {
            do throws(FileFailure) {
                try FilePath.makeDirectory(urlFolder.text)
                return try bodyWriter(name, response, place, folder, reservation)
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
        _ folder: CacheFolder,
        _ reservation: Reservation
    ) throws(FileFailure) -> StoredBodyWriter {
        let path = FilePath(folder.folder(of: place.url).text, name)
        return try StoredBodyWriter(path, name: name, queue: queue, hasRoom: reservation.grow) { [self] result in
            switch result {
            case .success(let length):
                let head = StoredHead(response, at: place, body: name, length: length)
                if save(head, as: folder.headName(response.selecting, place), place, folder) {
                    limitVariants(place, folder)
                    count(DiskStorage.room(for: length), folder)
                } else {
                    unlink(path.text)
                }
            case .failure(let problem): warn(problem)
            }
        }
    }

    /// Writes a head, and removes the body of the head that it replaces.
    private func save(_ head: StoredHead, as name: String, _ place: CachePlace, _ folder: CacheFolder) -> Bool {
        let urlFolder = folder.folder(of: place.url)
        let path = FilePath(urlFolder.text, name)
        let bytes = head.bytes(of: folder.code(of: place), keyedBy: folder.key)
        guard bytes.count <= StoredHead.longest else { return false }
        let old = self.head(path, place, folder)
        do throws(FileFailure) {
            try CacheFolder.replace(path, with: bytes)
        } catch {
            // Another process may have removed the URL's responses, with their folder.
            if error.errorNumber != ENOENT { warn(error) }
            return false
        }
        if let old, old.body != head.body {
            unlink(FilePath(urlFolder.text, old.body).text)
            state.withLock { $0.total = $0.total.map { $0 - DiskStorage.room(for: old.length) } }
        }
        return true
    }

    /// Removes a response, unless its head contains the name of another body by now.
    private func remove(_ path: FilePath, ifNaming body: String, _ place: CachePlace, _ folder: CacheFolder) {
        guard head(path, place, folder)?.body == body else { return }
        unlink(path.text)
        unlink(FilePath(path.directory, body).text)
    }

    /// Removes the least recently used variants, if there are too many.
    private func limitVariants(_ place: CachePlace, _ folder: CacheFolder) {
        let paths = headPaths(place, folder)
        guard paths.count > DiskStorage.mostVariants else { return }
        let old = paths.sorted { DiskSweep.used($0) < DiskSweep.used($1) }
        for path in old.prefix(paths.count - DiskStorage.mostVariants) {
            if let head = head(path, place, folder) { remove(path, ifNaming: head.body, place, folder) }
        }
    }

    /// Counts the bytes that were written, and makes room.
    private func count(_ bytes: Int64, _ folder: CacheFolder) {
        let total = state.withLock { state in
            state.total = state.total.map { $0 + bytes }
            return state.total
        }
        guard total ?? .max > capacity else { return }
        // Other processes write as well, so the total is counted again.
        let left = DiskSweep(folder).shrink(to: capacity)
        state.withLock { $0.total = left }
    }

    /// Logs the first problem only; after that, the cache just stores less.
    private func warn(_ problem: FileFailure) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        if isFirst { logger.warning("the cache can't use its folder", metadata: ["problem": "\(problem)"]) }
    }
}
