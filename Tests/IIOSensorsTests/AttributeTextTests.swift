import Testing

@testable import IIOSensors

@Suite("Attribute text")
struct AttributeTextTests {
    @Test(
        "numbers as drivers print them are read with all their digits",
        arguments: [
            // yamaha-yas530: pT resolution printed in gauss; hmc5843; ak8975; st_magn; plain raw values.
            ("0.000000010\n", 1e-8), ("0.000009174", 0.000009174), ("0.006773", 0.006773), ("-45\n", -45),
            ("0\0", 0), ("  1.000000 \n", 1), ("0.098066500", 0.0980665), ("1e-05", 1e-5), ("+3", 3),
        ])
    func numbers(text: String, value: Double) {
        #expect(AttributeText.number(text) == value)
    }

    @Test(
        "what is no finite decimal number is refused",
        arguments: ["", "\n", "nan", "NaN", "inf", "-inf", "0x10", "1,5", "abc", "--1", "1 2", "1.2.3", "1e999", "é"])
    func noNumbers(text: String) {
        #expect(AttributeText.number(text) == nil)
    }

    @Test("white space and NULs around a text go, those within stay")
    func trimming() {
        #expect(AttributeText.trimmed("realtime\n\n\0") == "realtime")
        #expect(AttributeText.trimmed("\t10 20\n") == "10 20")
        #expect(AttributeText.trimmed(" \n\0") == "")
    }

    @Test(
        "rates are written without exponent or needless zeros",
        arguments: [
            (100.0, "100"), (12.5, "12.5"), (0.75, "0.75"), (66.666667, "66.666667"), (0.000001, "0.000001"),
            (-0.5, "-0.5"),
            (Double.nan, "0"), (1e300, "0"),
        ])
    func decimals(value: Double, text: String) {
        #expect(AttributeText.decimal(value) == text)
    }
}

@Suite("Sampling rates")
struct SamplingRatesTests {
    @Test(
        "the smallest listed rate that is enough is chosen, in the kernel's spelling",
        arguments: [
            // hardware.md's rows: hmc5843, bmc150_magn, lsm303dlhc, mag3110, rm3100 (descending), mmc35240
            ("0.75 1.5 3.0 7.5 15.0 30.0 75.0\n", 50.0, "75.0"), ("2 6 8 10 15 20 25 30", 10, "10"),
            ("1 2 3 8 15 30 75 220", 100, "220"), ("80 40 20 10 5 2.5 1.25 0.625", 6, "10"),
            ("600 300 150 75 37 18 9 4.5 2.3 1.2 0.6 0.3 0.015 0.075", 100, "150"), ("1.5 13 25 50", 100, "50"),
            ("10 25 50", 50, "50"), ("66.666667 100", 66.66666701, "66.666667"),
        ])
    func lists(text: String, wanted: Double, chosen: String) throws {
        let rates = try #require(SamplingRates(text))
        #expect(rates.smallest(atLeast: wanted).text == chosen)
    }

    @Test(
        "in a range the next step is chosen, never beyond its ends",
        arguments: [
            ("[1 1 200]", 49.5, 50.0), ("[1 1 200]", 50, 50), ("[1 1 200]", 500, 200), ("[5 0.5 100]", 1, 5),
            ("[0 1 100]", 0.2, 1), ("[4.000000 0.125000 8000.000000]", 100.1, 100.125),
        ])
    func ranges(text: String, wanted: Double, hertz: Double) throws {
        let rates = try #require(SamplingRates(text))
        #expect(rates.smallest(atLeast: wanted).hertz == hertz)
    }

    @Test(
        "a text without a positive rate gives none",
        arguments: ["", "0", "none", "[1 2]", "[1 0 100]", "[10 1 5]", "-5", "nan inf"])
    func noRates(text: String) {
        #expect(SamplingRates(text) == nil)
    }

    @Test("words that are no rates are passed over")
    func mixedWords() throws {
        let rates = try #require(SamplingRates("0 12.5, x 25"))
        #expect(rates.hertz == [12.5, 25])
    }
}
