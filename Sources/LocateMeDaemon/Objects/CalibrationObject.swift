internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// `Calibration1` at `/org/locateme/compass`.
enum CalibrationObject {
    /// The interface. Until there are finer rights, those who may know the place are those who may calibrate.
    static func interface(_ service: CalibrationService, permission: LocationPermission) -> ExportedInterface {
        func require(_ call: BusCall) throws(BusError) {
            guard permission.allows(call.caller) else {
                throw BusError(.accessDenied, "this user may not calibrate the compass of this machine")
            }
        }
        let interface = ExportedInterface(LocateMeInterfaces.calibration1)
        interface.method("Begin") { call, reader throws(BusError) in
            try require(call)
            try service.begin(try OptionDictionary(reading: &reader), call.caller)
            call.reply()
        }
        interface.method("Cancel") { call, _ throws(BusError) in
            try require(call)
            try service.cancel(call.caller)
            call.reply()
        }
        interface.method("Apply") { call, _ throws(BusError) in
            try require(call)
            let values = try service.apply(call.caller)
            call.reply { writer throws(BusError) in try writer.append(values) }
        }
        interface.method("Reset") { call, _ throws(BusError) in
            try require(call)
            try service.reset()
            call.reply()
        }
        interface.method("Get") { call, _ in
            let values = service.values
            call.reply { writer throws(BusError) in try writer.append(values) }
        }
        interface.method("Import") { call, reader throws(BusError) in
            try require(call)
            try service.importing(try OptionDictionary(reading: &reader))
            call.reply()
        }
        interface.property("State") { _ in .uint32(service.state.rawValue) }
        interface.property("Quality") { _ in .uint32(service.quality.rawValue) }
        interface.property("Reason") { _ in .string(service.reason) }
        return interface
    }
}
