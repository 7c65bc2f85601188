internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// `Compass1` at `/org/locateme/compass`: the hardware, for tools and the curious.
enum CompassObject {
    /// What `Compass1` tells and that can change.
    struct Values: Hashable {
        var magnetometer = ""
        var accelerometer = ""
        var gyroscope = ""
        var fusion = "none"
        var rateHertz = 0.0
        var isModelExpired = false

        /// The properties that differ.
        func changes(to other: Values) -> [String] {
            var names: [String] = []
            if other.magnetometer != magnetometer { names.append("Magnetometer") }
            if other.accelerometer != accelerometer { names.append("Accelerometer") }
            if other.gyroscope != gyroscope { names.append("Gyroscope") }
            if other.fusion != fusion { names.append("Fusion") }
            if other.rateHertz != rateHertz { names.append("Rate") }
            if other.isModelExpired != isModelExpired { names.append("MagneticModelExpired") }
            return names
        }
    }

    /// The interface. `setOverride` puts a declination in force, NaN: the model's.
    static func interface(
        model: String, authorizer: Authorizer, sensors: @escaping () -> [SensorDescription],
        findings: @escaping () -> [Finding], values: @escaping () -> Values, override: @escaping () -> Double,
        setOverride: @escaping (Double) -> Void
    ) -> ExportedInterface {
        let interface = ExportedInterface(LocateMeInterfaces.compass1)
        interface.gate = { call, proceed in
            guard call.message.member == "Set" else { return proceed() }
            authorizer.decide(call.caller, .manage, mayAsk: true) { _ in proceed() }
        }
        interface.method("ListSensors") { call, _ in
            call.reply { writer throws(BusError) in try writer.append(sensors().map(\.dictionary)) }
        }
        interface.method("Diagnose") { call, _ in
            call.reply { writer throws(BusError) in try writer.append(findings().map(\.dictionary)) }
        }
        interface.property("Magnetometer") { _ in .string(values().magnetometer) }
        interface.property("Accelerometer") { _ in .string(values().accelerometer) }
        interface.property("Gyroscope") { _ in .string(values().gyroscope) }
        interface.property("Fusion") { _ in .string(values().fusion) }
        interface.property("Rate") { _ in .double(values().rateHertz) }
        interface.property(
            "DeclinationOverride", get: { _, writer throws(BusError) in try writer.append(override()) },
            set: { caller, reader throws(BusError) in
                let degrees = try reader.readDouble()
                // Found out by the gate.
                guard authorizer.isKnownToAllow(caller, .manage) else {
                    throw BusError(
                        .accessDenied, "setting the declination needs the polkit action \(PolicyAction.manage.rawValue)"
                    )
                }
                guard degrees.isNaN || abs(degrees) <= 180 else {
                    throw BusError(.invalidArgs, "DeclinationOverride is degrees within ±180, or NaN for the model's")
                }
                setOverride(degrees)
            })
        interface.property("MagneticModel") { _ in .string(model) }
        interface.property("MagneticModelExpired") { _ in .bool(values().isModelExpired) }
        return interface
    }
}
