// SPDX-License-Identifier: Apache-2.0

import Cumulus

struct Place: Codable, Sendable {
    var latitude: Double
    var longitude: Double
}

func forms(site: Resource, frames: AsyncStream<[UInt8]>, thumbnail: [UInt8]) async throws {
    // snippet.form
    var form: MultipartForm = [
        "title": "Größe \"XL\"",
        "photo": .file("/tmp/cloud.png"),
        "place": .json(Place(latitude: 51.5, longitude: -0.1)),
    ]
    form.append(.bytes(thumbnail, fileName: "small.png"), name: "photo")
    try await site["photos"].post(.multipart(form)).requireSuccess()
    // snippet.end

    // snippet.parts
    let part: MultipartForm = [
        "slice": .file("/tmp/film.mp4", range: 0..<1_000_000, fileName: "film-1.mp4"),
        "live": .stream(frames, fileName: "live.mjpeg", type: "video/x-motion-jpeg"),
        "note": .text("hello", type: "text/markdown", headers: ["Content-Language": "en"]),
    ]
    // snippet.end
    try await site["films"].post(.multipart(part)).requireSuccess()
}

func related(site: Resource) async throws {
    // snippet.mixed
    let parts: [MultipartPart] = [.json(["name": "cloud.png"]), .file("/tmp/cloud.png")]
    let type: MediaType = "multipart/related; type=\"application/json\""
    try await site["upload"].post(.multipart(parts, type: type)).requireSuccess()
    // snippet.end
}

func reading(file: Resource, batch: Resource) async throws {
    // snippet.read
    let response = try await file.get(headers: [.range: "bytes=0-99,1000-1099"])
    for part in try response.parts() {
        print(part.contentRange?.description ?? "", part.bytes.count)
    }
    // snippet.end

    // snippet.stream
    for try await part in try await batch.call(.get).stream().parts() {
        if part.mediaType?.isJSON == true {
            print(try await part.collect().json())
        } else {
            for try await chunk in part { print(chunk.count) }
        }
    }
    // snippet.end
}

func failing(site: Resource) async throws {
    // snippet.failing
    do {
        try await site["photos"].post(.multipart(["photo": .file("/tmp/gone.png")])).requireSuccess()
    } catch let error as CumulusError {
        switch (error.code, error.cause) {
        case (.encoding, let problem as MultipartProblem): print("not sent: \(problem)")
        case (.requestBody, let failure as TransportFailure): print("broke off: \(failure.cause ?? failure)")
        default: throw error
        }
    }
    // snippet.end
}
