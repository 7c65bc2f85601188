internal import EventLoop
internal import LocateMeBusInterface
public import LocateMeModel
internal import MessageBus

/// Something that was asked of the service and will be answered once.
public final class LocationRequest {
    private var call: PendingCall?
    private var timer: LoopTimer?
    private var isDone = false

    /// True once it was answered or cancelled.
    var isOver: Bool { isDone }

    /// Does not want the answer any more; `reply` is not called. Idempotent.
    public func cancel() {
        isDone = true
        call?.cancel()
        call = nil
        timer?.disarm()
        timer = nil
    }

    func begin(_ call: PendingCall?) {
        if isDone { call?.cancel() } else { self.call = call }
    }

    func limit(_ timer: LoopTimer, microseconds: Int64) {
        self.timer = timer
        timer.arm(afterMicroseconds: microseconds)
    }

    /// True the first time; then the request is over.
    func finish() -> Bool {
        guard !isDone else { return false }
        cancel()
        return true
    }
}

extension LocationManager {
    /// Asks for one heading, without starting updates. An older known one of at most `maximumAgeMilliseconds` will do;
    /// 0: the next. `.timedOut` after `timeoutMilliseconds`, nil: waits as long as it takes.
    @discardableResult
    public func requestHeading(
        maximumAgeMilliseconds: UInt32 = 0, timeoutMilliseconds: UInt32? = nil,
        reply: @escaping (Result<Heading, LocateMeError>) -> Void
    ) -> LocationRequest {
        request(
            LocateMeInterfaces.heading1.name, "GetHeading", [.uint32(maximumAgeMilliseconds)], timeoutMilliseconds,
            "no heading", { reader throws(BusError) in try reader.readHeading() }, reply)
    }

    /// Asks for one place, without starting updates: the first with at most `accuracy` metres (≤ 0: the best that
    /// comes in time), `.locationUnknown` if none came within `timeoutMilliseconds`.
    @discardableResult
    public func requestLocation(
        accuracy: Double = 0, timeoutMilliseconds: UInt32, maximumAgeMilliseconds: UInt32 = 0,
        reply: @escaping (Result<Fix, LocateMeError>) -> Void
    ) -> LocationRequest {
        // The service keeps the time; the margin only guards against one that does not answer at all.
        let margin: UInt32 = 5000
        return request(
            LocateMeInterfaces.location1.name, "RequestLocation",
            [.double(accuracy), .uint32(timeoutMilliseconds), .uint32(maximumAgeMilliseconds)],
            timeoutMilliseconds.addingReportingOverflow(margin).overflow ? nil : timeoutMilliseconds + margin,
            "no place", { reader throws(BusError) in try reader.readFix() }, reply)
    }

    /// The last known place, at once; `.locationUnknown` if there is none of at most that age. 0: of any age.
    @discardableResult
    public func lastKnownLocation(
        maximumAgeMilliseconds: UInt32 = 0, reply: @escaping (Result<Fix, LocateMeError>) -> Void
    ) -> LocationRequest {
        request(
            LocateMeInterfaces.location1.name, "GetLastKnown", [.uint32(maximumAgeMilliseconds)], 25_000,
            "no place", { reader throws(BusError) in try reader.readFix() }, reply)
    }

    /// Delivers at once what the service keeps for a batch; replies with the number of places.
    @discardableResult
    public func flushLocations(reply: @escaping (Result<UInt32, LocateMeError>) -> Void) -> LocationRequest {
        request(
            LocateMeInterfaces.location1.name, "Flush", [], 25_000, "no answer",
            { reader throws(BusError) in try reader.readUInt32() }, reply)
    }

    /// Tells the service whether the application is in the foreground. Without `reply` the delegate hears of a failure.
    @discardableResult
    public func setForeground(
        _ isForeground: Bool, reply: ((Result<Void, LocateMeError>) -> Void)? = nil
    ) -> LocationRequest {
        request(
            LocateMeInterfaces.session1.name, "SetForeground", [.uint32(isForeground ? 1 : 2)], 25_000, "no answer",
            { _ throws(BusError) in },
            reply
                ?? { [weak self] (result: Result<Void, LocateMeError>) in
                    guard let self, case .failure(let error) = result else { return }
                    delegate?.locationManager(self, didFailWith: error)
                })
    }

    /// Drops queued significant changes and visits up to a number; replies with how many still wait.
    @discardableResult
    public func acknowledgeEvents(
        upTo sequence: UInt64, reply: @escaping (Result<UInt32, LocateMeError>) -> Void = { _ in }
    ) -> LocationRequest {
        request(
            LocateMeInterfaces.session1.name, "AckEvents", [.uint64(sequence)], 25_000, "no answer",
            { reader throws(BusError) in try reader.readUInt32() }, reply)
    }

    /// Place and heading as they are known now, at most that old. 0: of any age.
    @discardableResult
    public func currentPose(
        maximumAgeMilliseconds: UInt32 = 0, reply: @escaping (Result<Pose, LocateMeError>) -> Void
    ) -> LocationRequest {
        request(
            LocateMeInterfaces.pose1.name, "Get", [.uint32(maximumAgeMilliseconds)], 25_000, "no pose",
            { reader throws(BusError) in
                let valid = PoseParts(rawValue: try reader.readUInt32())
                return Pose(changed: [], valid: valid, fix: try reader.readFix(), heading: try reader.readHeading())
            }, reply)
    }

    /// Counters of the session: received, delivered, filtered, dropped by reason.
    @discardableResult
    public func statistics(reply: @escaping (Result<[String: UInt64], LocateMeError>) -> Void) -> LocationRequest {
        request(
            LocateMeInterfaces.session1.name, "Statistics", [], 25_000, "no counters",
            { reader throws(BusError) in try reader.readDictionary().compactMapValues(\.uint64Value) }, reply)
    }

    /// Tells the service that the user does not want to calibrate now.
    public func dismissCalibration() {
        request(
            LocateMeInterfaces.heading1.name, "DismissCalibration", [], 25_000, "no answer", { _ in },
            { [weak self] (result: Result<Void, LocateMeError>) in
                guard let self, case .failure(let error) = result else { return }
                delegate?.locationManager(self, didFailWith: error)
            })
    }

    // MARK: - Private

    @discardableResult
    private func request<Value>(
        _ interface: String, _ member: String, _ arguments: [BusValue], _ timeoutMilliseconds: UInt32?,
        _ nothing: String, _ read: @escaping (inout BusReader) throws(BusError) -> Value,
        _ reply: @escaping (Result<Value, LocateMeError>) -> Void
    ) -> LocationRequest {
        let request = LocationRequest()
        if let timeoutMilliseconds {
            let seconds = Double(timeoutMilliseconds) / 1000
            let timer = client.loop.makeTimer {
                guard request.finish() else { return }
                reply(.failure(LocateMeError(.timedOut, "\(nothing) came within \(seconds) s")))
            }
            request.limit(timer, microseconds: Int64(timeoutMilliseconds) * 1000)
        }
        session.withSession { [client] result in
            switch result {
            case .failure(let error):
                if request.finish() { reply(.failure(error)) }
            case .success(let open):
                guard !request.isOver else { return }
                request.begin(
                    client.call(
                        open.path, interface, member, arguments, timeoutMilliseconds: nil,
                        destination: open.service
                    ) { result in
                        if request.finish() { reply(result.decoded(read)) }
                    })
            }
        }
        return request
    }
}
