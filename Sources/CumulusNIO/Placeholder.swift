// placeholder until first file lands
