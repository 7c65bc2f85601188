import EventLoop
import Geomagnetism
import IIOSensors
import LocateMeDaemon
import LocateMeModel
import MarineOutput
import MessageBus
import PositionSources
import RecordingFiles
import Storage
import SystemServices

/// Builds the edges that the configuration asks for.
enum Wiring {
    /// Reads what can be read without a bus and without a device. What is wrong with it.
    static func complaints(_ values: DaemonConfiguration) throws -> [UsageError] {
        let loop = try EventLoop()
        var complaints: [UsageError] = []
        var model = MagneticModel.wmm2025
        do throws(UsageError) { model = try magneticModel(values) } catch { complaints.append(error) }
        do throws(UsageError) {
            let player = try player(values, model: model, loop: loop)
            _ = places(values, player: player, receivers: [], systemBus: nil, loop: loop)
        } catch {
            complaints.append(error)
        }
        return complaints
    }

    /// The built-in magnetic model, or that of a file.
    static func magneticModel(_ values: DaemonConfiguration) throws(UsageError) -> MagneticModel {
        guard let path = values.magneticModelFile else { return .wmm2025 }
        do {
            return try MagneticModel(coefficientFile: try Files.read(path, limit: 16 << 20))
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("the magnetic model '\(path)' cannot be used: \(error)")
        }
    }

    /// Records in place of devices; nil if devices are wanted.
    static func player(
        _ values: DaemonConfiguration, model: MagneticModel, loop: EventLoop
    ) throws(UsageError) -> RecordPlayer? {
        do {
            switch values.sensors {
            case .devices: return nil
            case .replay(let path, let speed, let loops):
                return try RecordPlayer(
                    reader: try FileRecordReader(path: path),
                    options: RecordPlayer.Options(kind: "replay", name: path, speed: speed, loops: loops), loop: loop)
            case .simulation(let walk):
                let reader = try WalkReader(walk: walk, model: model, realMicroseconds: Clock.realMicroseconds())
                return try RecordPlayer(
                    reader: reader, options: RecordPlayer.Options(kind: "simulated", name: walk ?? "demo"), loop: loop)
            }
        } catch let error as RecordingFileError {
            throw UsageError("\(error)")
        } catch {
            throw UsageError("\(error)")
        }
    }

    /// The IIO devices; the search for them has begun.
    ///
    /// - Parameter stateDirectory: where it is noted what has been changed in devices; nil to note nothing.
    static func devices(
        _ values: DaemonConfiguration, stateDirectory: String?, loop: EventLoop
    ) throws(Errno) -> any SensorSource {
        var contexts = ["local:"]
        if case .devices(let uris) = values.sensors { contexts = uris }
        let source = try IIOSensorSource(
            loop: loop, contexts: contexts,
            overrides: SensorOverrides(
                mountMatrices: values.mountMatrices, ignored: values.ignoredSensors, preferred: values.usedSensors),
            stateDirectory: stateDirectory)
        source.discover()
        return source
    }

    /// Light and proximity for the sensor proxy; nil where it is not served or sensors are recorded ones.
    static func ambient(_ values: DaemonConfiguration, loop: EventLoop) throws(Errno) -> (any AmbientSensorSource)? {
        guard values.servesSensorProxy, case .devices = values.sensors else { return nil }
        return try IIOAmbientSource(loop: loop)
    }

    /// The wires with NMEA 0183, each open only while somebody needs it.
    static func receivers(_ values: DaemonConfiguration, loop: EventLoop) -> [NMEAReceiver] {
        values.nmea.map { NMEAReceiver(loop: loop, address: $0) { Double.random(in: 0..<1) } }
    }

    /// The sensors: those of the devices, with compasses that send NMEA 0183 for where there are none.
    static func sensors(
        _ values: DaemonConfiguration, receivers: [NMEAReceiver], stateDirectory: String?, loop: EventLoop
    ) throws(Errno) -> any SensorSource {
        let devices = try devices(values, stateDirectory: stateDirectory, loop: loop)
        guard !receivers.isEmpty else { return devices }
        return FallbackSensorSource(primary: devices, fallback: NMEAHeadingSource(loop: loop, receivers: receivers))
    }

    /// The sources of places: those of the recording, or gpsd, and what is configured.
    static func places(
        _ values: DaemonConfiguration, player: RecordPlayer?, receivers: [NMEAReceiver], systemBus: BusConnection?,
        loop: EventLoop
    ) -> [any PlaceSource] {
        var sources: [any PlaceSource] = []
        if let player { sources.append(player.places) }
        if let gpsd = values.gpsd {
            sources.append(
                GpsdPlaceSource(loop: loop, address: gpsd) {
                    Double.random(in: 0..<1)
                })
        }
        for receiver in receivers { sources.append(NMEAPlaceSource(receiver: receiver)) }
        if let systemBus {
            if values.usesModemManager { sources.append(ModemManagerPlaceSource(connection: systemBus)) }
            if values.usesGeoClue { sources.append(GeoCluePlaceSource(connection: systemBus)) }
        }
        if let place = values.place {
            let altitude = place.altitude.isNaN ? nil : place.altitude
            sources.append(
                StaticPlaceSource(
                    loop: loop, latitude: place.latitude, longitude: place.longitude, altitude: altitude))
        } else if let file = values.geolocationFile {
            sources.append(StaticPlaceSource(loop: loop, path: file))
        }
        return sources
    }

    /// Where NMEA 0183 or Signal K goes. One that cannot be had is told and left out: the others and the bus are served.
    static func marineSinks(_ outputs: [SinkAddress], loop: EventLoop, log: Log) -> [any LineSink] {
        outputs.compactMap { address in
            do throws(OutputFailure) {
                switch address {
                case .standardOutput: return nil
                case .pseudoterminal(let link): return try PseudoterminalSink(link: link, isForGroup: true)
                case .datagrams(let host, let port): return try DatagramSink(host: host, port: port)
                case .server(let host, let port): return try ServerSink(host: host, port: port, loop: loop)
                }
            } catch {
                log.error("nothing is written there: \(error)")
                return nil
            }
        }
    }

    /// Where places and what clients have asked for are kept; nil, with a warning, if they cannot be.
    static func locationStore(_ configuration: Configuration, log: Log) -> (any LocationStateStore)? {
        // The store of calibrations has said so.
        guard let directory = configuration.stateDirectory else { return nil }
        do {
            try Files.makeDirectory(directory)
            return try SQLiteLocationStore(directory: directory)
        } catch {
            log.warning("places and registrations are forgotten at the end: \(error)")
            return nil
        }
    }

    /// Where calibrations are kept; nil, with a warning and the trouble, if they cannot be.
    static func store(
        _ configuration: Configuration, log: Log
    ) -> (store: (any HeadingStateStore)?, trouble: String?) {
        guard let directory = configuration.stateDirectory else {
            log.warning("there is no directory for calibrations, they are forgotten at the end; see --state-dir")
            return (nil, "there is no folder to keep them in")
        }
        do {
            try Files.makeDirectory(directory)
            return (try SQLiteStateStore(directory: directory), nil)
        } catch {
            log.warning("calibrations are forgotten at the end: \(error)")
            return (nil, "\(error)")
        }
    }
}
