// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import Foundation
import Synchronization

/// Lists in pages, and answers that are read while they arrive.
struct Lists {
    let url: String

    func visit(_ guide: inout TourGuide) async throws {
        let site = Resource(url)
        guide.chapter("Lists and streams")
        try await visitPages(&guide, site)
        try await guide.step(
            "Values are read one by one as they arrive",
            "for try await drop in try await site[\"drops\"].call(.get).stream().jsonLines(as: Post.self) { ... }"
        ) {
            var drops: [Int] = []
            for try await drop in try await site["drops"].call(.get).stream().jsonLines(as: Post.self) {
                drops.append(drop.id ?? 0)
            }
            try check(drops == [1, 2, 3, 4, 5], "\(drops)")
            return "drops \(drops)"
        }
    }

    private func visitPages(_ guide: inout TourGuide, _ site: Resource) async throws {
        try await guide.step(
            "A paged list is one sequence",
            "for try await book in site[\"books\"].pages(of: Post.self) { print(book.title) }"
        ) {
            var titles: [String] = []
            for try await book in site["books"].pages(of: Post.self) { titles.append(book.title) }
            try check(titles.count == 7, "\(titles)")
            return titles.joined(separator: ", ")
        }
        try await guide.step(
            "Services that name the next page in another way need a rule",
            "shelf.setRules { $0.paging = .cursor(at: \"meta.cursor\", query: \"after\").items(at: \"books\") }"
        ) {
            let shelf = site["shelf"]
            shelf.setRules { $0.paging = .cursor(at: "meta.cursor", query: "after").items(at: "books") }
            var counts: [Int] = []
            for try await page in shelf.pages(of: Post.self).byPage { counts.append(page.items.count) }
            try check(counts == [3, 3, 1], "\(counts)")
            return "pages of \(counts)"
        }
    }
}

/// Files that come and go, whatever happens on the way.
struct Files {
    let url: String

    func visit(_ guide: inout TourGuide) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-tour-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = Resource(url)["files"]
        guide.chapter("Files")
        try await guide.step(
            "A download goes to disk, and reports its progress",
            "let download = files[\"whole.bin\"].prepareDownload(to: .directory(folder)).start()\n"
                + "for await event in download.progress { draw(event.fractionCompleted) }"
        ) {
            let download = files["whole.bin"].call(.get).download(to: .directory(folder)).start()
            var last = 0.0
            for await event in download.progress { last = event.fractionCompleted ?? last }
            let file = try await download.value
            try check(file.byteCount == FileService.size && last == 1, "\(file) \(last)")
            return "\(file.byteCount) bytes, 100 %"
        }
        try await visitInterruptions(&guide, files, folder)
        try await guide.step(
            "A file with the wrong checksum is never saved",
            "try await files[\"whole.bin\"].download(to: .file(path), options: DownloadOptions(checksum: sum))"
        ) {
            let options = DownloadOptions(checksum: try Checksum(parsing: "md5:00000000000000000000000000000000"))
            let path = folder + "/never.bin"
            let error = try await failure { try await files["whole.bin"].download(to: .file(path), options: options) }
            try check(error.code == .checksum && !FileManager.default.fileExists(atPath: path), "\(error)")
            return error.message
        }
        try await guide.step(
            "A file is uploaded as a body",
            "try await files[\"photo.bin\"].put(.file(path), as: String.self)"
        ) {
            let path = folder + "/whole.bin"
            let text = try await files["photo.bin"].put(.file(path), as: String.self)
            try check(text == "\(FileService.size) bytes, thank you", text)
            return text
        }
    }

    private func visitInterruptions(_ guide: inout TourGuide, _ files: Resource, _ folder: String) async throws {
        try await guide.step(
            "The connection breaks in the middle: only the remaining bytes are requested",
            "try await files[\"flaky.bin\"].download(to: .directory(folder))"
        ) {
            let file = try await files["flaky.bin"].download(to: .directory(folder))
            let range = file.response?.request.headers[.range] ?? "none"
            try check(file.byteCount == FileService.size && range != "none", "\(file), \(range)")
            return "\(file.byteCount) bytes; the second request had Range: \(range)"
        }
        try await guide.step(
            "The program is stopped in the middle: the next run resumes the file on disk",
            "try await files[\"stalled.bin\"].download(to: .file(path), options: DownloadOptions(resume: true))"
        ) {
            let place = files["stalled.bin"].call(.get).download(
                to: .file(folder + "/stalled.bin"),
                options: DownloadOptions(resume: true)
            )
            let first = place.start()
            for await event in first.progress where event.completed >= FileService.half { break }
            first.cancel()
            let wasCancelled = (try? await first.value) == nil
            let file = try await place.send()
            try check(wasCancelled && file.byteCount == FileService.size && file.resumedByteCount > 0, "\(file)")
            return "\(file.byteCount) bytes, \(file.resumedByteCount) of them from before"
        }
    }
}

/// The tour's file: whole or from a byte on, by a connection that breaks, and by one that stalls.
struct FileService {
    /// The file's size.
    static let size = 1_000_000
    /// Where the first connection breaks or stalls.
    static let half = 400_000

    private let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }

    func install(in routes: inout Routes) {
        let bytes = bytes
        let answers = [("whole", nil), ("flaky", .close), ("stalled", .hold)] as [(String, ServerResponse.Step?)]
        for (name, end) in answers {
            let isFirst = Atomic(true)
            routes.get("/files/\(name).bin") { request in
                let end = isFirst.exchange(false, ordering: .relaxed) ? end : nil
                return Self.answer(request, bytes, endingEarlyBy: end)
            }
        }
        routes.onStream(.put, "/files/photo.bin") { _, body in
            var count = 0
            while let piece = try await body.next() { count += piece.count }
            return .text("\(count) bytes, thank you")
        }
    }

    private static func answer(
        _ request: ServerRequest,
        _ bytes: [UInt8],
        endingEarlyBy end: ServerResponse.Step?
    ) -> ServerResponse {
        var headers: Headers = [.eTag: "\"tour\"", .acceptRanges: "bytes"]
        if let end {
            let steps = [ServerResponse.Step.chunk(Array(bytes[..<half])), end]
            return .script(steps, headers: headers, framing: .contentLength(bytes.count))
        }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let first = request.headers[.range]?.utf8.drop { !digits.contains($0) }.prefix { digits.contains($0) }
        guard let start = first.flatMap({ String($0) }).flatMap({ Int($0) }), bytes.indices.contains(start)
        else { return ServerResponse(headers: headers, body: bytes) }
        headers[.contentRange] = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
        return ServerResponse(.partialContent, headers: headers, body: Array(bytes[start...]))
    }
}
