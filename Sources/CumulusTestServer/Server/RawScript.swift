// SPDX-License-Identifier: Apache-2.0

public import CumulusTesting

/// Exact bytes for a connection to send, split and delayed as specified: for garbage, truncated and smuggled responses.
///
/// After the last step the connection is closed; end with `.hold` to keep it open.
public struct RawScript: Sendable, ExpressibleByArrayLiteral {
    /// One step of a scripted connection.
    public enum Step: Sendable {
        /// Reads until the end of a request head (an empty line). The bytes after the head stay unread.
        case awaitHead
        /// Reads until this number of bytes have arrived since the last head.
        case awaitBytes(Int)
        /// Sends these bytes in one piece.
        case send([UInt8])
        /// Sends these bytes in pieces of at most `every` bytes, with a pause between them.
        case split([UInt8], every: Int, pause: Duration = .zero)
        /// Sends the same bytes repeatedly, as fast as the peer accepts them, until the connection ends.
        case repeating([UInt8])
        /// Waits for a time.
        case pause(Duration)
        /// Waits until the test opens the gate.
        case gate(Gate)
        /// Keeps the connection open without sending anything, until the peer closes it.
        case hold
        /// Closes the connection immediately; over TLS, without a `close_notify`.
        case close
        /// Ends the connection with a TCP reset.
        case reset
    }

    /// The steps, in order.
    public var steps: [Step]

    /// Creates a script from steps.
    public init(_ steps: [Step]) { self.steps = steps }

    /// Creates a script from steps.
    public init(arrayLiteral elements: Step...) { steps = elements }

    /// Whether any step sends bytes, rather than only waiting or closing.
    var sendsBytes: Bool {
        steps.contains { step in
            switch step {
            case .send, .split, .repeating: true
            case .awaitHead, .awaitBytes, .pause, .gate, .hold, .close, .reset: false
            }
        }
    }

    /// Creates a script for one response to one request: it waits for the request's head, sends `text`, and closes the
    /// connection.
    public static func response(_ text: String) -> Self { [.awaitHead, .send(Array(text.utf8)), .close] }
}

extension RawScript.Step {
    /// Sends a string's UTF-8 bytes in one piece.
    public static func send(_ text: String) -> Self { .send(Array(text.utf8)) }

    /// Sends a string's UTF-8 bytes in pieces of at most `every` bytes, with a pause between them.
    public static func split(_ text: String, every: Int, pause: Duration = .zero) -> Self {
        .split(Array(text.utf8), every: every, pause: pause)
    }
}
