/// Names of directions.
enum Cardinal {
    private static let points = [
        "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
    ]

    /// The nearest of the 16 points of the compass for degrees clockwise from north; empty for NaN and infinities.
    static func name(_ degrees: Double) -> String {
        guard degrees.isFinite else { return "" }
        let turns = degrees / 360
        let sector = ((turns - turns.rounded(.down)) * 16).rounded()
        return points[Int(sector) % 16]
    }
}
