// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import Foundation

/// Event streams as a client under measurement; `compare_events.py` calls it.
///
///     EventBenchmark parse FILE TIMES       the file's bytes in pieces of 64 KiB, without a connection
///     EventBenchmark stream URL             over a connection
///     EventBenchmark values URL             the same, decoded as JSON
///     EventBenchmark hold URL COUNT         so many streams at once; prints what each adds to the memory in use
@main
struct EventBenchmark {
    private struct Delta: Decodable, Sendable {
        struct Choice: Decodable, Sendable { var delta: Text }
        struct Text: Decodable, Sendable { var content: String }
        var choices: [Choice]
    }

    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count > 1, let mode = words.first, let place = words.dropFirst().first else {
            return print("EventBenchmark parse FILE TIMES | stream URL | values URL | hold URL COUNT")
        }
        let number = words.count > 2 ? Int(words[3]) ?? 1 : 1
        if mode == "hold" { return try await hold(place, number) }
        let transport: any Transport =
            mode == "parse" ? RepeatingTransport(try Data(contentsOf: URL(filePath: place)), number) : NIOTransport()
        let call = Resource(mode == "parse" ? "http://a.example" : place, transport: transport).call(.get)
        let started = Usage()
        var (events, bytes) = (0, 0)
        if mode == "values" {
            for try await delta in call.events(as: Delta.self, reconnect: .never) {
                events += 1
                bytes += delta.choices.first?.delta.content.utf8.count ?? 0
            }
        } else {
            for try await event in call.events(reconnect: .never) {
                events += 1
                bytes += event.data.utf8.count
            }
        }
        started.report(events, bytes)
    }

    /// Opens streams, reads an event of each, and prints the memory in use before and with all of them.
    private static func hold(_ url: String, _ count: Int) async throws {
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerOrigin = count
        let site = Resource(url, transport: NIOTransport(configuration: configuration))
        // Parts that the first connection loads stay in memory.
        for try await _ in site.call(.get).events(reconnect: .never) { break }
        let before = Usage.residentKilobytes
        try await withThrowingTaskGroup(of: EventStream<ServerSentEvent>.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let stream = site.call(.get).events(reconnect: .never)
                    for try await _ in stream { break }
                    return stream
                }
            }
            var streams: [EventStream<ServerSentEvent>] = []
            for try await stream in group { streams.append(stream) }
            let with = Usage.residentKilobytes
            print("{\"streams\": \(streams.count), \"before\": \(before), \"with\": \(with)}")
        }
    }
}

/// The time and processor time since its beginning.
struct Usage {
    private let wall = ContinuousClock.now
    private let processor = Usage.processorSeconds

    func report(_ events: Int, _ bytes: Int) {
        let wall = (ContinuousClock.now - wall) / .seconds(1)
        let processor = Usage.processorSeconds - processor
        print("{\"events\": \(events), \"bytes\": \(bytes), \"seconds\": \(wall), \"cpu\": \(processor)}")
    }

    private static var processorSeconds: Double {
        var usage = rusage()
        // RUSAGE_SELF, which is of another type on each system.
        getrusage(0, &usage)
        let microseconds = Double(usage.ru_utime.tv_usec) + Double(usage.ru_stime.tv_usec)
        return Double(usage.ru_utime.tv_sec) + Double(usage.ru_stime.tv_sec) + microseconds / 1e6
    }

    /// The memory in use; 0 where the system has no such file.
    static var residentKilobytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
