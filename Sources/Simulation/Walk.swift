/// What the walker does, one thing after the other, and where on earth.
public struct Walk: Hashable, Sendable {
    /// One thing.
    public enum Leg: Hashable, Sendable {
        /// Stands still for some seconds.
        case stand(seconds: Double)
        /// Turns the phone through all directions as one does to calibrate it, in some seconds.
        case tumble(seconds: Double)
        /// Turns on the spot to a heading, degrees from true north, the shorter way.
        case face(degrees: Double)
        /// Walks to a point, metres from the origin. Corners between walks are rounded; at one sharper than 150° the
        /// walker stops and turns.
        case walk(east: Double, north: Double)
        /// Walks a full circle of a radius in metres, beginning straight ahead.
        case circle(radius: Double, toRight: Bool)
    }

    /// Latitude of the origin in degrees, within ±89.9.
    public var latitude = 47.3769
    /// Longitude of the origin in degrees.
    public var longitude = 8.5417
    /// Metres above mean sea level of the ground.
    public var altitude = 408.0
    /// Degrees from true north that the walker faces first.
    public var startHeading = 0.0
    /// m/s when walking, > 0.
    public var speed = 1.4
    /// Radius of rounded corners in metres, > 0.
    public var cornerRadius = 2.0
    /// How the phone moves with the steps.
    public var gait = Gait()
    /// How the phone lies in the hand.
    public var grip = Grip.flat
    /// The legs.
    public var legs: [Leg]

    /// A walk about the default origin.
    public init(_ legs: [Leg]) { self.legs = legs }

    /// True if the walker comes back to where and how he began, so that the walk can be repeated without a jump.
    public var isClosed: Bool {
        var (east, north) = (0.0, 0.0)
        var facesStart = true
        for leg in legs {
            switch leg {
            case .stand, .tumble, .circle: break
            case .face(let degrees): facesStart = degrees == startHeading
            case .walk(let toEast, let toNorth):
                (east, north) = (toEast, toNorth)
                facesStart = false
            }
        }
        return east == 0 && north == 0 && facesStart
    }

    /// The same walk with the way back to the origin and to the first heading, if that is missing.
    public var closed: Walk {
        guard !isClosed else { return self }
        var walk = self
        let position = legs.reduce((0.0, 0.0)) { place, leg in
            if case .walk(let east, let north) = leg { (east, north) } else { place }
        }
        if position != (0, 0) { walk.legs.append(.walk(east: 0, north: 0)) }
        walk.legs.append(.face(degrees: startHeading))
        return walk
    }
}
