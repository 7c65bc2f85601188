internal import Geomagnetism

/// The options that choose a magnetic model.
enum MagneticModelChoice {
    /// A built-in model.
    static let model = Option(
        "model", ValueType<String>.choice("MODEL", MagneticModel.builtInNames),
        help: "magnetic model; default: the World Magnetic Model of the date's five years, before 2010 the IGRF")
    /// A coefficient file.
    static let file = Option(
        "magnetic-model", ValueType<String>.file(endings: ["COF", "cof", "txt", "shc"]),
        help: "coefficient file of a newer model: .COF of NOAA, igrfNNcoeffs.txt or .shc")

    /// The model that the options name, nil if they leave it to the date.
    static func chosen(_ arguments: Arguments) throws(CommandError) -> MagneticModel? {
        if let path = arguments[file] {
            guard !arguments.has(model) else {
                throw CommandError(.usage, "--model and --magnetic-model name two models", remedy: "Give one of them.")
            }
            let bytes = try WholeFile.read(path)
            do throws(ModelFileError) {
                return try MagneticModel(coefficientFile: bytes)
            } catch {
                throw CommandError(.failure, "'\(path)' is no usable coefficient file: \(error)")
            }
        }
        guard let name = arguments[model] else { return nil }
        do throws(GeomagnetismError) {
            return try MagneticModel.named(name)
        } catch {
            throw CommandError(.usage, error.message)
        }
    }
}
