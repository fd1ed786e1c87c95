// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

func file(_ site: Resource) async throws {
    // snippet.file
    let photo = URL(filePath: "cat.png")
    let response = try await site["photos/cat.png"].upload(file: photo)  // PUT, image/png
    print(response.status)
    // snippet.end
}

struct Photo: Decodable {
    var id: Int
}

func forms(_ site: Resource, report: Data, lines: AsyncStream<Data>) async throws {
    // snippet.forms
    let photos = site["photos"]
    let photo = try await photos.upload(file: URL(filePath: "cat.png"), as: Photo.self, method: .post)
    try await photos["\(photo.id)/report"].upload(.bytes(report), as: Void.self)  // POST
    try await photos["log"].upload(.stream(lines), as: Void.self)  // as it arrives, chunked
    try await photos.upload(.multipart(["title": "Cat", "file": .file("cat.png")]), as: Void.self)
    // snippet.end
}

func progress(_ site: Resource) async throws {
    // snippet.progress
    try await site["photos/cat.png"].upload(file: URL(filePath: "cat.png"), as: Void.self) { event in
        print("\(event.completed) of \(event.total ?? 0) bytes, \(Int(event.bytesPerSecond)) a second")
    }
    // snippet.end
}

func prepared(_ site: Resource) async throws {
    // snippet.prepared
    let upload = site["photos/cat.png"].prepareUpload(.file(URL(filePath: "cat.png")))
    let handle = upload.start()
    for await event in handle.progress { print(event.fractionCompleted ?? 0) }
    let response = try await handle.value
    if response.status == .unauthorized { handle.restart() }  // the file is opened again
    // snippet.end
}

func rate(_ site: Resource) async throws {
    // snippet.rate
    let rate = TransferRate(bytesPerSecond: 500_000)
    site["backups"].setRules { $0.rateLimit = rate }  // in both directions, all requests of this place together
    rate.bytesPerSecond = 0  // pauses them
    rate.bytesPerSecond = nil  // no limit
    // snippet.end
}

func sum(_ site: Resource, files: [URL]) async throws {
    // snippet.sum
    let sum = ProgressSum { event in
        print("\(event.finishedTransfers) of \(event.transfers) files, \(event.completed) bytes")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
        for file in files {
            let place = site["files"]["\(file.lastPathComponent)"]
            let observer = sum.observer()
            group.addTask { try await place.upload(file: file, as: Void.self, progress: observer) }
        }
        try await group.waitForAll()
    }
    sum.finish()
    // snippet.end
}

func pause(_ site: Resource) async throws {
    // snippet.pause
    let download = site["data.tar"].prepareDownload(
        to: .file("data.tar"),
        options: DownloadOptions(resume: true)
    ).start()
    download.pause()  // the received bytes are kept, the connection is closed
    download.resume()  // continues where it stopped
    let file = try await download.value
    // snippet.end
    print(file)
}
