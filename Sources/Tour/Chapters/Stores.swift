// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Chapter 12: an S3-compatible store, and signatures.
struct Stores {
    private static let key = "ada"
    private static let secret: Secret<String> = "lovelace"
    private static let bucket = LoopbackObjectStore(key: key, secret: secret)

    let site: Resource
    let url: String

    static func install(in routes: inout Routes) { bucket.install(in: &routes, at: "photos") }

    /// Puts the store's keys where AWS's own tools look for them.
    static func setKeys() {
        setenv("AWS_ACCESS_KEY_ID", key, 1)
        setenv("AWS_SECRET_ACCESS_KEY", secret.revealed, 1)
        unsetenv("AWS_SESSION_TOKEN")
    }

    private var store: Resource {
        let store = site["photos"]
        store.authorizers = .replacing([.aws(.keys(id: Self.key, secret: Self.secret), region: "eu", service: "s3")])
        store.errorDecoders = [.aws]
        return store
    }

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Stores and signatures")
        await visitObjects(&guide)
        await visitLinks(&guide)
        await visitSources(&guide)
        await visitTroubles(&guide)
    }

    private func visitObjects(_ guide: inout TourGuide) async {
        await guide.step(
            "A file goes up in signed chunks, comes back, and is deleted",
            "try await ObjectStores.objects(store: store)"
        ) {
            try await withPicture { _ in
                let size = try await ObjectStores.objects(store: store)
                try promise(size == 300_000 && Self.bucket.names.isEmpty, "\(size) bytes, \(Self.bucket.names)")
                return "\(size) bytes there and back"
            }
        }
        await guide.step(
            "A large file goes up in parts",
            "try await upload(file, to: store[\"2026/big.png\"], partSize: 120_000)"
        ) {
            try await withPicture { file in
                try await upload(file, to: store["2026/big.png"], partSize: 120_000)
                try await store["2026/cat.png"].upload(file: file, as: Void.self)
                let size = try await store["2026/big.png"].get(as: Data.self).count
                try promise(size == 300_000, "\(size) bytes")
                return "\(size) bytes; \(Self.bucket.names.joined(separator: ", "))"
            }
        }
        await guide.step("The list of objects", "try await keys(in: store, below: \"2026/\")") {
            let found = try await keys(in: store, below: "2026/")
            try promise(found == ["2026/big.png", "2026/cat.png"], "\(found)")
            return found.joined(separator: "\n")
        }
    }

    private func visitLinks(_ guide: inout TourGuide) async {
        await guide.step(
            "Links for somebody without keys",
            "let (link, form) = try await ObjectStores.link(store: store)"
        ) {
            let (link, form) = try await ObjectStores.link(store: store)
            let size = try await Resource(link).get(as: Data.self).count
            try await Resource(form).put(.bytes(Array("new".utf8))).requireSuccess()
            let misused = try await Resource(link).put(.bytes(Array("new".utf8)))
            try promise(size == 300_000 && misused.status == .forbidden, "\(size) bytes, \(misused)")
            try promise(Self.bucket.names.count == 3, "\(Self.bucket.names)")
            return "\(size) bytes and a new object, without a key\nfor another method: \(misused.status)"
        }
    }

    private func visitSources(_ guide: inout TourGuide) async {
        await guide.step(
            "For another store than AWS's, you name region and service",
            "let minio = ObjectStores.elsewhere(key: key)"
        ) {
            let minio = ObjectStores.elsewhere(key: Self.secret)
            let link = try await minio["2026/cat.png"].presignedURL(for: .seconds(60))
            let picture = try await Self.show(link, to: url).requireSuccess()
            try promise(picture.bytes.count == 300_000, "\(picture)")
            return "\(link.before("?"))\n\(picture.bytes.count) bytes"
        }
        await guide.step(
            "For AWS, the host's name says both; the keys are in the environment, or come from a vault of your own",
            "let store = ObjectStores.signing()\nObjectStores.sources(store: store, vault: vault)"
        ) { try await Self.sources() }
    }

    /// Signs links with keys from several sources, and shows them to a service that knows whose they are.
    private static func sources() async throws -> String {
        let temporary = AWSCredentials(accessKeyID: "temporary", secretAccessKey: "moon", sessionToken: "t1")
        let owners = [
            ("environment", AWSVerifier(AWSCredentials(accessKeyID: key, secretAccessKey: secret))),
            ("vault", AWSVerifier(temporary)),
        ]
        let calls = Mutex(0)
        return try await withLoopbackServer(routes: { routes in
            routes.get("/keys") { _ in
                calls.withLock { $0 += 1 }
                let end = Int(Date().timeIntervalSinceReferenceDate) + 3_600
                return .json(#"{"id":"temporary","secret":"moon","token":"t1","end":\#(end)}"#)
            }
            routes.get("/2026/*") { request in
                let fields: [(name: String, value: String)] = request.headers.map { ($0.name.canonicalName, $0.value) }
                let (target, now) = (request.target, Date())
                for (name, verifier) in owners {
                    let found = try? verifier.payload(method: "GET", target: target, fields: fields, body: [], at: now)
                    if found != nil { return .text(name) }
                }
                return .status(.forbidden)
            }
        }) { server in
            let store = ObjectStores.signing()
            let picture = store["2026/cat.png"]
            let first = try await show(try await picture.presignedURL(for: .seconds(60)), to: server.url).text
            ObjectStores.sources(store: store, vault: Resource(server.url)["keys"])
            let second = try await show(try await picture.presignedURL(for: .seconds(60)), to: server.url).text
            let third = try await show(try await picture.presignedURL(for: .seconds(90)), to: server.url).text
            let count = calls.withLock(\.self)
            let found = [first, second, third].map { $0 ?? "nobody" }
            try promise(found == ["environment", "vault", "vault"] && count == 1, "\(found) \(count)")
            return "keys of: \(found.joined(separator: ", "))\nasked the vault: once"
        }
    }

    private func visitTroubles(_ guide: inout TourGuide) async {
        await guide.step("A missing object", "try await ObjectStores.troubles(store: store)") {
            var codes: [String] = []
            try await ObjectStores.troubles(store: store) { codes.append($0) }
            try promise(codes == ["NoSuchKey"], "\(codes)")
            return codes[0]
        }
        await guide.step(
            "A wrong secret is refused with the service's own error",
            "catch ... serviceError(as: AWSError.self)"
        ) {
            let thief = site["photos"].with {
                $0.authorizers = .replacing([.aws(.keys(id: Self.key, secret: "guess"), region: "eu", service: "s3")])
                $0.errorDecoders = [.aws]
            }
            let error = try await failure { try await thief["2026/cat.png"].get(as: Data.self) }
            let said = error.serviceError(as: AWSError.self)
            try promise(said?.code == "SignatureDoesNotMatch", "\(error)")
            return said?.description ?? ""
        }
    }

    /// Runs in a folder with a picture, like a program that was started there.
    private func withPicture(_ work: (_ file: URL) async throws -> String) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tour-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let before = FileManager.default.currentDirectoryPath
        defer {
            _ = FileManager.default.changeCurrentDirectoryPath(before)
            try? FileManager.default.removeItem(at: folder)
        }
        let file = folder.appendingPathComponent("cat.png")
        try Data(repeating: 7, count: 300_000).write(to: file)
        try promise(FileManager.default.changeCurrentDirectoryPath(folder.path), "\(folder.path) can't be entered")
        return try await work(file)
    }

    /// Shows a link to a service on this machine, under the name that the link is for.
    private static func show(_ link: String, to server: String) async throws -> Response {
        let rest = link.place(of: "://").map { link[$0.upperBound...] } ?? link[...]
        let host = String(rest.before("/"))
        return try await Resource("\(server)\(rest.dropFirst(host.count))").get(headers: ["Host": host])
    }
}
