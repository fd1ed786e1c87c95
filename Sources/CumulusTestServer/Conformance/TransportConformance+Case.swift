// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension TransportConformance {
    /// A requirement for transports, described by its name.
    public enum Case: String, CaseIterable, Sendable, Hashable, CustomStringConvertible {
        // Requests
        case everyVerbArrives
        case fieldsMakeTheRoundTrip
        case nothingIsAddedToTheFields
        case emptyBodies
        case largeRequestBodyArrivesWhole
        case streamedBodyArrivesChunked
        case streamedBodyOfKnownLength
        case streamedBodyOfWrongLengthIsRefused
        case producerFailureEndsTheExchange
        case fileArrivesWhole
        case fileRangeArrives
        case missingFileIsRefused
        case uploadIsHeldBackByASlowServer
        case targetIsSentVerbatim
        case hostNamesThePort
        case ownHostIsSent
        case severalHostsAreRefused
        case lineBreakInTheTargetIsRefused
        case framingFieldsCannotSmuggle
        case requestTrailersArrive
        case failedRequestTrailersEndTheExchange
        // Responses
        case statusesAreReturnedNotThrown
        case challengesAreReturned
        case headHasNoBody
        case noContentHasNoBody
        case notModifiedHasNoBody
        case largeResponseBodyArrivesWhole
        case chunkedBody
        case trailersAreDelivered
        case bodyUntilTheEndOfTheConnection
        case informationalResponsesArePassedOver
        case informationalResponsesAreHandedOver
        case redirectsAreNotFollowed
        case cookiesAreNotKept
        case contentCodingsAreNotDecoded
        case nothingIsCached
        case nothingIsRepeated
        case earlyResponseWhileUploading
        // Connections
        case connectionsAreReused
        case connectionsAreReusedAfterUploads
        case closedConnectionsAreNotReused
        case closedKeptConnectionIsReported
        case newConnectionIsNoKeptOne
        case fiftyExchangesAtOnce
        case factsAreThere
        // Failures
        case refusedConnection
        case unknownHost
        case closedBeforeTheHead
        case closedInTheHead
        case resetBeforeTheHead
        case truncatedLength
        case truncatedChunks
        case garbageInsteadOfHTTP
        case conflictingLengthsAreRefused
        case endlessHeaderIsRefused
        // Deadlines
        case responseTimeout
        case responseTimeoutUnderInformationalResponses
        case headThatDripsIsTimedOut
        case idleTimeoutInTheBody
        case totalDeadlineBeforeTheHead
        case totalDeadlineInTheBody
        case connectTimeout
        case handshakeTimeout
        case deadlinesReadTheRequestsClock
        /// A call's deadline ends hooks, queues and pauses, which the transport doesn't see.
        case deadlineEndsHooksAndLines
        case slowButSteadyBodyPasses
        // Cancellation
        case cancelledBeforeSending
        case cancelledBeforeTheHead
        case cancelledInTheBody
        case cancelledWhileUploading
        case droppedBodyEndsTheExchange
        case unreadBodyHoldsTheServerBack
        // TLS
        case selfSignedIsRefused
        case givenRootIsAccepted
        case wrongHostIsRefused
        case expiredIsRefused
        // Proxies
        case namedProxyIsUsedOrRefused
        case deadProxyIsNotPassedBy
        case refusedTunnelIsAFailure

        /// The name.
        public var description: String { rawValue }
    }
}

/// A capability without which a case is meaningless.
struct ConformanceRequirement: Sendable {
    let name: String
    let isMet: @Sendable (TransportCapabilities) -> Bool

    /// Why the capabilities are not sufficient; `nil` if they are.
    func lack(in capabilities: TransportCapabilities) -> String? {
        isMet(capabilities) ? nil : "the transport declares \(name)"
    }
}

extension TransportConformance.Case {
    /// The capabilities that a transport needs for this case.
    var requirement: ConformanceRequirement? {
        switch self {
        case .contentCodingsAreNotDecoded:
            ConformanceRequirement(name: "decodesContent") { !$0.decodesContent }
        case .uploadIsHeldBackByASlowServer:
            ConformanceRequirement(name: "not streamsRequestBodies") { $0.streamsRequestBodies }
        case .unreadBodyHoldsTheServerBack:
            ConformanceRequirement(name: "not limitsUnreadBytes") { $0.limitsUnreadBytes }
        case .closedKeptConnectionIsReported:
            ConformanceRequirement(name: "repeats") { !$0.repeats }
        case .requestTrailersArrive, .failedRequestTrailersEndTheExchange:
            ConformanceRequirement(name: "not sendsTrailers") { $0.sendsTrailers }
        default: nil
        }
    }

    /// The function that runs the case, grouped by topic.
    var body: @Sendable (ConformanceBench) async throws -> Void {
        requestBody ?? trailerBody ?? responseBody ?? connectionBody ?? failureBody ?? deadlineBody ?? cancellationBody
            ?? tlsBody
            ?? proxyBody ?? { _ in throw ConformanceFailure(reason: "no function carries out \(self)") }
    }
}
