// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The properties of an origin that its earlier connections have shown.
struct OriginMemory {
    /// Whether it has required HTTP/1.1 over an HTTP/2 connection (RFC 9113 section 7).
    var requiresHTTP1 = false
    /// How long it had kept the last idle connection that it closed without notice.
    var idleLimit: Duration?
    /// Whether it has closed a connection without notice soon after its response to a large request.
    var leavesLargeBodies = false
    /// The sizes of heads that it accepts over HTTP/2 or not, beyond what is usual.
    var headSizes = HTTP2HeadSizes()
}

extension LoopEngine {
    /// The remembered properties of an origin, the usual ones by default.
    func memory(of origin: Origin) -> OriginMemory {
        memories.isEmpty ? OriginMemory() : memories[origin] ?? OriginMemory()
    }

    /// Changes the remembered properties of an origin.
    func remember(_ origin: Origin, _ change: (inout OriginMemory) -> Void) {
        // Forgotten together now and then, so that memory does not grow with the origins seen.
        if memories.count >= 1_000 { memories = [:] }
        change(&memories[origin, default: OriginMemory()])
    }
}
