// SPDX-License-Identifier: Apache-2.0

import Cumulus

func download(_ site: Resource) async throws {
    // snippet.file
    let file = try await site["data.tar"].download(to: .file("/tmp/data.tar"))
    print(file.byteCount, file.response?.etag ?? "")
    // With query items or header fields:
    let second = site["data.tar"].call(.get, query: ["version": 2]).download(to: .file("/tmp/2.tar"))
    print(try await second.send().path)
    // snippet.end

    // snippet.directory
    let named = try await site["latest"].download(to: .directory("/tmp"))  // named by the server
    print(named.path)
    // snippet.end

    // snippet.temporary
    site.setRules { $0.cachesDirectory = "/var/tmp/my-program" }  // or a file: URL
    let scratch = try await site["data.tar"].download(to: .temporary)
    try scratch.move(to: "/tmp/kept.tar")  // otherwise it is deleted with `scratch`
    // snippet.end

    // snippet.progress
    let running = site["data.tar"].call(.get).download(to: .directory("/tmp")).start()
    for await event in running.progress { print(event.fractionCompleted ?? 0, event.bytesPerSecond) }
    let finished = try await running.value
    // snippet.end
    _ = finished
}

func resume(_ site: Resource, freshLink: @escaping @Sendable () async throws -> String) async throws {
    // snippet.resume
    let options = DownloadOptions(resume: true, existing: .replace)
    do {
        try await site["data.tar"].download(to: .file("/tmp/data.tar"), options: options)
    } catch let error as CumulusError where error.code == .incomplete {
        print("call again to continue: \(error)")  // the received bytes are next to the destination
    }
    // snippet.end

    // snippet.extend
    // The file already holds the beginning, whichever program wrote it; the digest verifies it.
    let sum = try Checksum(parsing: "sha256:15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225")
    let rest = DownloadOptions(existing: .extend, checksum: sum)
    try await site["data.tar"].download(to: .file("/tmp/data.tar"), options: rest)
    // snippet.end

    // snippet.renewed
    var expiring = DownloadOptions(resume: true)
    expiring.renewed = { _ in try await freshLink() }
    try await site["signed"].download(to: .file("/tmp/signed.tar"), options: expiring)
    // snippet.end
}

func pause(_ site: Resource) async throws {
    // snippet.pause
    let download = site["data.tar"].call(.get).download(to: .file("data.tar"), options: DownloadOptions(resume: true))
        .start()
    download.pause()  // the received bytes stay, and the connection is closed
    download.resume()  // continues where it stopped
    let file = try await download.value
    // snippet.end
    print(file)
}

func slowServers(_ site: Resource) {
    // snippet.rate
    site.setRules { $0.minimumRate = MinimumRate(bytesPerSecond: 50_000, over: .seconds(20)) }
    // snippet.end
}

func inPieces(_ site: Resource) async throws {
    // snippet.pieces
    site.setRules { $0.chunks.maxConcurrent = 4 }  // at most
    try await site["data.tar"].download(to: .file("/tmp/data.tar"))

    var options = DownloadOptions(existing: .replace)
    options.connections = 8  // eight from the start
    try await site["data.tar"].download(to: .file("/tmp/data.tar"), options: options)
    // snippet.end
}

func check(_ site: Resource) async throws {
    // snippet.checksum
    let sum = try Checksum(parsing: "sha256:15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225")
    let file = try await site["digits.txt"].download(to: .directory("/tmp"), options: DownloadOptions(checksum: sum))
    print(file.verifiedChecksums)
    // snippet.end

    // snippet.range
    let part = try await site["data.tar"].download(to: .file("/tmp/head.bin"), options: DownloadOptions(range: 0..<512))
    print(part.contentRange ?? "all of it")
    // snippet.end
}
