// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Chapter 4, too: jars of cookies, in memory and in files.
struct Jars {
    let url: String

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Cookies")
        await guide.step(
            "A file keeps them for the next run; curl reads it, too",
            "let jar = try await CookieJar(file: path, keepsSessionCookies: true)\nsite.cookies = jar\ntry await jar.save()"
        ) { try await file() }
        await guide.step(
            "Import and export curl's cookies",
            "try jar.importCookies(from: bytes)\nlet bytes = jar.exportCookies()"
        ) {
            let jar = CookieJar()
            try jar.importCookies(from: Array("127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\ts1\n".utf8))
            let site = Resource(url)
            site.cookies = jar
            let name = try await site["session/me"].get(as: String.self)
            let lines = String(decoding: jar.exportCookies(), as: UTF8.self).parts(at: "\n", omitsEmpty: true)
            try promise(name == "Ada" && lines.last?.has("\tsid\ts1") == true, "\(name) \(lines.count)")
            return "\(name)\n\(lines.count) lines"
        }
        await guide.step(
            "A cookie that breaks the rules is refused, with the reason",
            "try jar.set(\"a=1; Domain=co.uk\", from: \"https://shop.co.uk\")"
        ) {
            var reasons: [String] = []
            for (field, place) in [
                ("a=1; Domain=co.uk", "https://shop.co.uk"), ("a=1; Secure", "http://shop.example"),
                ("__Host-a=1; Path=/x; Secure", "https://shop.example"),
            ] {
                do {
                    try CookieJar().set(field, from: place)
                } catch let refusal as CookieRefusal {
                    reasons.append("\(field): \(refusal)")
                }
            }
            try promise(reasons.count == 3, "\(reasons)")
            return reasons.joined(separator: "\n")
        }
    }

    private func file() async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-tour-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "cookies.txt").path
        let jar = try await CookieJar(file: path, keepsSessionCookies: true)
        let site = Resource(url)
        site.cookies = jar
        try await site["session/login"].post(.form(["user": "ada", "password": "lovelace"])).requireSuccess()
        try await jar.save()
        let next = Resource(url)
        next.cookies = try await CookieJar(file: path, keepsSessionCookies: true)
        let name = try await next["session/me"].get(as: String.self)
        try promise(name == "Ada", name)
        return "the next run is still \(name)"
    }
}
