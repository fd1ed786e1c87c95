// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation
import Synchronization

func file(_ site: Resource) async throws {
    // snippet.file
    let photo = URL(filePath: "cat.png")
    let response = try await site["photos/cat.png"].put(.file(photo))  // PUT, image/png
    print(response.status)
    // snippet.end
}

struct Photo: Decodable {
    var id: Int
}

func forms(_ site: Resource, report: Data, lines: AsyncStream<Data>) async throws {
    // snippet.forms
    let photos = site["photos"]
    let photo = try await photos.post(.file(URL(filePath: "cat.png")), as: Photo.self)
    try await photos["\(photo.id)/report"].post(.bytes(report)).requireSuccess()  // POST
    try await photos["log"].post(.stream(lines)).requireSuccess()  // as it arrives, chunked
    try await photos.post(.multipart(["title": "Cat", "file": .file("cat.png")])).requireSuccess()
    // snippet.end
}

func progress(_ site: Resource) async throws {
    // snippet.progress
    let upload = site["photos/cat.png"].call(.put, .file(URL(filePath: "cat.png"))).start()
    for await event in upload.progress where event.direction == .sending {  // the response also has a body
        print("\(event.completed) of \(event.total ?? 0) bytes, \(Int(event.bytesPerSecond)) a second")
    }
    try await upload.value.requireSuccess()
    // snippet.end
}

func prepared(_ site: Resource) async throws {
    // snippet.prepared
    let upload = site["photos/cat.png"].call(.put, .file(URL(filePath: "cat.png")))
    let running = upload.start()
    for await event in running.progress where event.direction == .sending { print(event.fractionCompleted ?? 0) }
    let response = try await running.value
    if response.status == .unauthorized { running.restart() }  // the file is opened again
    // snippet.end
}

func rate(_ site: Resource) async throws {
    // snippet.rate
    let rate = Bandwidth(bytesPerSecond: 500_000)
    site["backups"].setRules { $0.bandwidth = rate }  // in both directions, all requests of this place together
    rate.bytesPerSecond = 0  // pauses them
    rate.bytesPerSecond = nil  // no limit
    // snippet.end
}

struct SensorReading: Codable, Sendable {
    var celsius: Double
}

// snippet.sequences
/// Sends readings while they are made: as lines, or as one array.
func send(_ readings: AsyncStream<SensorReading>, to site: Resource, asArray: Bool) async throws {
    try await site["readings"].post(asArray ? .jsonArray(readings) : .jsonLines(readings)).requireSuccess()
}

/// Sends photos as the parts of one body.
func send(_ photos: AsyncStream<[UInt8]>, to site: Resource) async throws {
    let parts = photos.map { photo in MultipartPart.bytes(photo, fileName: "photo.jpg") }
    try await site["photos"].post(.multipart(parts, type: "multipart/mixed")).requireSuccess()
}

/// Copies a video from one server to another.
func copy(_ camera: Resource, to archive: Resource) async throws {
    try await archive.put(.stream(camera.call(.get).stream())).requireSuccess()
}
// snippet.end

// snippet.trailers
/// Sends lines while they are made, and their number after the last one.
func send(_ lines: AsyncStream<String>, to log: Resource) async throws {
    let count = Mutex(0)
    let counted = lines.map { line in
        count.withLock { $0 += 1 }
        return Data("\(line)\n".utf8)
    }
    try await log.post(.stream(counted, type: .text).trailer("X-Line-Count") { "\(count.withLock(\.self))" })
        .requireSuccess()
}
// snippet.end

func archive(camera: Resource, archive: Resource) async throws {
    // snippet.response
    let video = try await camera.call(.get).stream()
    try await archive.put(.stream(video)).requireSuccess()
    // snippet.end
}
