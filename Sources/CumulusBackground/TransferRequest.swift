// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusURLSession
import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The request of a transfer, checked and in the system's form.
struct TransferRequest: Sendable {
    let kind: BackgroundTransfer.Kind
    /// The file that is written or sent.
    let file: String
    let encoded: EncodedRequest
    let urlRequest: URLRequest
    let hasCredentials: Bool

    /// Encodes and authorizes a call, and checks that the system can send its request without the app.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - destination: The file of a download; `nil` for an upload.
    ///   - allowsCredentials: Whether the request may have credentials.
    /// - Throws: `CumulusError`.
    init(_ call: Call<Response>, destination: String?, allowsCredentials: Bool) async throws {
        var request = try await call.encoded()
        try Self.checkRoute(of: request, call.resource)
        guard request.origin.isConfidential else {
            throw Self.problem(.refused, "a background transfer requires https, except to this machine", request)
        }
        try Self.checkFields(of: request, isDownload: destination != nil)
        let secrets = request.secretFields
        guard secrets.isEmpty || allowsCredentials else {
            let names = secrets.joined(separator: ", ")
            let message = "a redirect could send the background transfer's credentials (\(names)) to any server"
            let advice = "use a presigned URL, or set allowsCredentialsOnRedirects"
            throw Self.problem(.refused, "\(message); \(advice)", request)
        }
        hasCredentials = !secrets.isEmpty
        kind = destination == nil ? .upload : .download
        file = try destination ?? Self.source(of: request)
        // The length and the digest are those of the file.
        if destination != nil { request.headers[.acceptEncoding] = "identity" }
        encoded = request
        urlRequest = try Self.urlRequest(request)
    }

    /// Refuses settings that a background session would ignore.
    private static func checkRoute(of request: EncodedRequest, _ resource: Resource) throws {
        guard resource.allowedAddresses.isAny else {
            throw problem(.unsupported, "a background transfer can't enforce `allowedAddresses`", request)
        }
        guard let isDirect = try? resource.proxy.proxy(for: request.origin) == nil, isDirect else {
            let message = "a background transfer uses the system's proxies and ignores the `proxy` setting"
            throw problem(.unsupported, message, request)
        }
    }

    private static func checkFields(of request: EncodedRequest, isDownload: Bool) throws {
        for field in request.headers where field.name.canonicalName == "host" {
            throw problem(.unsupported, "a background transfer can't set the Host field", request)
        }
        guard isDownload else { return }
        if request.headers[.range] != nil {
            throw problem(.unsupported, "a background download can't request a range", request)
        }
        if case .none = request.body { return }
        throw problem(.unsupported, "a background download can't have a body", request)
    }

    /// The file of an upload, which must be its whole body.
    private static func source(of request: EncodedRequest) throws -> String {
        guard case .file(let body) = request.body, body.offset == 0, body.length == body.wholeLength ?? body.length,
            let path = FilePath(body.path).absolute
        else { throw problem(.unsupported, "the body of a background upload must be a whole file", request) }
        return path
    }

    /// Checks that the file of an upload still has the length that the request announces.
    ///
    /// - Throws: `CumulusError` with the code `encoding` and an `UploadProblem`.
    func checkFile() throws {
        guard case .file(let body) = encoded.body else { return }
        let problem: UploadProblem
        do throws(OpenedFile.Refusal) {
            let size = try OpenedFile(file).size()
            guard size != body.length else { return }
            problem = UploadProblem(.changed, path: file, "has \(size) bytes instead of \(body.length)")
        } catch { problem = UploadProblem(error) }
        throw CumulusError(.encoding, stage: .encoding, "\(problem)", request: encoded, cause: problem)
    }

    private static func urlRequest(_ request: EncodedRequest) throws -> URLRequest {
        var bare = request
        // The body of an upload is passed as a file.
        bare.body = .none
        guard var urlRequest = URLRequest(bare) else {
            throw problem(.invalidURL, "the URL can't be used by URLSession", request)
        }
        urlRequest.cachePolicy = .reloadIgnoringLocalCacheData
        urlRequest.httpShouldHandleCookies = false
        // No origin learns our credentials for a proxy.
        urlRequest.setValue(nil, forHTTPHeaderField: HTTPField.Name.proxyAuthorization.rawName)
        return urlRequest
    }

    private static func problem(
        _ code: CumulusError.Code,
        _ message: String,
        _ request: EncodedRequest
    ) -> CumulusError {
        CumulusError(code, stage: .preflight, message, request: request)
    }
}

extension EncodedRequest {
    /// The names of the fields with values that the library never prints: credentials, cookies, URLs with secrets, and
    /// every field that was passed to `hide(_:)`.
    var secretFields: [String] {
        var names: [String] = []
        for field in headers where !names.contains(field.name.rawName) {
            let name = field.name.rawName
            // Its name contains `key`, but it identifies only the request.
            if field.name.canonicalName == "idempotency-key" { continue }
            let isSecret = Redaction.isSecret(name) || hides(name)
            if isSecret || SecretRedaction.value(field.value, of: name, hiding: hides) != field.value {
                names.append(name)
            }
        }
        return names
    }
}
