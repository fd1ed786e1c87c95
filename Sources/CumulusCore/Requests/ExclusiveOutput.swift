// SPDX-License-Identifier: Apache-2.0

/// An output that only one request may write at a time: a restarted request waits until the last one has released it.
protocol ExclusiveOutput {}
