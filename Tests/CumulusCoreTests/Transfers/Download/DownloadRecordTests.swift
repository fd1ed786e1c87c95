// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// A record beside an unfinished file may contain anything.
@Suite struct DownloadRecordTests {
    private func read(_ text: String) throws -> DownloadRecord? {
        let folder = try TemporaryFolder()
        return DownloadRecord(at: FilePath(try folder.write(text, to: "record.json")))
    }

    private func text(wanted: String, length: String, done: String) -> String {
        """
        {"version":3,"place":"a","inode":1,"wanted":\(wanted),"remote":{"entityTag":"\\"a\\"","length":\(length),
        "source":{"key":"00","user":"00","cookies":["00"]}},
        "checksums":[],"done":\(done)}
        """
    }

    private static let extremes = [
        "-9223372036854775808", "-9223372036854775807", "-1", "0", "1", "9223372036854775806", "9223372036854775807",
        "9223372036854775808", "1e-9223372036854775808", "1e18", "0e9223372036854775807",
    ]

    @Test(
        "a record with extreme numbers is refused, and an accepted one is consistent",
        arguments: extremes,
        extremes
    )
    func extremeRanges(start: String, end: String) throws {
        let range = "{\"start\":\(start),\"end\":\(end)}"
        for wanted in ["null", range, "{\"start\":5,\"end\":\(end)}"] {
            for length in SlowTests.areWanted ? ["null", start, end, "100"] : ["null", end] {
                let all = ["[]", "[\(range)]", "[{\"start\":0,\"end\":10},\(range)]", "[\(range),\(range)]"]
                for done in SlowTests.areWanted ? all : Array(all[1...2]) {
                    guard let record = try read(text(wanted: wanted, length: length, done: done)) else { continue }
                    let ranges = record.ranges
                    #expect(ranges.ranges.allSatisfy { $0.lowerBound >= 0 && $0.lowerBound < $0.upperBound })
                    let first = record.wanted?.start ?? 0
                    let last = min(record.wanted?.end ?? .max, record.remote.length ?? .max)
                    #expect(first >= 0 && ranges.ranges.last?.upperBound ?? 0 <= last - first)
                    var map = SegmentMap(length: last - first, done: ranges)
                    _ = (map.isComplete, map.prefix, map.missing, map.claim(minimum: 1), record.prefix)
                }
            }
        }
    }

    @Test("a record with more bytes than remain of the wanted range is refused")
    func wantedBeyondTheFile() throws {
        let done = "[{\"start\":0,\"end\":80}]"
        #expect(try read(text(wanted: "{\"start\":0,\"end\":100}", length: "50", done: done)) == nil)
        #expect(try read(text(wanted: "{\"start\":40,\"end\":140}", length: "100", done: done)) == nil)
        #expect(try read(text(wanted: "{\"start\":20,\"end\":140}", length: "100", done: done)) != nil)
        #expect(try read(text(wanted: "{\"start\":100,\"end\":20}", length: "null", done: "[]")) == nil)
    }

    @Test("bytes after the wanted end are left out, wherever they begin")
    func bytesBehindTheEnd() throws {
        let folder = try TemporaryFolder()
        let part = try PartFile(FilePath(folder.path + "/data.part"))
        var writer = DownloadWriter(part, base: 0, end: 50, position: 80, kept: 80, digest: RunningDigest([]))
        #expect(try writer.take(ByteChunk([1, 2, 3]), at: 80) == false)
        #expect(writer.position == 80)
    }

    @Test(
        "a Content-Range with any numbers is either a countable range or invalid",
        arguments: [
            "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775806/9223372036854775807",
            "bytes 9223372036854775807-9223372036854775807/*", "bytes 0-18446744073709551615/*", "bytes -1-5/10",
            "bytes +1-5/10", "bytes 1-5/+10", "bytes 0-5/\u{301}10", "bytes 0-5/\u{301}*",
        ]
    )
    func contentRanges(text: String) {
        let range = ContentRange(parsing: text)
        #expect(range?.length ?? 1 > 0)
        if text.utf8.contains(UInt8(ascii: "+")) || !text.utf8.allSatisfy({ $0 < 0x80 }) { #expect(range == nil) }
        #expect(ContentRange(0...Int64.max, of: nil).length == nil)
    }

    /// The identity of an authorizer, or of a transport.
    enum Identity: Sendable, CaseIterable {
        case anonymous, lasting, numbered, missing, unverified

        /// Whether another call of the same process recognizes it, and whether another process does.
        var isRecognized: (inProcess: Bool, inAnother: Bool) {
            switch self {
            case .anonymous, .lasting: (true, true)
            case .numbered: (true, false)
            case .missing, .unverified: (false, false)
            }
        }

        fileprivate func source(_ unique: AuthorizerIdentity, _ call: CallID) -> ResponseSource {
            var parts = StorePartition.Parts()
            switch self {
            case .anonymous: break
            case .lasting: parts.add(AuthorizerIdentity("Basic", "ann", "p"), orElse: 1)
            case .numbered: parts.add(unique, orElse: 1)
            case .missing: parts.add(nil, orElse: 1)
            case .unverified: parts.add(TransportIdentity.unknown, offersClient: true)
            }
            return ResponseSource(user: parts, cookies: [[]], target: nil, call: call)
        }
    }

    @Test("a record's user and route are recognized as long as their identities last", arguments: Identity.allCases)
    func sources(identity: Identity) throws {
        let (unique, call, later) = (AuthorizerIdentity.unique(), CallID.next(), CallID.next())
        let record = SourceRecord(identity.source(unique, call))
        let other = [UInt8](repeating: 7, count: 32)
        func isSame(_ call: CallID, in process: [UInt8] = SourceRecord.process) -> Bool {
            record.difference(from: identity.source(unique, call), isCovered: false, in: process) == nil
        }
        #expect(isSame(call))
        #expect(isSame(later) == identity.isRecognized.inProcess)
        #expect(isSame(later, in: other) == identity.isRecognized.inAnother)
        #expect(isSame(call, in: other) == identity.isRecognized.inAnother)
        for another in Identity.allCases where another != identity {
            #expect(record.difference(from: another.source(unique, call), isCovered: true) != nil)
        }
    }

    @Test("a record contains no secret of its source") func secrets() throws {
        var parts = StorePartition.Parts()
        parts.add(AuthorizerIdentity("Basic", "ann", "hunter2"), orElse: 1)
        let target = try RequestURL("http://a.example/x?sig=hunter3")
        let source = ResponseSource(user: parts, cookies: [[]], target: target, call: .next())
        let (first, second) = (SourceRecord(source), SourceRecord(source))
        let text = String(decoding: try JSON(encoding: first).encoded(), as: UTF8.self)
        #expect(!text.contains("hunter") && !text.contains("ann") && !text.contains("a.example"))
        #expect(first != second, "each record has a key of its own")
        #expect(second.difference(from: source, isCovered: false) == nil)
    }
}

extension RemoteState {
    /// A state that an anonymous client has received from a stub.
    static func known(entityTag: String, length: Int64? = nil) -> RemoteState {
        var parts = StorePartition.Parts()
        parts.add(TransportIdentity(route: ["stub"]), offersClient: true)
        var state = RemoteState(entityTag: entityTag, length: length)
        let url = RequestURL(origin: Origin(scheme: .http, host: "a.example"), path: "/", query: nil)
        let cookies = CookieChanges().digests(forUserOf: EncodedRequest(method: .get, url: url))
        state.source = SourceRecord(ResponseSource(user: parts, cookies: cookies, target: nil, call: .next()))
        return state
    }
}
