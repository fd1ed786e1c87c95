// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Testing

/// Format and size of images made with Pillow 13.0.0 (HEIC with pillow-heif), and incorrect headers.
@Suite struct EncodedImageTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let format: EncodedImage.Format
        let width: Int
        let height: Int
        let base64: String
        var testDescription: String { "\(format) of \(width) by \(height)" }
        var bytes: [UInt8] { Data(base64Encoded: base64).map { [UInt8]($0) } ?? [] }
    }

    static let samples = [
        Sample(
            format: .png,
            width: 3,
            height: 2,
            base64:
                "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAFUlEQVR4nGPkEpFjYGBgYGBgYoABAARgAEB5qHZqAAAAAElFTkSuQmCC"
        ),
        Sample(
            format: .jpeg,
            width: 300,
            height: 7,
            base64:
                "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wgARCAAHASwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAj/xAAVAQEBAAAAAAAAAAAAAAAAAAAABP/aAAwDAQACEAMQAAABiMXRgAAAAAAAAAAAAAAAAAf/xAAUEAEAAAAAAAAAAAAAAAAAAABQ/9oACAEBAAEFAhv/xAAUEQEAAAAAAAAAAAAAAAAAAABA/9oACAEDAQE/AR//xAAUEQEAAAAAAAAAAAAAAAAAAABA/9oACAECAQE/AR//xAAUEAEAAAAAAAAAAAAAAAAAAABQ/9oACAEBAAY/Ahv/xAAUEAEAAAAAAAAAAAAAAAAAAABQ/9oACAEBAAE/IRv/2gAMAwEAAgADAAAAEAAAAAAAAAAAAAAAAAAAP//EABQRAQAAAAAAAAAAAAAAAAAAAED/2gAIAQMBAT8QH//EABQRAQAAAAAAAAAAAAAAAAAAAED/2gAIAQIBAT8QH//EABQQAQAAAAAAAAAAAAAAAAAAAFD/2gAIAQEAAT8QG//Z"
        ),
        Sample(
            format: .gif,
            width: 7,
            height: 3,
            base64: "R0lGODdhBwADAIEAAAoUHgAAAAAAAAAAACwAAAAABwADAAAICQABCBxIsKDBgAA7"
        ),
        Sample(
            format: .tiff,
            width: 9,
            height: 2,
            base64:
                "SUkqAAgAAAAKAAABBAABAAAACQAAAAEBBAABAAAAAgAAAAIBAwADAAAAhgAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAABEBBAABAAAAjAAAABUBAwABAAAAAwAAABYBBAABAAAAAgAAABcBBAABAAAANgAAABwBAwABAAAAAQAAAAAAAAAIAAgACAAKFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4KFB4="
        ),
        Sample(
            format: .webp,
            width: 17,
            height: 5,
            base64: "UklGRjIAAABXRUJQVlA4ICYAAACwAgCdASoRAAUAP/3+/3+/uzayMAgD8D+JZwAAeyAA/uLe+eEAAA=="
        ),
        Sample(format: .webp, width: 6, height: 19, base64: "UklGRh4AAABXRUJQVlA4TBEAAAAvBYAEAAdQiirUo/+BiOh/AAA="),
        Sample(
            format: .webp,
            width: 33,
            height: 44,
            base64:
                "UklGRmQAAABXRUJQVlA4WAoAAAAQAAAAIAAAKwAAQUxQSBQAAAABB0AgaYu3/RERB5AQ/p9XI/qfalZQOCAqAAAAMAMAnQEqIQAsAD/9/v9/v7s2siOIA/A/iWkAABuBvT4OAAD+5d0AAAAA"
        ),
        Sample(
            format: .bmp,
            width: 4,
            height: 3,
            base64:
                "Qk1aAAAAAAAAADYAAAAoAAAABAAAAAMAAAABABgAAAAAACQAAADEDgAAxA4AAAAAAAAAAAAAHhQKHhQKHhQKHhQKHhQKHhQKHhQKHhQKHhQKHhQKHhQKHhQK"
        ),
        Sample(
            format: .avif,
            width: 20,
            height: 12,
            base64:
                "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAAIwAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAFAAAAAwAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAK21kYXQSAAoJGBDnbRAQ0GhAMhQf94eFFd///+LAAACusZybrgDCMA=="
        ),
        // Stored as 64 by 64, cropped to 24 by 10 by a clean aperture.
        Sample(
            format: .heic,
            width: 24,
            height: 10,
            base64:
                "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAXxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAABoAABAAAAAAAAACMAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAA/GlwcnAAAADcaXBjbwAAAHVodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQApQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqrprm4CGgwIAAAAyAAAADAIRiAAEABkQBwXPBiQAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAChjbGFwAAAAGAAAAAEAAAAKAAAAAf///9gAAAAC////ygAAAAIAAAAQcGl4aQAAAAADCAgIAAAAGGlwbWEAAAAAAAAAAQABBYECAwWEAAAAK21kYXQAAAAfKAGvBVISjOD7D8x5f/Vu+n66Uq3IZNyg3HYQkmFqQA=="
        ),
    ]

    @Test(arguments: samples) func formatAndSizeAreRead(sample: Sample) async throws {
        let image = try EncodedImage(sample.bytes)
        #expect(image.format == sample.format)
        #expect(image.width == sample.width)
        #expect(image.height == sample.height)
        #expect(image.data == Data(sample.bytes))
        let transport = StubTransport { .response(headers: [.contentType: "image/whatever"], body: $0.body) }
        let site = Resource("http://a.example", transport: transport)
        site.contentType = .json
        let back = try await site.post(image, as: EncodedImage.self)
        #expect(back == image)
        #expect(transport.lastRequest?.headers[.contentType] == image.mediaType.description)
    }

    @Test(arguments: samples) func anImageCutAnywhereNeverTraps(sample: Sample) {
        let bytes = sample.bytes
        for length in 0..<bytes.count {
            guard let image = try? EncodedImage(Array(bytes[..<length])) else { continue }
            #expect(image.width == sample.width)
            #expect(image.height == sample.height)
        }
    }

    @Test(arguments: samples) func anImageDamagedAnywhereNeverTraps(sample: Sample) {
        let bytes = sample.bytes
        for place in bytes.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var damaged = bytes
                damaged[place] = value
                guard let image = try? EncodedImage(damaged) else { continue }
                #expect(image.width > 0 && image.height > 0)
            }
        }
    }

    @Test func aSizeThatLiesIsAValueAndTakesNoMemory() throws {
        var png = Self.samples[0].bytes
        png.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        let image = try EncodedImage(png)
        #expect(image.width == Int(Int32.max))
        #expect(image.data.count == png.count)
    }

    @Test(arguments: [[0, 0, 0, 0], [0x80, 0, 0, 0]] as [[UInt8]]) func aSizeThatIsNoneIsAnError(width: [UInt8]) {
        var png = Self.samples[0].bytes
        png.replaceSubrange(16..<20, with: width)
        #expect(throws: CodingProblem.self) { try EncodedImage(png) }
    }

    @Test func aBitmapFromTheTopDownHasAHeight() throws {
        var bmp = Self.samples[7].bytes
        bmp.replaceSubrange(22..<26, with: [0xFD, 0xFF, 0xFF, 0xFF])
        #expect(try EncodedImage(bmp).height == 3)
        bmp.replaceSubrange(22..<26, with: [0, 0, 0, 0x80])
        #expect(throws: CodingProblem.self) { try EncodedImage(bmp) }
    }

    @Test func whatIsNoImageIsAnErrorOfTheRequest() async throws {
        let transport = StubTransport { _ in .response(headers: [.contentType: "image/png"], body: Array("GIF8".utf8)) }
        let site = Resource("http://a.example", transport: transport)
        let error = await #expect(throws: CumulusError.self) { _ = try await site.get(as: EncodedImage.self) }
        #expect(error?.code == .decoding)
    }
}
