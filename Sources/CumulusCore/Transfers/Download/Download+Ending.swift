// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Download {
    /// A file that is at the destination, found once the answer had named it.
    struct Found: Error {
        let path: FilePath
    }

    /// What a file at the destination means: the result, an error, or nothing.
    func existing(_ path: FilePath) throws -> DownloadedFile? {
        var facts = stat()
        guard lstat(path.text, &facts) == 0 else { return nil }
        let isFile = facts.st_mode & S_IFMT == S_IFREG
        switch options.existing {
        case .skip where isFile:
            return DownloadedFile(
                path: path.text,
                response: response,
                byteCount: Int64(facts.st_size),
                verifiedChecksums: try options.checksum.map { [try checked($0, at: path)] } ?? []
            )
        case .refuse, .skip: throw problem(.fileExists, PartFile.Exists(path: path.text).description, response)
        // A device would become a file of its name.
        case .replace where !isFile && facts.st_mode & S_IFMT != S_IFLNK:
            let isDirectory = facts.st_mode & S_IFMT == S_IFDIR
            let reason = isDirectory ? "it is a directory" : "it is no plain file"
            throw named(FileProblem("replace", path.text, because: reason))
        case .replace, .keepBoth: return nil
        }
    }

    /// The checksum, once a file that was there before is found to have it.
    private func checked(_ checksum: Checksum, at path: FilePath) throws -> Checksum {
        var digest = RunningDigest([checksum.algorithm])
        do {
            let file = try OpenedFile(path.text)
            while case let piece = try file.read(at: digest.count, count: FilePieces.size), !piece.isEmpty {
                try Task.checkCancellation()
                piece.withUnsafeBytes { digest.update($0) }
            }
        } catch let error as UploadProblem {
            throw problem(.disk, error.description, response)
        }
        let found = digest.checksum(checksum.algorithm)
        if found == checksum { return checksum }
        let digestText = found?.description ?? "none"
        let text = "\(path.text), which is there already, has the digest \(digestText), not \(checksum)"
        throw problem(.checksum, text, response)
    }

    /// Checks what came, and gives the file its place.
    mutating func finish() async throws -> DownloadedFile {
        guard let file, let response else { throw problem(.incomplete, "there is nothing to keep", response) }
        if let end, base + position != end {
            throw problem(.incomplete, "\(end - base) bytes were wanted, and \(position) are there", response)
        }
        let verified = try await verify(file)
        try Task.checkCancellation()
        try fetch.call.check()
        let path: FilePath
        do {
            path = try await file.commit(length: position, collision, modified: modified(response))
        } catch {
            throw named(error)
        }
        // From here on the file is the caller's.
        self.file = nil
        counter?.finish()
        fetch.call.observation?.stored(position)
        let result = DownloadedFile(
            path: path.text,
            response: response,
            byteCount: position,
            resumedByteCount: resumed,
            verifiedChecksums: verified,
            contentRange: options.range == nil || position == 0
                ? nil : ContentRange(base...base + position - 1, of: remote.length),
            owner: target.isTemporary ? TemporaryFile(path) : nil
        )
        return try await fetch.pipeline.postProcessing.finish(result, of: response)
    }

    /// After an error: what another download may use is kept, everything else that this one made is removed.
    func leave(after error: any Error) async {
        guard let file else { return }
        defer { file.part.unlock() }
        if leavesEarlier { return }
        let code = (error as? CumulusError)?.code
        let isWorthless = code == .checksum || code == .remoteChanged || code == .fileExists
        let count = max(position, pieces.count)
        if options.keeps, !target.isTemporary, count > 0, remote.condition != nil, !isWorthless {
            // The record before stays where there is no room for this one; it is as true as it was.
            try? await file.keep(record)
        } else {
            await file.discard()
        }
    }

    private var collision: PartFile.Collision {
        switch options.existing {
        case .refuse, .skip: .refuse
        case .replace: .replace
        case .keepBoth: .number
        }
    }

    private func modified(_ response: Response) -> Int64? {
        guard options.setsModificationTime else { return nil }
        return response.headers[.lastModified].flatMap { HTTPDate(parsing: $0) }?.secondsSince1970
    }

    /// Compares the digests; those that the server told, and the one that was asked for.
    private func verify(_ file: DownloadFile) async throws -> [Checksum] {
        let expected =
            declared.map { ($0, "is what the server told") }
            + (options.checksum.map { [($0, "is what was asked for")] } ?? [])
        guard !expected.isEmpty else { return [] }
        var digest = writer?.digest ?? RunningDigest(expected.map(\.0.algorithm))
        if digest.count != position {
            do {
                digest = try await file.digest(of: position, with: digest.count < position ? digest : digest.anew)
            } catch { throw named(error) }
        }
        for (checksum, origin) in expected {
            guard let found = digest.checksum(checksum.algorithm), found == checksum else {
                let found = digest.checksum(checksum.algorithm)?.description ?? "none"
                throw problem(.checksum, "the file's digest is \(found); \(checksum) \(origin)", response)
            }
        }
        return expected.reduce(into: []) { all, next in if !all.contains(next.0) { all.append(next.0) } }
    }
}
