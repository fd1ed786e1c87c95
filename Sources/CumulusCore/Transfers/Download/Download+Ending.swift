// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Download {
    // MARK: An existing file

    /// Handles an existing file at the destination: returns it as the result, throws, or returns nil.
    func existing(_ path: FilePath) throws -> DownloadedFile? {
        var facts = stat()
        guard lstat(path.text, &facts) == 0 else { return nil }
        let isFile = facts.st_mode & S_IFMT == S_IFREG
        switch options.existing {
        case .skip where isFile, .extend where isFile && existingFile.isDecided:
            var verified = existingFile.verified
            if options.existing == .skip, let checksum = options.checksum {
                verified = [try checked(checksum, at: path)]
            }
            do { try options.filesInUse?.keep(path) } catch { throw named(error) }
            return DownloadedFile(
                path: path.text,
                response: response,
                byteCount: Int64(facts.st_size),
                isKept: true,
                verifiedChecksums: verified
            )
        case .extend where isFile && options.range == nil: return nil
        case .refuse, .skip, .extend: throw problem(.fileExists, PartFile.Exists(path: path.text).description, response)
        case .replace where !isFile:
            if let obstacle = Download.obstacle(at: path, facts) {
                throw named(FileProblem("replace", path.text, because: obstacle))
            }
            return nil
        case .replace, .keepBoth: return nil
        }
    }

    /// The reason why something that is not a regular file can't be replaced by one; `nil` for a symbolic link to a
    /// regular file, and for one that leads nowhere.
    private static func obstacle(at path: FilePath, _ facts: stat) -> String? {
        var facts = facts
        if facts.st_mode & S_IFMT == S_IFLNK {
            // The output of a process is not replaced, even if it is a regular file at the moment.
            if leadsToDescriptor(path) { return "it is not a regular file" }
            guard stat(path.text, &facts) == 0 else { return nil }
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: return "it is a directory"
        default: return "it is not a regular file"
        }
    }

    /// Whether a symbolic link is one of a process's open files, or leads to it: `/dev/stdout`, `/dev/fd/1`,
    /// `/proc/self/fd/1`.
    private static func leadsToDescriptor(_ link: FilePath) -> Bool {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link.text, &buffer, buffer.count)
        let target = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        return ["/dev/fd/", "/dev/std", "/proc/"].contains {
            target.starts(with: $0.utf8) || link.text.begins(with: $0)
        }
    }

    /// The checksum, after verifying that an existing file has it.
    func checked(_ checksum: Checksum, at path: FilePath) throws -> Checksum {
        let found = try digest(of: path, [checksum.algorithm]).checksum(checksum.algorithm)
        if found == checksum { return checksum }
        let digestText = found?.description ?? "none"
        let text = "\(path.text), which already exists, has the digest \(digestText), not \(checksum)"
        throw problem(.checksum, text, response)
    }

    /// Whether an existing file has all these digests.
    func has(_ checksums: [Checksum], at path: FilePath) throws -> Bool {
        let digest = try digest(of: path, checksums.map(\.algorithm))
        return checksums.allSatisfy { digest.checksum($0.algorithm) == $0 }
    }

    private func digest(of path: FilePath, _ algorithms: [Checksum.Algorithm]) throws -> RunningDigest {
        var digest = RunningDigest(algorithms)
        do {
            let file = try OpenedFile(path.text)
            while case let piece = try file.read(at: digest.count, count: FilePieces.size), !piece.isEmpty {
                try Task.checkCancellation()
                piece.withUnsafeBytes { digest.update($0) }
            }
        } catch let refusal as OpenedFile.Refusal {
            throw problem(.disk, UploadProblem(refusal).description, response)
        }
        return digest
    }

    // MARK: The downloaded file

    /// Verifies the downloaded bytes, and moves the file to its destination.
    mutating func finish() async throws -> DownloadedFile {
        response = response?.updated(from: fetch.call.record, of: number, at: fetch.pipeline.attemptLoop.clock.moment)
        guard output.file != nil, let response else {
            throw problem(.incomplete, "the download ended, but no bytes were saved", response)
        }
        let count = plan.position
        if let length = plan.length, count != length {
            throw problem(.incomplete, "\(length) bytes were expected, but the file has \(count)", response)
        }
        let verified = try await verify()
        try Task.checkCancellation()
        try fetch.call.check()
        guard let path = try await output.commit(length: count, collision, modified: modified(response)) else {
            throw problem(.incomplete, "the download ended, but no bytes were saved", response)
        }
        await taps?.finish(ExchangeEnd())
        fetch.call.observation?.stored(count)
        var result = DownloadedFile(
            path: path.text,
            response: response,
            byteCount: count,
            resumedByteCount: plan.resumed,
            replacedByteCount: existingFile.replaced,
            restartReason: plan.restartReason,
            verifiedChecksums: verified,
            contentRange: options.range == nil || count == 0
                ? nil : ContentRange(plan.base...plan.next - 1, of: plan.remote.length)
        )
        if target.isTemporary { result.owner = TemporaryFile(path) }
        return try await fetch.pipeline.postProcessing.finish(result, of: response)
    }

    private var collision: PartFile.Collision {
        switch options.existing {
        case .refuse, .skip: .refuse
        case .replace: .replace
        // Only the file that was compared with the server's.
        case .extend:
            output.file.flatMap { FileIdentity(at: $0.target) }.map { $0 == existingFile.identity } == true
                ? .replace : .refuse
        case .keepBoth: .number
        }
    }

    private func modified(_ response: Response) -> Int64? {
        guard options.setsModificationTime else { return nil }
        return response.headers[.lastModified].flatMap { HTTPDate(parsing: $0) }?.secondsSince1970
    }

    /// The digests of the whole: those that the server declared, and the requested one.
    var expected: [(checksum: Checksum, origin: String)] {
        plan.declared.map { ($0, "the server's") } + (options.checksum.map { [($0, "the expected digest")] } ?? [])
    }

    /// Verifies the digests.
    private func verify() async throws -> [Checksum] {
        let expected = expected
        guard !expected.isEmpty else { return [] }
        let digest = try await output.digest(of: plan.position, expected.map(\.checksum.algorithm))
        for (checksum, origin) in expected {
            guard let found = digest.checksum(checksum.algorithm), found == checksum else {
                let found = digest.checksum(checksum.algorithm)?.description ?? "none"
                throw problem(.checksum, "the file's digest is \(found), but \(origin) is \(checksum)", response)
            }
        }
        return expected.reduce(into: []) { all, next in if !all.contains(next.checksum) { all.append(next.checksum) } }
    }

    // MARK: Errors

    func problem(
        _ code: CumulusError.Code,
        _ message: String,
        _ response: Response? = nil
    ) -> CumulusError {
        CumulusError(
            code,
            stage: .delivery,
            message,
            request: response?.request ?? fetch.draft.bare,
            response: response
        )
    }

    /// Adds the code to a file's error; other errors are unchanged.
    func named(_ error: any Error) -> any Error {
        Download.named(error, request: response?.request ?? fetch.draft.bare, response)
    }

    static func named(_ error: any Error, request: EncodedRequest?, _ response: Response?) -> any Error {
        let error = (error as? FileFailure).map(FileProblem.init) ?? error
        let code: CumulusError.Code
        switch error {
        case is PartFile.InUse: code = .fileInUse
        case is PartFile.Exists, is FilesInUse.Taken, is DownloadExtension.Mismatch: code = .fileExists
        case is DownloadExtension.Difference: code = .remoteChanged
        case is FileProblem: code = .disk
        default: return error
        }
        return CumulusError(code, stage: .delivery, "\(error)", request: request, response: response, cause: error)
    }
}
