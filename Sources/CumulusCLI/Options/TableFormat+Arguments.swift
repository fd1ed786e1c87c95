// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

// In a separate file from the type, which the fuzz targets build without ArgumentParser.
extension TableFormat: ExpressibleByArgument {}
