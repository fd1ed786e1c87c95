// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Chapter 10: files.
struct Transfers {
    let server: LoopbackServer
    private let folder = FileManager.default.temporaryDirectory.path + "/cumulus-tour-\(UUID())"

    init(server: LoopbackServer) { self.server = server }

    /// A file of 4 MB whose first answer breaks off in the middle where `/flaky` is asked for.
    static func install(in routes: inout Routes) {
        let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let asked = Atomic(0)
        let answers = FileAnswers(bytes)
        routes.get("/files/whole.bin") { request in answers.answer(request) }
        routes.onStream(.put, "/files/up.bin") { _, body in
            var count = 0
            while let piece = try await body.next() { count += piece.count }
            return .text("\(count) bytes, thank you")
        }
        routes.get("/files/flaky.bin") { request in
            answers.answer(request, breaksAt: asked.add(1, ordering: .relaxed).oldValue == 0 ? 1_500_000 : nil)
        }
    }

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Files")
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = Resource(server.url)["files"]
        await guide.step(
            "To a file, with a bar",
            "let handle = files[\"whole.bin\"].prepareDownload(to: .directory(folder)).start()\nfor await event in handle.progress { draw(event) }"
        ) {
            let handle = files["whole.bin"].prepareDownload(to: .directory(folder)).start()
            var bars: [String] = []
            for await event in handle.progress {
                let filled = Int((event.fractionCompleted ?? 0) * 20)
                let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
                bars.append("[\(bar)] \(event.completed) bytes")
            }
            let file = try await handle.value
            try promise(file.byteCount == 4_000_000 && bars.last?.has("####################") == true, "\(bars)")
            return bars.suffix(3).joined(separator: "\n") + "\nin whole.bin, and nothing else beside it"
        }
        await guide.step(
            "A connection that breaks in the middle",
            "try await files[\"flaky.bin\"].download(to: .directory(folder))"
        ) {
            let file = try await files["flaky.bin"].download(to: .directory(folder))
            let range = file.response?.request.headers[.range] ?? "none"
            try promise(file.byteCount == 4_000_000 && range != "none", "\(file), \(range)")
            return "\(file.byteCount) bytes; the rest was asked for with Range: \(range)"
        }
        await guide.step(
            "A digest that doesn't fit",
            "try await files[\"whole.bin\"].download(to: .file(path), options: DownloadOptions(checksum: sum))"
        ) {
            let sum = try Checksum(.md5, "00000000000000000000000000000000")
            let path = folder + "/never.bin"
            let error = try await failure {
                try await files["whole.bin"].download(to: .file(path), options: DownloadOptions(checksum: sum))
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            try promise(error.code == .checksum && names == ["flaky.bin", "whole.bin"], "\(error) \(names)")
            return "\(error.message)\nand there is no never.bin"
        }
        await visitUploads(files, &guide)
    }

    private func visitUploads(_ files: Resource, _ guide: inout TourGuide) async {
        let path = folder + "/whole.bin"
        await guide.step(
            "A file goes up at 8 MB a second, with a bar",
            "files.rateLimit = TransferRate(bytesPerSecond: 8_000_000)\ntry await files[\"up.bin\"].upload(file: url) { draw($0) }"
        ) {
            let up = files["up.bin"]
            up.rateLimit = TransferRate(bytesPerSecond: 8_000_000)
            let bars = Mutex<[String]>([])
            let text = try await up.upload(file: URL(fileURLWithPath: path), as: String.self) { event in
                let filled = Int((event.fractionCompleted ?? 0) * 20)
                let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
                bars.withLock { $0.append("[\(bar)] \(event.completed) bytes") }
            }
            let drawn = bars.withLock(\.self)
            try promise(text == "4000000 bytes, thank you" && drawn.count >= 4, "\(text) \(drawn)")
            return "\(drawn[0])\n\(drawn[drawn.count / 2])\n\(drawn[drawn.count - 1])\n\(text)"
        }
        await guide.step(
            "A missing file is reported before anything is sent",
            "try await files[\"up.bin\"].upload(file: missing)"
        ) {
            let error = try await failure {
                try await files["up.bin"].upload(file: URL(fileURLWithPath: folder + "/missing.bin"))
            }
            try promise((error.cause as? UploadProblem)?.kind == .missing, "\(error)")
            return "\(error.code) in the stage \(error.stage): the file can't be read"
        }
        await guide.step(
            "A download is paused, and resumes",
            "let handle = files[\"whole.bin\"].prepareDownload(to: .file(path), options: ...).start()\nhandle.pause(); handle.resume()"
        ) {
            let rate = TransferRate(bytesPerSecond: 4_000_000)
            let slow = files["whole.bin"].with { $0.rateLimit = rate }
            let options = DownloadOptions(resume: true)
            let handle = slow.prepareDownload(to: .file(folder + "/paused.bin"), options: options).start()
            for await event in handle.progress where event.completed > 0 { break }
            handle.pause()
            rate.bytesPerSecond = nil
            handle.resume()
            let file = try await handle.value
            try promise(file.byteCount == 4_000_000 && file.resumedByteCount > 0, "\(file) \(file.resumedByteCount)")
            return "\(file.byteCount) bytes, some of them from before the pause"
        }
    }
}

/// Answers for a file in memory, whole or from a byte on.
private struct FileAnswers: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func answer(_ request: ServerRequest, breaksAt: Int? = nil) -> ServerResponse {
        var headers: Headers = [.eTag: "\"tour\"", .acceptRanges: "bytes"]
        if let breaksAt {
            let begun = ServerResponse.Step.chunk(Array(bytes[..<breaksAt]))
            return .script([begun, .close], headers: headers, framing: .contentLength(bytes.count))
        }
        guard let range = request.headers[.range]?.cut(at: "="), let start = Int(range.behind.before("-")) else {
            return ServerResponse(headers: headers, body: bytes)
        }
        headers[.contentRange] = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
        return ServerResponse(.partialContent, headers: headers, body: Array(bytes[start...]))
    }
}
