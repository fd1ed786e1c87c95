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
            try promise(file.byteCount == 4_000_000 && bars.last?.contains("####################") == true, "\(bars)")
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
    }
}

/// Answers for a file in memory, whole or from a byte on.
private struct FileAnswers: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func answer(_ request: ServerRequest, breaksAt: Int? = nil) -> ServerResponse {
        var headers: HTTPFields = [.eTag: "\"tour\"", .acceptRanges: "bytes"]
        if let breaksAt {
            let begun = ServerResponse.Step.chunk(Array(bytes[..<breaksAt]))
            return .script([begun, .close], headers: headers, framing: .contentLength(bytes.count))
        }
        guard let range = request.headers[.range], let start = Int(range.dropFirst(6).prefix { $0 != "-" }) else {
            return ServerResponse(headers: headers, body: bytes)
        }
        headers[.contentRange] = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
        return ServerResponse(.partialContent, headers: headers, body: Array(bytes[start...]))
    }
}
