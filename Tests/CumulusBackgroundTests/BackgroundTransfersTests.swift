// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusURLSession
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusBackground

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The delegate and the session, which is one of the foreground: only Apple's systems have others.
@Suite(.timeLimit(.minutes(10))) struct BackgroundTransfersTests {
    private let folder: TemporaryFolder
    private let transfers: BackgroundTransfers

    init() throws {
        folder = try TemporaryFolder()
        transfers = try BackgroundTransfers("com.example.test", "\(folder.path)/records", .ephemeral)
    }

    private func site(_ server: LoopbackServer) -> Resource {
        Resource(server.url, transport: URLSessionTransport())
    }

    /// The next result.
    private func result() async -> BackgroundEvent? {
        for await event in transfers.events {
            if case .progress = event { continue }
            return event
        }
        return nil
    }

    #if !canImport(Darwin)
    @Test func thereAreNoBackgroundSessionsOnLinux() {
        let error = #expect(throws: CumulusError.self) { try BackgroundTransfers(identifier: "com.example.test") }
        #expect(error?.code == .unsupported)
    }
    #endif

    @Test func downloadsToAFile() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("hello") } }) { server in
            let path = "\(folder.path)/x.txt"
            let transfer = try await transfers.download(site(server)["x"], to: URL(filePath: path))
            guard case .downloaded(transfer, let file)? = await result() else {
                Issue.record("the download failed")
                return
            }
            #expect(try folder.bytes("x.txt") == Array("hello".utf8) && file.path == path && transfers.running.isEmpty)
            #expect(file.response?.mediaType?.description.contains("text/plain") == true)
        }
    }

    @Test func statusOfAnErrorIsReported() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .status(.notFound) } }) { server in
            try await transfers.download(site(server)["x"], to: "\(folder.path)/x.txt")
            #expect(await result()?.text == "failed status")
            #expect(!folder.names.contains("x.txt"))
        }
    }

    @Test func refusedConnectionIsReported() async throws {
        let server = try await LoopbackServer.start()
        let gone = site(server)["x"]
        await server.shutdown()
        try await transfers.download(gone, to: "\(folder.path)/x.txt")
        #expect(await result()?.text == "failed connect")
    }

    @Test func redirectWithCredentialsToAnotherOriginIsAnError() async throws {
        try await withLoopbackServer(routes: { $0.get("/y") { _ in .text("stolen") } }) { other in
            let target = "\(other.url)/y"
            try await withLoopbackServer(routes: { $0.get("/x") { _ in .redirect(to: target) } }) { server in
                let resource = site(server)["x"].with { $0.authorizers = [.bearer("s3cret")] }
                let options = BackgroundTransferOptions(allowsCredentialsOnRedirects: true)
                try await transfers.download(resource, to: "\(folder.path)/x.txt", options: options)
                #expect(await result()?.text == "failed redirectRefused" && !folder.names.contains("x.txt"))
                // Without credentials, the other origin learns nothing.
                try await transfers.download(site(server)["x"], to: "\(folder.path)/x.txt")
                #expect(await result()?.text == "downloaded")
            }
        }
    }

    @Test func uploadsAFile() async throws {
        let path = try folder.write("content", to: "source.txt")
        let routes: (inout Routes) -> Void = { routes in
            routes.put("/x") { .text("saved \($0.body.count)") }
        }
        try await withLoopbackServer(routes: routes) { server in
            let transfer = try await transfers.upload(path, to: site(server)["x"])
            let event = await result()
            #expect(event?.text == "uploaded saved 7" && transfer.kind == .upload && transfers.running.isEmpty)
        }
    }

    @Test func runningTransferIsListedAndCancelled() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .silence } }) { server in
            let transfer = try await transfers.download(site(server)["x"], to: "\(folder.path)/x.txt")
            #expect(transfers.running == [transfer])
            transfers.cancel(transfer)
            #expect(await result()?.text == "cancelled")
            #expect(transfers.running.isEmpty)
        }
    }

    @MainActor @Test func handlersOfOtherSessionsAreNotTaken() {
        #expect(!transfers.handleEvents(forBackgroundSession: "com.example.other") {})
        #expect(transfers.handleEvents(forBackgroundSession: "com.example.test") {})
    }
}
