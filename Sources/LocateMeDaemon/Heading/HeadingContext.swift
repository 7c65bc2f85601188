internal import LocateMeModel

/// What turns a magnetic heading into a true one: the magnetic model at the place, and what was set by hand.
struct HeadingContext: Hashable {
    /// The model's field at the place; nil without a place.
    var earthField: EarthField?
    /// The place of that field.
    var place: Fix?
    /// Degrees, east positive, in place of the model's declination; NaN: the model's.
    var declinationOverride = Double.nan
    /// Name of the model.
    var model = ""

    /// The field with the declination that counts. What is set by hand is taken as exact.
    var field: EarthField? {
        guard declinationOverride.isFinite else { return earthField }
        var field = earthField ?? EarthField(declination: 0, declinationAccuracy: 0, horizontal: .nan, down: .nan)
        field.declination = declinationOverride
        field.declinationAccuracy = 0
        return field
    }

    /// Where the declination is from: the model's name, or `override`.
    var modelName: String { declinationOverride.isFinite ? "override" : model }
}
