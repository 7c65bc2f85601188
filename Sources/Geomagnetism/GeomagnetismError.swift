/// Why no field can be given: what is wrong with the question.
public struct GeomagnetismError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kind of a failure; more may be added.
    public struct Code: Hashable, Sendable {
        private let name: String
        /// Not within −90 … 90 degrees, or not a number.
        public static let latitudeOutOfRange = Code(name: "latitudeOutOfRange")
        /// Not a finite number.
        public static let longitudeNotFinite = Code(name: "longitudeNotFinite")
        /// Outside `MagneticModel.heights`, or not a number.
        public static let heightOutOfRange = Code(name: "heightOutOfRange")
        /// More than `MagneticModel.maximumYearsOutside` outside the validity, or not a number.
        public static let yearOutOfRange = Code(name: "yearOutOfRange")
        /// Not a date that can be read, or outside the years 1 … 9999.
        public static let badDate = Code(name: "badDate")
        /// No built-in model of that name.
        public static let unknownModel = Code(name: "unknownModel")
    }

    /// The kind.
    public let code: Code
    /// What is wrong and what is expected, in plain words.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
