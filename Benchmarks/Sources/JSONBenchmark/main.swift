// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation

// Makes the file, or answers on standard output how long each piece of work named on standard input takes.
//
//     JSONBenchmark generate FILE
//     JSONBenchmark serve FILE

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

func serve(_ data: Data) throws {
    let chunk = ByteChunk(Array(data))
    let json = try JSON(parsing: data)
    let object = try JSONSerialization.jsonObject(with: data)
    let coder = JSONCoder()
    let timeline = try coder.decode(Timeline.self, from: chunk, of: .json)
    let work: [String: () throws -> Void] = [
        "cumulus dynamic": { consume(try chunk.withUnsafeBytes { try JSON(parsing: $0) }) },
        "cumulus write": { consume(json.encoded()) },
        "cumulus typed": { consume(try coder.decode(Timeline.self, from: chunk, of: .json)) },
        "cumulus encode": { consume(try coder.encode(timeline, as: .json)) },
        "foundation dynamic": { consume(try JSONSerialization.jsonObject(with: data)) },
        "foundation write": { consume(try JSONSerialization.data(withJSONObject: object)) },
        "foundation typed": { consume(try JSONDecoder().decode(Timeline.self, from: data)) },
        "foundation encode": { consume(try JSONEncoder().encode(timeline)) },
    ]
    print("ready")
    fflush(stdout)
    while let line = readLine() {
        guard let run = work[line] else {
            print("unknown")
            continue
        }
        print(try seconds(run))
        fflush(stdout)
    }
}

guard CommandLine.arguments.count == 3 else {
    print("usage: JSONBenchmark generate|serve FILE")
    exit(2)
}
let file = URL(fileURLWithPath: CommandLine.arguments[2])
if CommandLine.arguments[1] == "generate" {
    var generator = TimelineGenerator(seed: 5)
    try Data(generator.text(ofAtLeast: 5_000_000).utf8).write(to: file)
} else {
    try serve(Data(contentsOf: file))
}
