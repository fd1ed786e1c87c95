// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusAWS
import CumulusTestServer
import CumulusUploads
import Foundation
import Synchronization

// snippet.tus
/// Sends a film to a server with tus, and continues where an earlier run of this program stopped.
func sendFilm(to site: Resource) async throws {
    let film = try await site["files"].upload(URL(filePath: "film.mov"), by: .tus) { progress in
        print("\(progress.completed) of \(progress.total ?? 0) bytes have arrived")
    }
    if let reason = film.restartReason { print("sent from the beginning:", reason) }
    print("\(film.resumedByteCount) bytes were there, \(film.sentByteCount) were sent")
}
// snippet.end

// snippet.s3
/// Sends a film to S3, or to any store with the same interface, in parts that are sent in parallel.
func sendFilm(toStore endpoint: String) async throws {
    let store = REST[endpoint]["films"].with {
        $0.authorizers = [.aws(.environment, region: "eu-central-1", service: "s3")]
    }
    let film = try await store["2026/film.mov"].upload("film.mov", by: .s3)
    print("complete:", film.url)
}
// snippet.end

// snippet.server
/// A server with tus for tests and experiments; its uploads are in memory.
func tusServer() async throws -> LoopbackServer {
    let uploads = Mutex<[[UInt8]]>([])
    return try await LoopbackServer.start { routes in
        routes.on(.options, "/files") { _ in
            .response(.noContent, headers: ["Tus-Version": "1.0.0", "Tus-Extension": "creation"])
        }
        routes.post("/files") { _ in
            uploads.withLock { $0.append([]) }
            return .response(.created, headers: ["Location": "/files/\(uploads.withLock(\.count) - 1)"])
        }
        routes.on(.head, "/files/:id") { request in
            let id = request.parameters["id"].flatMap { Int($0) } ?? 0
            return .response(headers: ["Upload-Offset": uploads.withLock { $0[id].count }])
        }
        routes.patch("/files/:id") { request in
            let id = request.parameters["id"].flatMap { Int($0) } ?? 0
            return uploads.withLock { uploads in
                let offset = HTTPField.Name("Upload-Offset").flatMap { request.headers[$0] }
                guard offset == "\(uploads[id].count)" else { return .response(.conflict) }
                uploads[id] += request.body
                return .response(.noContent, headers: ["Upload-Offset": uploads[id].count])
            }
        }
    }
}
// snippet.end

/// Other code of the guide's page on uploads that can be resumed.
enum ResumableUploads {
    static func control(_ site: Resource) async throws {
        // snippet.control
        let upload = site["files"].prepareUpload("film.mov", by: .tus).start()
        upload.pause()  // the connection is closed; the server keeps the bytes
        upload.resume()  // sends those that the server doesn't have
        let film = try await upload.value
        // snippet.end
        _ = film
        // snippet.abandon
        try await site["files"].abandonUpload(of: "film.mov", by: .tus)
        // snippet.end
    }

    static func stream(_ site: Resource, _ camera: AsyncStream<[UInt8]>) async throws {
        // snippet.stream
        try await site["files"].upload(camera, by: .tus(metadata: ["filename": "camera.mp4"]))
        // snippet.end
    }
}
