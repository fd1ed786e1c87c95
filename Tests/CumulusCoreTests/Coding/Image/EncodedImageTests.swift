// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The formats of images made with Pillow 13.0.0 (HEIC with pillow-heif), and of bytes that aren't one.
@Suite struct EncodedImageTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let format: EncodedImage.Format
        let base64: String
        var testDescription: String { "\(format)" }
        var bytes: [UInt8] { Data(base64Encoded: base64).map { [UInt8]($0) } ?? [] }
    }

    static let samples = [
        Sample(
            format: .png,
            base64:
                "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAFUlEQVR4nGPkEpFjYGBgYGBgYoABAARgAEB5qHZqAAAAAElFTkSuQmCC"
        ),
        Sample(
            format: .jpeg,
            base64:
                "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wgARCAAHASwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAj/xAAVAQEBAAAAAAAAAAAAAAAAAAAABP/aAAwDAQACEAMQAAABiMXRgAAAAAAAAAAAAAAAAAf/xAAUEAEAAAAAAAAAAAAAAAAAAABQ/9oACAEBAAEFAhv/xAAUEQEAAAAAAAAAAAAAAAAAAABA/9oACAEDAQE/AR//xAAUEQEAAAAAAAAAAAAAAAAAAABA/9oACAECAQE/AR//xAAUEAEAAAAAAAAAAAAAAAAAAABQ/9oACAEBAAY/Ahv/xAAUEAEAAAAAAAAAAAAAAAAAAABQ/9oACAEBAAE/IRv/2gAMAwEAAgADAAAAEAAAAAAAAAAAAAAAAAAAP//EABQRAQAAAAAAAAAAAAAAAAAAAED/2gAIAQMBAT8QH//EABQRAQAAAAAAAAAAAAAAAAAAAED/2gAIAQIBAT8QH//EABQQAQAAAAAAAAAAAAAAAAAAAFD/2gAIAQEAAT8QG//Z"
        ),
        Sample(
            format: .gif,
            base64: "R0lGODdhBwADAIEAAAoUHgAAAAAAAAAAACwAAAAABwADAAAICQABCBxIsKDBgAA7"
        ),
        Sample(
            format: .tiff,
            base64:
                "SUkqAAgAAAAKAAABBAABAAAACQAAAAEBBAABAAAAAgAAAAIBAwADAAAAhgAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAABEBBAABAAAAjAAAABUBAwABAAAAAwAAABYBBAABAAAAAgAAABcBBAABAAAANgAAABwBAwABAAAAAQAAAAAAAAAIAAgACAAKFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4="
        ),
        Sample(
            format: .webp,
            base64: "UklGRjIAAABXRUJQVlA4ICYAAACwAgCdASoRAAUAP/3+/3+/uzayMAgD8D+JZwAAeyAA/uLe+eEAAA=="
        ),
        Sample(
            format: .bmp,
            base64:
                "Qk1aAAAAAAAAADYAAAAoAAAABAAAAAMAAAABABgAAAAAACQAAADEDgAAxA4AAAAAAAAAAAAAHhQKHhQKHhQKHhQKHhQKHhQKHhQKHhQKHhQKHhQKHhQKHhQK"
        ),
        Sample(
            format: .avif,
            base64:
                "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAAIwAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAFAAAAAwAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAK21kYXQSAAoJGBDnbRAQ0GhAMhQf94eFFd///+LAAACusZybrgDCMA=="
        ),
        Sample(
            format: .heic,
            base64:
                "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAXxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAABoAABAAAAAAAAACMAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAA/GlwcnAAAADcaXBjbwAAAHVodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQApQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqrprm4CGgwIAAAAyAAAADAIRiAAEABkQBwXPBiQAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAChjbGFwAAAAGAAAAAEAAAAKAAAAAf///9gAAAAC////ygAAAAIAAAAQcGl4aQAAAAADCAgIAAAAGGlwbWEAAAAAAAAAAQABBYECAwWEAAAAK21kYXQAAAAfKAGvBVISjOD7D8x5f/Vu+n66Uq3IZNyg3HYQkmFqQA=="
        ),
    ]

    @Test(arguments: samples) func theFormatIsRead(sample: Sample) async throws {
        let image = try EncodedImage(sample.bytes)
        #expect(image.format == sample.format)
        #expect(image.data == Data(sample.bytes))
        let transport = StubTransport { .response(headers: [.contentType: "image/whatever"], body: $0.body) }
        let site = Resource("http://a.example", transport: transport.watched) { $0.contentType = .json }
        let back = try await site.post(body: image, as: EncodedImage.self)
        #expect(back == image)
        #expect(transport.lastRequest?.headers[.contentType] == image.mediaType.description)
    }

    @Test(arguments: samples) func anImageCutAnywhereHasItsFormatOrNone(sample: Sample) {
        for length in 0..<min(64, sample.bytes.count) {
            guard let image = try? EncodedImage(Array(sample.bytes[..<length])) else { continue }
            #expect(image.format == sample.format && image.data.count == length)
        }
    }

    @Test(arguments: samples) func anImageDamagedAnywhereKeepsItsBytes(sample: Sample) {
        for place in 0..<min(64, sample.bytes.count) {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var damaged = sample.bytes
                damaged[place] = value
                guard let image = try? EncodedImage(damaged) else { continue }
                #expect(image.data == Data(damaged))
            }
        }
    }

    @Test func whatIsNoImageIsAnErrorOfTheRequest() async throws {
        let transport = StubTransport { _ in .response(headers: [.contentType: "image/png"], body: Array("GIF8".utf8)) }
        let site = Resource("http://a.example", transport: transport.watched)
        let error = await #expect(throws: CumulusError.self) { _ = try await site.get(as: EncodedImage.self) }
        #expect(error?.code == .decoding)
    }
}
