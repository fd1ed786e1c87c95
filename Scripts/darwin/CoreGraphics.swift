// SPDX-License-Identifier: Apache-2.0

// Stands in for Core Graphics: <CoreGraphics/CGImage.h>.

public final class CGImage {}
