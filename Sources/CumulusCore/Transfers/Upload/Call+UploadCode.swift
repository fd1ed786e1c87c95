// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

extension Call where Output == Response {
    /// The code of the properties by which the record of an unfinished upload is found again: the URL with its query, the
    /// user, the route, and the header fields.
    ///
    /// A user who is known in this process only (``StorePartition/isLasting``) has another code in the next one. The call
    /// is authorized as for sending, since some authorizers know their user only then.
    ///
    /// - Parameter key: A random key that only this user can read.
    /// - Returns: 32 bytes.
    /// - Throws: ``CumulusError``, as the call itself would before it is sent.
    package func uploadCode(keyedBy key: [UInt8]) async throws -> [UInt8] {
        _ = try await encoded()
        let settings = resource.snapshot
        let pipeline = settings.pipeline
        let plain = try pipeline.encoding.encode(request.draft(settings, pipeline))
        let partitions = pipeline.attemptLoop.stages.partitions
        let user = StorePartition(partitions.partition(of: plain, after: [], for: .partialFile))
        var message = IdentityMessage()
        message.add("url", [plain.url.description])
        // A cache omits these, and a server stores them with the content.
        for field in plain.headers where field.describesContent { message.add(field) }
        let userKey = user.isLasting && user.isShareable ? key : key + SourceRecord.process
        message.add("user", [MessageDigest.hexadecimal(user.code(keyedBy: userKey))])
        return HMAC(key: key).code(of: message.bytes)
    }

    /// The code of the cookies that the jar sends to the resource now; `nil` without a jar.
    ///
    /// - Parameter key: A random key that only this user can read.
    /// - Returns: The code in hexadecimal.
    package func cookieCode(keyedBy key: [UInt8]) -> String? {
        guard let jar = resource.cookies, let url = resource.urlString,
            let cookies = try? jar.cookies(for: url)
        else { return nil }
        var message = IdentityMessage()
        message.add("cookies", cookies.flatMap { [$0.name, $0.value.revealed] })
        return MessageDigest.hexadecimal(HMAC(key: key).code(of: message.bytes))
    }
}

extension HTTPField {
    fileprivate var describesContent: Bool {
        let name = name.canonicalName
        return name == "cache-control" || name.begins(with: "content-") && name != "content-length"
    }
}
