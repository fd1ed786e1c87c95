// SPDX-License-Identifier: Apache-2.0

/// Something that reads bytes from outside and promises something about all of them.
protocol FuzzTarget: Sendable {
    /// The name on the command line and of the folder in `Fuzz/Corpus`.
    static var name: String { get }

    /// Checks every promise for one input; calls `finding` where one is broken.
    static func check(_ input: UnsafeRawBufferPointer)
}

/// Ends the process, so that libFuzzer saves the input.
func finding(_ text: @autoclosure () -> String) -> Never {
    fatalError("FINDING: \(text())")
}

/// Calls `finding` unless the condition holds.
@inline(__always)
func expect(_ condition: @autoclosure () -> Bool, _ text: @autoclosure () -> String) {
    if !condition() { finding(text()) }
}
