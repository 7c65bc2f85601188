/// Tells when the machine goes to sleep and when it is back. It lives on the event loop and calls its listener there.
public protocol SleepMonitor: AnyObject {
    /// Who hears of it. Held weakly by convention.
    var sleepListener: (any SleepListener)? { get set }
    /// True if the machine is to wait, for as long as the system allows, until the listener has prepared. True only while
    /// there is something to prepare: a lock that is held for nothing slows every sleep down.
    var delaysSleep: Bool { get set }
    /// True while it matters to the listener that the user unlocks the screen. Others would be woken for nothing.
    var watchesUnlocking: Bool { get set }
    /// The listener is prepared: the machine may sleep.
    func readyForSleep()
}

/// Hears a `SleepMonitor`.
public protocol SleepListener: AnyObject {
    /// The machine is about to sleep. Call `readyForSleep()` when prepared.
    func machineWillSleep(_ monitor: any SleepMonitor)
    /// The machine is back, or did not sleep after all.
    func machineWoke(_ monitor: any SleepMonitor)
    /// A user has unlocked the screen.
    func screenWasUnlocked(_ monitor: any SleepMonitor)
}
