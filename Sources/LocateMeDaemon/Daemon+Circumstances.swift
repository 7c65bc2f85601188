internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// What changes around the sessions: power, permissions, the switch for everybody.
extension Daemon {
    /// Puts in force what the power leaves of each session.
    func powerChanged() {
        for session in registry?.sessions.values.map({ $0 }) ?? [] { session.updateDuty() }
        needsRefresh = true
    }

    /// Tells changes of `Power1`; they tell nothing of a place or a program, so they are broadcast.
    func refreshPower() {
        var names: [String] = []
        if power.state != powerValues.state { names.append("PowerState") }
        if power.profile != powerValues.profile { names.append("Profile") }
        powerValues = (power.state, power.profile)
        guard let powerObject, !names.isEmpty else { return }
        dispatcher.propertiesChanged(powerObject, LocateMeInterfaces.power1.name, names, to: nil)
    }

    /// Polkit may think differently: asks it again for each session.
    func askAgain() {
        for session in registry?.sessions.values.map({ $0 }) ?? [] {
            authorizer.grant(session.link.owner) { [weak session] in session?.decide($0) }
        }
        needsRefresh = true
    }

    /// Switches places on or off for everybody.
    func setServicesEnabled(_ isEnabled: Bool) {
        guard isEnabled != places.isEnabled else { return }
        log.info("places are switched \(isEnabled ? "on" : "off") for everybody")
        if !isEnabled {
            let error = BusError(.servicesDisabled, "places were switched off for everyone, see locateme.conf")
            for session in registry?.sessions.values.map({ $0 }) ?? [] { session.refusePlaces(error) }
        }
        places.setEnabled(isEnabled)
        needsRefresh = true
    }

    /// The last known place as a caller may know it.
    func lastKnown(for caller: BusCaller) -> Fix? {
        guard let fix = places.lastKnown(maximumAge: 0) else { return nil }
        guard authorizer.knownGrant(caller)?.accuracy == .reduced else { return fix }
        return coarse.coarsen(
            fix, for: ClientIdentity(userID: caller.credentials.userID, applicationID: ""))
    }
}
