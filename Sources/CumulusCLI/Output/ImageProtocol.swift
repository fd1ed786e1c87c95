// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The protocols for images on terminals: in an escape sequence, in Base64, so that the image can't control the
/// terminal.
enum ImageProtocol: Equatable, Sendable {
    /// kitty's graphics protocol, for PNG.
    case kitty
    /// iTerm2's inline images, of any kind that the terminal supports.
    case inline

    /// The limit for an image in memory.
    static let longest = 16 << 20
    /// The maximum length of a Base64 chunk in kitty's protocol.
    private static let chunk = 4_096

    /// The protocol of the terminal, by the environment.
    ///
    /// - Throws: ``UsageMistake`` if the terminal doesn't support images.
    init(_ environment: [String: String]) throws(UsageMistake) {
        let program = environment["TERM_PROGRAM"] ?? ""
        if environment["KITTY_WINDOW_ID"] != nil || environment["TERM"] == "xterm-kitty" || program == "ghostty" {
            self = .kitty
        } else if ["iTerm.app", "WezTerm", "mintty"].contains(program) || environment["LC_TERMINAL"] == "iTerm2" {
            self = .inline
        } else {
            throw UsageMistake(
                "--image: this terminal is not known to show images",
                hint: "kitty, iTerm2, WezTerm, ghostty and mintty are; -o FILE saves the image"
            )
        }
    }

    /// Whether an image of a type can be shown.
    func takes(_ type: MediaType?) -> Bool {
        guard let type, type.essence.begins(with: "image/") else { return false }
        return self == .inline ? type.subtype != "svg+xml" : type.subtype == "png"
    }

    /// The sequence that shows the image.
    func sequence(for image: [UInt8]) -> [UInt8] {
        let text = Array(Data(image).base64EncodedString().utf8)
        switch self {
        case .inline:
            return Array("\u{1B}]1337;File=inline=1;size=\(image.count):".utf8) + text + [0x07, UInt8(ascii: "\n")]
        case .kitty:
            var output: [UInt8] = []
            var rest = text[...]
            repeat {
                let piece = rest.prefix(ImageProtocol.chunk)
                let isFirst = rest.startIndex == 0
                rest = rest.dropFirst(piece.count)
                let keys = (isFirst ? "a=T,f=100," : "") + "m=\(rest.isEmpty ? 0 : 1)"
                output += Array("\u{1B}_G\(keys);".utf8) + piece + Array("\u{1B}\\".utf8)
            } while !rest.isEmpty
            return output + [UInt8(ascii: "\n")]
        }
    }
}
