/// Tuning of the disturbance level, of the look-ahead that it drives, and of the challenger. Fields in µT; all figures were
/// found by trial on recordings.
public struct DisturbanceParameters: Hashable, Sendable {
    /// Level at the start: clean rooms had 1.5–3 rms.
    public var initial = 3.0
    /// Least slow level.
    public var least = 0.6
    /// Greatest slow level.
    public var greatest = 3.0
    /// Time constant of the slow level, s.
    public var slowTime = 60.0
    /// The fast level attacks if a sample exceeds the slow level's square by this factor.
    public var attack = 4.25
    /// The fast level's square after an attack, relative to the sample's.
    public var attackGain = 1.7
    /// Release time of the fast level, s.
    public var releaseTime = 1.25
    /// Time constant of the middle level, s: it sees slow approaches to a magnet.
    public var middleTime = 0.9
    /// Weight of the middle level's square.
    public var middleGain = 1.44
    /// Tilt error right after the start in units of dynamic acceleration / g.
    public var tilt = 2.0
    /// Seconds of accelerometer after which that error has halved.
    public var tiltTime = 0.9
    /// Field that a tilt error is multiplied with, µT.
    public var tiltField = 30.0
    /// The model check speaks up beyond this many standard deviations: 7 % of clean samples, by two degrees of freedom.
    public var modelGate = 2.3
    /// Weight of the model check.
    public var modelGain = 1.3
    /// Direction uncertainty above which the model check counts in full, rad.
    public var modelOpenDirection = 0.13
    /// Above this level the look-ahead switches on.
    public var lookAheadLevel = 5.5
    /// How late the filter runs then, s: long enough to know of a magnet before its samples are used.
    public var lookAhead = 1.0
    /// Time constant of the memory of that level, s.
    public var lookAheadMemory = 40.0
    /// The look-ahead grows over this time after a start or a gap, s.
    public var lookAheadGrowth = 30.0
    /// When the level rises above this, the samples of the last `rollback` seconds are used once more with it, …
    public var rollbackLevel = 7.0
    /// … this many seconds back, …
    public var rollback = 2.0
    /// … if its square has grown by this factor since the last time (which fades within a second), …
    public var rollbackGain = 2.0
    /// … and not more often than this, s.
    public var rollbackPause = 0.15
    /// Spacing of the filter states that are kept to go back to, s.
    public var checkpointInterval = 0.2
    /// Above this level the device counts as among magnets.
    public var occupiedLevel = 10.0
    /// A place counts as disturbed if the device was among magnets for more than this share of the recent past.
    public var disturbedShare = 0.35
    /// Time constant of the share of time among magnets, s.
    public var occupancyTime = 30.0
    /// The same at the start, where it grows with the time that has passed, s.
    public var leastOccupancyTime = 5.0
    /// Disturbance that is added for that share: between magnets it is not clean.
    public var surroundings = 3.0
    /// A new calibration that moves the field by more than this opens direction and disturbance: they were learned in
    /// another field.
    public var reopeningMove = 6.0
    /// A heading counts as disturbed above this level.
    public var disturbed = 7.0
    /// The challenger starts after this time net above twice the slow level, s.
    public var challengeAfter = 2.0
    /// Prior of its hard iron.
    public var challengerHardIron = 60.0
    /// It wins with this lead in log-likelihood …
    public var challengerLead = 8.0
    /// … when older than this, s, …
    public var challengerAge = 3.5
    /// … its hard iron known this well, …
    public var challengerSigma = 4.0
    /// … and its level below this.
    public var challengerLevel = 5.0
    /// It is dropped with this deficit …
    public var challengerDeficit = 20.0
    /// … or at this age, s.
    public var challengerGreatestAge = 20.0

    /// The defaults.
    public init() {}
}
