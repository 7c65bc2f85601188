internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// `Calibration1` at `/org/locateme/compass`.
enum CalibrationObject {
    /// The interface. Everybody may see the calibration; to change it takes the action `calibrate`.
    static func interface(_ service: CalibrationService, authorizer: Authorizer) -> ExportedInterface {
        let interface = ExportedInterface(LocateMeInterfaces.calibration1)
        interface.gate = { call, proceed in
            let isOpen = call.message.interface == "org.freedesktop.DBus.Properties" || call.message.member == "Get"
            if isOpen { proceed() } else { authorizer.require(.calibrate, of: call, proceed) }
        }
        interface.method("Begin") { call, reader throws(BusError) in
            try service.begin(try OptionDictionary(reading: &reader), call.caller)
            call.reply()
        }
        interface.method("Cancel") { call, _ throws(BusError) in
            try service.cancel(call.caller)
            call.reply()
        }
        interface.method("Apply") { call, _ throws(BusError) in
            let values = try service.apply(call.caller)
            call.reply { writer throws(BusError) in try writer.append(values) }
        }
        interface.method("Reset") { call, _ throws(BusError) in
            try service.reset()
            call.reply()
        }
        interface.method("Get") { call, _ in
            let values = service.values
            call.reply { writer throws(BusError) in try writer.append(values) }
        }
        interface.method("Import") { call, reader throws(BusError) in
            try service.importing(try OptionDictionary(reading: &reader))
            call.reply()
        }
        interface.property("State") { _ in .uint32(service.state.rawValue) }
        interface.property("Quality") { _ in .uint32(service.quality.rawValue) }
        interface.property("Reason") { _ in .string(service.reason) }
        return interface
    }
}
