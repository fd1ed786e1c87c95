// SPDX-License-Identifier: Apache-2.0

import Cumulus

func guarding(_ link: String) async throws {
    // snippet.guard
    let site = Resource(link) { $0.allowedAddresses = .publicOnly }
    let page = try await site.get()
    // snippet.end
    _ = page
}

func excepting(_ site: Resource) throws {
    // snippet.exceptions
    let policy = try AddressPolicy.publicOnly(allowing: "10.20.0.0/16", "[fd12::1]:8443", "auth.internal")
    site.setRules { $0.allowedAddresses = policy }
    // snippet.end
}

func telling(_ site: Resource) async throws {
    // snippet.refusal
    do {
        _ = try await site.get()
    } catch let error as CumulusError where error.code == .addressRefused {
        let refusal = (error.cause as? TransportFailure)?.cause as? AddressRefusal
        print(refusal?.host ?? "", refusal?.address ?? "", refusal?.rule == .metadata ? "Nice try." : "")
    }
    // snippet.end
}

// snippet.transport
/// The addresses of a host that a request may connect to.
func allowed(_ texts: [String], for request: TransportRequest) throws -> [String] {
    let policy = request.allowedAddresses
    let refusals = texts.compactMap(IPAddress.init).compactMap { policy.refusal(of: $0, for: request.origin) }
    let allowed = texts.filter { text in
        IPAddress(text).map { policy.refusal(of: $0, for: request.origin) == nil } ?? false
    }
    if allowed.isEmpty, let failure = TransportFailure.forbidden(refusals) { throw failure }
    return allowed
}
// snippet.end
