// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Times, addresses and sizes of an exchange, one per line.
struct MetaText {
    let style: OutputPlan

    /// The lines, without values that the transport doesn't report.
    func text(elapsed: Duration, facts: ExchangeFacts, redirects: Int) -> String {
        var lines = [("Elapsed", MetaText.milliseconds(elapsed))]
        let phases = facts.phases
        let named: [(String, Duration?)] = [
            ("Queue", phases.queue), ("Lookup", phases.lookup), ("Connect", phases.connect), ("TLS", phases.tls),
            ("First byte", phases.firstByte), ("Last byte", phases.lastByte),
        ]
        lines += named.compactMap { name, time in time.map { (name, MetaText.milliseconds($0)) } }
        if let name = facts.protocolName { lines.append(("Protocol", PeerText.printable(name))) }
        if let address = facts.remoteAddress { lines.append(("Remote", PeerText.printable(address))) }
        if let proxy = facts.proxy { lines.append(("Proxy", "\(proxy)")) }
        lines.append(("Connection", facts.isReused ? "reused" : "new"))
        lines.append(("Sent", "\(facts.bytesSent) bytes"))
        lines.append(("Received", "\(facts.bytesReceived) bytes"))
        if redirects > 0 { lines.append(("Redirects", "\(redirects)")) }
        return lines.map { "\(style.colors ? style.theme.paint($0.0, .cyan) : $0.0): \($0.1)\n" }.joined()
    }

    /// A time in milliseconds with one decimal.
    static func milliseconds(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let tenths = seconds * 10_000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
