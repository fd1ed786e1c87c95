// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// Times, addresses and sizes of an exchange, one per line; and the requests of its call, if there were several.
struct MetaText {
    let style: OutputPlan

    /// The lines, without values that the transport doesn't report.
    func text(
        elapsed: Duration,
        facts: ExchangeFacts,
        redirects: Int,
        attempts: [AttemptRecord] = []
    ) -> String {
        var lines = [("Elapsed", MetaText.milliseconds(elapsed))]
        let phases = facts.phases
        let named: [(String, Duration?)] = [
            ("Queue", phases.queue), ("Lookup", phases.lookup), ("Connect", phases.connect), ("TLS", phases.tls),
            ("First byte", phases.firstByte), ("Last byte", phases.lastByte),
        ]
        lines += named.compactMap { name, time in time.map { (name, MetaText.milliseconds($0)) } }
        if let name = facts.protocolName { lines.append(("Protocol", PeerText.printable(name))) }
        lines += MetaText.lines(of: facts.tls)
        if let address = facts.remoteAddress { lines.append(("Remote", PeerText.printable(address))) }
        if let proxy = facts.proxy { lines.append(("Proxy", "\(proxy)")) }
        lines.append(("Connection", facts.isReused ? "reused" : "new"))
        lines.append(("Sent", "\(facts.bytesSent) bytes"))
        lines.append(("Received", "\(facts.bytesReceived) bytes"))
        if redirects > 0 { lines.append(("Redirects", "\(redirects)")) }
        if attempts.count > 1 { lines.append(("Attempts", "\(attempts.last?.number ?? 0)")) }
        let text = lines.map { "\(style.colors ? style.theme.paint($0.0, .cyan) : $0.0): \($0.1)\n" }.joined()
        return attempts.count > 1 ? text + MetaText.table(attempts) : text
    }

    /// Version, cipher suite and the server's certificate; its names are printable already.
    private static func lines(of tls: TLSFacts?) -> [(String, String)] {
        guard let tls else { return [] }
        let certificate = tls.certificate
        let named = [
            ("TLS version", tls.version), ("Cipher suite", tls.cipherSuite.map(\.description)),
            ("Subject", certificate?.subject), ("Issuer", certificate?.issuer),
            ("Expires", certificate.flatMap { ISO8601Date.text($0.expires) }),
        ]
        return named.compactMap { name, text in
            text.flatMap { $0.isEmpty ? nil : (name, PeerText.printable($0, limit: 1_000)) }
        }
    }

    /// The requests of a call in columns: number, reason, outcome, time, and what was decided.
    static func table(_ attempts: [AttemptRecord]) -> String {
        let rows = attempts.map { attempt in
            ["\(attempt.number)", "\(attempt.reason)", attempt.end, milliseconds(attempt.elapsed)]
                + (attempt.decision.map { [$0] } ?? [])
        }
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { column in
                let cell = row[column]
                guard column < 4 else { return cell }
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 || column == 3 ? padding + cell : cell + padding
            }
            return "  " + cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    /// A time in milliseconds with one decimal.
    static func milliseconds(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let tenths = seconds * 10_000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}

extension AttemptRecord {
    /// How it ended: a status, or the error's code.
    fileprivate var end: String {
        switch outcome {
        case .responded(let status): "\(status.code)"
        case .failed(let error as CumulusError): "\(error.code)"
        case .failed: "failed"
        }
    }

    /// Whether it was retried, or why not.
    fileprivate var decision: String? {
        guard let retry else { return nil }
        if let obstacle = retry.obstacle { return PeerText.printable("\(obstacle)", limit: 1_000) }
        return "retried after \(SpokenDuration(retry.delay ?? .zero))"
    }
}
