// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Downloads of files that a server labels with a content coding, although no coding was requested.
@Suite(.timeLimit(.minutes(10))) struct FileCodingTests {
    @Test(
        "the coding of a `.tar.gz` file is the file's own",
        arguments: [
            ("gzip", "/a.tar.gz", "text/plain", true), ("x-gzip", "/a.tgz", nil, true),
            ("GZIP", "/A.TAR.GZ", nil, true),
            ("gzip", "/a", "application/x-gzip", true), ("gzip", "/a", "application/gzip; x=y", true),
            ("gzip", "/a", "application/x-tar+gzip", true),
            ("x-compress", "/a.Z", nil, true), ("zstd", "/a.zst", nil, true), ("bzip2", "/a.tar.bz2", nil, true),
            ("gzip", "/a.html", "text/html", false), ("gzip", "/a.gz.html", nil, false), ("gzip", "/a.bz2", nil, false),
            ("br", "/a.gz", "application/gzip", false), ("gzip, gzip", "/a.gz", nil, false),
            ("deflate", "/a.gz", nil, false),
            ("identity", "/a.gz", nil, false),
        ] as [(String, String, String?, Bool)]
    ) func formats(coding: String, name: String, type: String?, expected: Bool) {
        var fields: HTTPFields = [.contentEncoding: coding]
        fields[.contentType] = type
        #expect(FileCoding.isFormat(of: fields, named: [name, ""]) == expected)
    }

    private func bench(_ coding: String = "gzip", _ bytes: [UInt8] = CodedSample.gzip) throws -> DownloadBench {
        let bench = try DownloadBench()
        bench.remote.change { state in
            state.bytes = bytes
            state.extra[.contentEncoding] = .init(coding)
        }
        return bench
    }

    @Test("such a file is saved as it is sent") func archives() async throws {
        let bench = try bench()
        let file = try await bench.site["a.tar.gz"].download(to: .file(bench.path))
        #expect(bench.bytes() == CodedSample.gzip && file.byteCount == Int64(CodedSample.gzip.count))
        #expect(bench.remote.seen.map { $0[.acceptEncoding] } == ["identity"])
    }

    @Test(
        "the file's name is also the one that the server suggests",
        arguments: [
            ("attachment; filename=\"a.gz\"", true), ("attachment; filename=a.tar.gz; size=900", true),
            ("attachment; filename*=UTF-8''%61.gz", true), ("attachment; filename=page.html; x=\"a.gz\"", false),
            ("inline", false),
        ]
    ) func suggestedNames(disposition: String, isFile: Bool) async throws {
        let bench = try bench()
        bench.remote.change { $0.extra[.contentDisposition] = .init(disposition) }
        _ = try await bench.site["export"].download(to: .file(bench.path))
        #expect(bench.bytes() == (isFile ? CodedSample.gzip : Array(CodedSample.text.utf8)))
    }

    @Test("such a file is resumed within a call, over several connections, and in a later run") func resumption()
        async throws
    {
        let bytes = RemoteFile.content(100_000)
        let bench = try bench("x-gzip", bytes)
        let archive = bench.site["a.tgz"]
        bench.remote.change { $0.breaks = [40_000] }
        _ = try await archive.download(to: .file(bench.path))
        #expect(bench.bytes() == bytes)
        #expect(bench.remote.seen.map { $0[.range] } == [nil, "bytes=40000-"])

        bench.site.setRules { $0.chunks.size = 10_000 }
        bench.remote.change { $0.breaks = [40_000] }
        let options = DownloadOptions(existing: .replace, connections: 3)
        #expect(try await archive.download(to: .file(bench.path), options: options).byteCount == 100_000)
        #expect(bench.bytes() == bytes)

        bench.remote.change { ($0.breaks, $0.seen) = ([40_000], []) }
        let later = DownloadOptions(resume: true, existing: .replace)
        let once = archive.with { $0.retry = .never }
        _ = try await failure { try await once.download(to: .file(bench.path), options: later) }
        let file = try await archive.download(to: .file(bench.path), options: later)
        #expect(file.resumedByteCount >= 40_000 && bench.bytes() == bytes)
    }

    @Test("any other body is decoded; sizes, ranges and digests count what is written") func pages() async throws {
        let text = Array(CodedSample.text.utf8)
        let bench = try bench()
        bench.remote.change { $0.extra["Repr-Digest"] = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:" }
        let page = bench.site["page.html"]
        var options = DownloadOptions(existing: .replace)
        options.checksum = Checksum(known: .sha256, MessageDigest.sha256(of: text))
        let file = try await page.download(to: .file(bench.path), options: options)
        #expect(bench.bytes() == text && file.byteCount == Int64(text.count))
        #expect(file.verifiedChecksums == [options.checksum])
        #expect(file.response?.headers[.contentEncoding] == nil)

        options.checksum = nil
        options.range = 3..<10
        #expect(try await page.download(to: .file(bench.path), options: options).byteCount == 7)
        #expect(bench.bytes() == Array(text[3..<10]))
    }

    @Test("a decoded body that breaks off starts over, and a damaged one is an error") func brokenPages() async throws {
        let bench = try bench()
        bench.remote.change { $0.breaks = [CodedSample.gzip.count / 2] }
        _ = try await bench.site["page.html"].download(to: .file(bench.path))
        #expect(bench.bytes() == Array(CodedSample.text.utf8))
        #expect(bench.remote.seen.map { $0[.range] } == [nil, nil])

        bench.remote.change { $0.bytes = Array(CodedSample.gzip.dropLast()) }
        let options = DownloadOptions(existing: .replace)
        let error = try await failure {
            try await bench.site["page.html"].download(to: .file(bench.path), options: options)
        }
        #expect(error.code == .contentCoding)
        #expect(bench.bytes() == Array(CodedSample.text.utf8))
    }
}
