// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation

// Makes the file, or answers on standard output how long each piece of work named on standard input takes.
//
//     JSONBenchmark generate FILE
//     JSONBenchmark serve FILE
//     JSONBenchmark once FILE NAME      runs one piece of work once: for callgrind, with --toggle-collect='*4once*'

/// Keeps the optimizer from dropping a result.
@inline(never)
func consume<Value>(_ value: Value) {}

/// Seconds a run of the work takes, over at least a quarter of a second; freeing the result counts.
func seconds(_ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    var runs = 0
    var elapsed = Duration.zero
    repeat {
        try autoreleased(work)
        runs += 1
        elapsed = clock.now - start
    } while elapsed < .milliseconds(250)
    return elapsed / .seconds(1) / Double(runs)
}

/// JSONSerialization leaves objects to the pool where there is one.
func autoreleased(_ work: () throws -> Void) rethrows {
    #if canImport(ObjectiveC)
    try autoreleasepool(invoking: work)
    #else
    try work()
    #endif
}

/// What can be measured, by name.
func pieces(_ data: Data) throws -> [String: () throws -> Void] {
    let chunk = ByteChunk(Array(data))
    let json = try JSON(parsing: data)
    let object = try JSONSerialization.jsonObject(with: data)
    let coder = JSONCoder()
    let timeline = try coder.decode(Timeline.self, from: chunk, of: .json)
    return [
        "cumulus dynamic": { consume(try chunk.withUnsafeBytes { try JSON(parsing: $0) }) },
        "cumulus write": { consume(json.encoded()) },
        "cumulus typed": { consume(try coder.decode(Timeline.self, from: chunk, of: .json)) },
        "cumulus encode": { consume(try coder.encode(timeline, as: .json)) },
        "foundation dynamic": { consume(try JSONSerialization.jsonObject(with: data)) },
        "foundation write": { consume(try JSONSerialization.data(withJSONObject: object)) },
        "foundation typed": { consume(try JSONDecoder().decode(Timeline.self, from: data)) },
        "foundation encode": { consume(try JSONEncoder().encode(timeline)) },
    ]
}

/// The only caller of what a profiler is to count.
@inline(never)
func once(_ work: () throws -> Void) throws { try work() }

func serve(_ data: Data) throws {
    let work = try pieces(data)
    print("ready")
    fflush(nil)
    while let line = readLine() {
        guard let run = work[line] else {
            print("unknown")
            continue
        }
        print(try seconds(run))
        fflush(nil)
    }
}

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
    print("usage: JSONBenchmark generate|serve|once FILE [NAME]")
    exit(2)
}
let file = URL(fileURLWithPath: arguments[2])
switch arguments[1] {
case "generate":
    var generator = TimelineGenerator(seed: 5)
    try Data(generator.text(ofAtLeast: 5_000_000).utf8).write(to: file)
case "once":
    if let work = try pieces(Data(contentsOf: file))[arguments[3...].joined(separator: " ")] { try once(work) }
default:
    try serve(Data(contentsOf: file))
}
