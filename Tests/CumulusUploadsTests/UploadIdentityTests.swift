// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusUploads
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// An earlier upload is only continued for the same user and the same request.
@Suite struct UploadIdentityTests {
    enum Difference: CaseIterable, Sendable {
        case query, header, contentType, treeHeader, metadata, bearer, basic
    }

    private func call(
        _ service: TusService,
        _ bench: UploadBench,
        _ difference: Difference,
        _ value: String
    ) -> Call<UploadedFile> {
        let files = service.files { settings in
            switch difference {
            case .treeHeader: settings.headers["X-Album"] = value
            case .bearer: settings.authorizers = [.bearer(value)]
            case .basic: settings.authorizers = [.basic(user: "ada", password: value)]
            default: break
            }
        }
        let tus = difference == .metadata ? UploadProtocol.tus(metadata: ["album": value]) : .tus
        var call = files.prepareUpload(bench.file, by: tus, options: bench.options())
        switch difference {
        case .query: call.query["album"] = value
        case .header: call.headers["X-Album"] = value
        case .contentType: call.headers[.contentType] = "text/\(value)"
        default: break
        }
        return call
    }

    @Test(arguments: Difference.allCases)
    func uploadWithAnotherPropertyIsAnotherOne(difference: Difference) async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        let first = call(service, bench, difference, "one")
        _ = try await failure(of: { try await first.with { $0.retry = .never }.send() })
        let second = try await call(service, bench, difference, "two").send()
        #expect((second.resumedByteCount, second.sentByteCount) == (0, 1_000))
        #expect(second.restartReason == nil)
        #expect(service.uploads["1"]?.bytes.count == 350 && service.uploads["2"]?.bytes == bench.bytes)
        let third = try await call(service, bench, difference, "one").send()
        #expect(third.resumedByteCount == 350)
        #expect(service.uploads["1"]?.bytes == bench.bytes)
        #expect(bench.recordNames.isEmpty)
    }

    @Test func fieldsOfOneRequestDoNotMatter() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        try await service.interrupt(bench) { $0.headers["X-Request-ID"] = "1" }
        let files = service.files { $0.headers["X-Request-ID"] = "2" }
        let upload = try await files.upload(bench.file, by: .tus, options: bench.options())
        #expect(upload.resumedByteCount == 350)
    }

    private struct NamelessAuthorizer: Authorizer {
        var identity: AuthorizerIdentity? { nil }
        func authorize(_ request: inout EncodedRequest) async throws {}
    }

    @Test func usersWithoutAnIdentityDoNotShareUploads() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let (one, two) = (BoundAuthorizer.custom(NamelessAuthorizer()), BoundAuthorizer.custom(NamelessAuthorizer()))
        try await service.interrupt(bench) { $0.authorizers = [one] }
        let other = service.files { $0.authorizers = [two] }
        #expect(try await other.upload(bench.file, by: .tus, options: bench.options()).resumedByteCount == 0)
        let same = service.files { $0.authorizers = [one] }
        #expect(try await same.upload(bench.file, by: .tus, options: bench.options()).resumedByteCount == 350)
    }

    @Test func uploadWithOtherCookiesStartsOver() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let jar = CookieJar()
        try jar.set("session=ada; Path=/", from: "https://tus.test/")
        try await service.interrupt(bench) { $0.cookies = jar }
        try jar.set("session=bob; Path=/", from: "https://tus.test/")
        let files = service.files { $0.cookies = jar }
        #expect(try await !files.abandonUpload(of: bench.file, by: .tus, options: bench.options()))
        let upload = try await files.upload(bench.file, by: .tus, options: bench.options())
        #expect(upload.restartReason == "the cookies have changed, so this may be another user")
        #expect(service.uploads["2"]?.bytes == bench.bytes)
        #expect(service.uploads["1"]?.bytes.count == 350)
        #expect(!service.methods.contains("DELETE"))
    }

    @Test func uploadWithTheSameCookiesContinues() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let jar = CookieJar()
        try jar.set("session=ada; Path=/", from: "https://tus.test/")
        try await service.interrupt(bench) { $0.cookies = jar }
        let files = service.files { $0.cookies = jar }
        #expect(try await files.upload(bench.file, by: .tus, options: bench.options()).resumedByteCount == 350)
    }

    @Test func abandoningNeedsTheSameRequestAndUser() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        let first = call(service, bench, .query, "one")
        _ = try await failure(of: { try await first.with { $0.retry = .never }.send() })
        var call = service.files().prepareAbandoningUpload(of: bench.file, by: .tus, options: bench.options())
        #expect(try await !call.send())
        call.query["album"] = "one"
        let ofAnother = call.with { $0.authorizers = [.bearer("two")] }
        #expect(try await !ofAnother.send())
        #expect(service.uploads.count == 1)
        #expect(try await call.send())
        #expect(service.uploads.isEmpty && bench.recordNames.isEmpty)
    }

    @Test func namesOfRecordsDependOnAPrivateKey() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        try await service.interrupt(bench) { $0.authorizers = [.basic(user: "ada", password: "1")] }
        let names = bench.recordNames
        let key = "\(bench.records)/key"
        let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.removeItem(atPath: bench.records)
        try await service.interrupt(bench) { $0.authorizers = [.basic(user: "ada", password: "1")] }
        #expect(bench.recordNames.count == 2 && bench.recordNames != names)
    }

    // MARK: Origins

    /// A record of an upload at another origin, which the settings allowed then.
    ///
    /// - Returns: The number of requests.
    private func interruptElsewhere(_ bench: UploadBench, _ service: TusService) async throws -> Int {
        service.change { state in
            state.intercept = { request, state in
                guard request.method == .post else { return nil }
                state.uploads["1"] = TusService.Upload(length: 1_000)
                return .response(.created, headers: ["Location": "https://other.test/files/1"])
            }
        }
        try await service.interrupt(bench) { $0.redirects.sendsBodiesToOtherOrigins = true }
        service.change { $0.intercept = nil }
        return service.transport.requests.count
    }

    @Test func uploadOfARecordAtAnotherOriginIsNotContinued() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let count = try await interruptElsewhere(bench, service)
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(upload.restartReason == "the earlier upload is at another origin")
        #expect(upload.sentByteCount == 1_000)
        #expect(service.transport.requests.dropFirst(count).allSatisfy { $0.url.hasPrefix("https://tus.test/") })
    }

    @Test func uploadOfARecordAtAnotherOriginIsNotAbandoned() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let count = try await interruptElsewhere(bench, service)
        let error = try await failure(of: {
            try await service.files().abandonUpload(of: bench.file, by: .tus, options: bench.options())
        })
        #expect(error.code == .redirectRefused)
        #expect(service.methods.count == count)
    }
}
