// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// The practice service's codings: bodies with the right content type, with a wrong one, and by the path's extension.
struct PracticeCodings: Sendable {
    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>message</key><string>OK</string></dict></plist>
        """
    /// One transparent pixel.
    private static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
        0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1F, 0x15, 0xC4, 0x89, 0x00, 0x00, 0x00,
        0x0D, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x00, 0x01, 0x00, 0x00, 0x05, 0x00, 0x01, 0x0D, 0x0A, 0x2D,
        0xB4, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    private static let bodies: [(format: String, suffix: String, type: String, body: [UInt8])] = [
        ("json", "json", "application/json", Array(#"{"message":"OK"}"#.utf8)),
        ("plist", "plist", "application/x-plist", Array(plist.utf8)),
        ("xml", "xml", "application/xml", Array(plist.utf8)),
        ("text", "txt", "text/plain; charset=utf-8", Array("OK".utf8)),
        ("image", "png", "image/png", png),
    ]

    func install(in routes: inout Routes) {
        for (format, suffix, type, body) in PracticeCodings.bodies {
            for (name, named) in [("content-type", type), ("wrong-content-type", "magic/teapot")] {
                for path in [name, "\(name).\(suffix)"] {
                    routes.get("/test/decoding/\(format)/\(path)") { _ in
                        ServerResponse(headers: [.contentType: named], body: body)
                    }
                }
            }
            routes.put("/test/encoding.\(suffix)") { request in PracticeCodings.same(request) }
        }
        routes.put("/test/encoding") { request in PracticeCodings.same(request) }
    }

    /// The received body with its content type.
    private static func same(_ request: ServerRequest) -> ServerResponse {
        ServerResponse(
            headers: [.contentType: request.headers[.contentType] ?? "application/octet-stream"],
            body: request.body
        )
    }
}
