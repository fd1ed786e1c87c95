// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension BoundAuthorizer {
    /// Creates an authorizer for AWS Signature Version 4; see ``AWSAuthorizer``.
    ///
    ///     site.setRules { $0.authorizers.append(.aws(.environment, region: "eu-central-1", service: "s3")) }
    ///
    /// - Parameters:
    ///   - source: The source of the keys.
    ///   - region: The region; by default the one in the host's name, otherwise `AWS_REGION` or `AWS_DEFAULT_REGION`.
    ///   - service: The service's name in signatures, `s3` or `dynamodb`; by default the one in the host's name.
    ///   - payload: How the signature covers request bodies.
    /// - Returns: The authorizer.
    public static func aws(
        _ source: AWSCredentialSource,
        region: String? = nil,
        service: String? = nil,
        payload: AWSPayload = .automatic
    ) -> BoundAuthorizer {
        .custom(AWSAuthorizer(source, region: region, service: service, payload: payload))
    }

    /// Creates an authorizer for AWS Signature Version 2, for old stores that support nothing newer.
    ///
    /// Amazon's own regions no longer accept it; use ``aws(_:region:service:payload:)`` there. It covers neither bodies
    /// nor most fields. For S3, it sends `Authorization: AWS KEY:SIGNATURE`, made with SHA-1; for other services, it
    /// signs the query with SHA-256.
    ///
    /// - Parameters:
    ///   - source: The source of the keys.
    ///   - service: The service; `s3` is signed in a header field, all others in the query.
    ///   - time: The current time, for tests.
    /// - Returns: The authorizer.
    public static func awsVersion2(
        _ source: AWSCredentialSource,
        service: String = "s3",
        time: @escaping @Sendable () -> Date = { Date() }
    ) -> BoundAuthorizer {
        .custom(AWSVersion2Authorizer(source, service: service, time: time))
    }
}
