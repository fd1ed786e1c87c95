// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Every target; a new one is one file beside the others and its name here.
private let targets: [any FuzzTarget.Type] = [
    CertificateTarget.self, ChallengeTarget.self, CommandURLTarget.self, ContentCodingTarget.self,
    CookieFileTarget.self,
    CookieTarget.self, ElementTarget.self, EventTarget.self, FileNameTarget.self, HTTP1ResponseTarget.self,
    JSONNumberTarget.self,
    JSONTarget.self, MediaTypeTarget.self, MultipartTarget.self, NetrcTarget.self,
    OpenAPITarget.self, PartRecordTarget.self, PropertyListTarget.self, ProxyReplyTarget.self,
    ShellLineTarget.self, TerminalTarget.self,
    TOMLTarget.self, URITemplateTarget.self, URLTarget.self,
    XMLTarget.self, XMLWritingTarget.self, YAMLTarget.self,
]

/// The target that runs; libFuzzer's functions have no context.
// Unsafe: set once, before the fuzzer starts.
nonisolated(unsafe) private var chosen: any FuzzTarget.Type = JSONTarget.self

/// Takes the first argument, the target's name, away; libFuzzer, whose `main` calls this, reads the others.
@c(LLVMFuzzerInitialize)
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    let name = count.pointee > 1 ? arguments.pointee[1].map { String(cString: $0) } : "--list"
    if name == "--list" {
        for target in targets { print(target.name) }
        exit(0)
    }
    guard let target = targets.first(where: { $0.name == name }) else {
        print("no target is named \(name ?? "")")
        exit(2)
    }
    chosen = target
    arguments.pointee[1] = arguments.pointee[0]
    arguments.pointee += 1
    count.pointee -= 1
    return 0
}

/// Checks one input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    chosen.check(UnsafeRawBufferPointer(start: bytes, count: size))
    return 0
}
