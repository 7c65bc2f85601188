/// How many sessions there may be.
struct SessionLimits: Hashable {
    /// Sessions of one connection.
    var perConnection = 16
    /// Sessions of all connections of one user.
    var perUser = 64
}
