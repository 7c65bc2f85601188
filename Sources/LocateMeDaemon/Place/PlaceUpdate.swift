internal import LocateMeModel
internal import LocationEngine

/// A new place, as every session hears of it.
struct PlaceUpdate {
    /// The place; held while the device stands still.
    var fix: Fix
    /// The place as the source gave it.
    var measured: Fix
    /// True while the device stands still.
    var isStationary: Bool
}
