/// The table of what is known of drivers and devices and cannot be read from them: the only place for such facts.
///
/// `headingctl sensors --quirks` prints it. A block begins with `[name]`; every row that matches a device applies, a
/// later one over an earlier one. Matches, all of which must fit (`*` stands for any run of characters; several words
/// are alternatives): `name` (the IIO name), `driver` (the kernel driver), `path` (the sysfs path), `machine` (an entry
/// of the devicetree's `compatible`, or the DMI modalias), `label`. What a row may say:
///
/// - `accel-sign`: `down` if the accelerometer reads the pull of gravity (−9.81 on z, face up), `up` for the IIO sign.
/// - `magn-scale`, `accel-scale`, `anglvel-scale`: `FACTOR below LIMIT`: a scale attribute smaller than LIMIT, in the
///   IIO unit, is multiplied.
/// - `magn-matrix`, `accel-matrix`, `anglvel-matrix`: chip to device, used where the device declares none.
/// - `hwdb-matrix`: `ignored` if `ACCEL_MOUNT_MATRIX` of systemd's hwdb is not to be used.
/// - `rates`: the rates in Hz of a driver that takes rates and lists none.
/// - `magn-overflow`: the count by which the chip says that the field is out of its range.
/// - `raw-bytes`: `doubtful` if the driver swaps the bytes of raw values on some kernels.
/// - `open-first`: `accel` if the accelerometer of the device must run for the magnetometer to work.
/// - `ignore`: why it is of no use.
/// - `why` (needed) and `source` (needed): what is wrong, and who says so.
enum QuirkText {
    static let table = """
        [hid-accelerometer]
        name = accel_3d
        accel-sign = down
        why = HID sensor hubs report the pull of gravity, the opposite of the IIO convention
        source = HID Usage Tables 1.23 section 4; linux-iio 2022-06, iio/hid: Add mount_matrix

        [hmc5843-scale]
        name = hmc5843 hmc5883 hmc5883l hmc5983
        magn-scale = 100 below 0.0001
        why = the driver prints its scales a hundred times too small for gauss (1/1090 G as 0.000009174)
        source = drivers/iio/magnetometer/hmc5843_core.c of Linux 7.2; data sheet HMC5883L, 0.92 mG per count

        [amd-sensor-hub-magnetometer]
        name = magn_3d
        path = */*:1022:*
        magn-scale = 10000 below 0.00001
        why = the hub counts microtesla, its descriptor says milligauss with an exponent too many
        source = ShadowBlip/InputPlumber#574; amd-sfh-hid

        [amd-sensor-hub-gyroscope]
        name = gyro_3d
        path = */*:1022:*
        anglvel-scale = 100 below 0.0002
        why = the hub counts hundredths of what its descriptor says
        source = ShadowBlip/InputPlumber#574; amd-sfh-hid

        [cros-ec-lid]
        name = cros-ec-accel
        label = accel-display
        hwdb-matrix = ignored
        why = the controller turns its readings into the display's frame by itself, and older hwdb entries turn them wrong
        source = systemd/systemd#16377, #24276, #24353

        [mmc5633-rates]
        name = mmc5603 mmc5633
        rates = 1.2 2 3.5 6.6
        why = the driver takes these rates and lists none
        source = drivers/iio/magnetometer/mmc5633.c of Linux 7.2

        [lsm303-overflow]
        name = lsm303dlh_magn lsm303dlhc_magn lsm303dlm_magn
        magn-overflow = -4096
        why = the chip puts -4096 where the field is out of its range
        source = data sheets LSM303DLH, LSM303DLHC and LSM303DLM, chapter on the magnetic output registers

        [lsm303dlh-bytes]
        name = lsm303dlh_magn
        raw-bytes = doubtful
        why = before Linux 7.2 the driver read raw values with their bytes the wrong way round; the buffer is right
        source = linux-iio 2026-06-05, series lsm303dlh-magn-fixes

        [hmc5843-overflow]
        name = hmc5843 hmc5883 hmc5883l hmc5983
        magn-overflow = -4096
        why = the chip puts -4096 where the field is out of its range
        source = data sheets HMC5843 and HMC5883L, chapter on the data output registers

        [mpu9150-magnetometer]
        name = mpu9150
        open-first = accel
        why = its magnetometer delivers three equal values until the accelerometer has been switched on
        source = linux-iio 2025-03-28, mpu9150 magnetometer not working without powering accelerometer

        [droid4-magnetometer]
        name = ak8975
        machine = motorola,droid4 motorola,droid-bionic motorola,mapphone*
        magn-matrix = -1, 0, 0; 0, 1, 0; 0, 0, -1
        why = the devicetree misspells the property, so the kernel shows identity where the chip is turned about y
        source = motorola-mapphone-handset.dtsi (rotation-matrix); maemo-leste/bugtracker#294

        [relative-orientation]
        name = relative_orientation
        ignore = its orientation is relative to where it was switched on, and knows no north
        why = HID usage 20008E leaves the magnetometer out
        source = HID Usage Tables 1.23 section 4; drivers/iio/orientation/hid-sensor-rotation.c of Linux 7.2

        [hall-switches]
        name = si7210 als31300 tlv493d* tmag5273*
        ignore = it is a Hall position sensor for magnets, too coarse for the earth's field
        why = position sensors show magnetic channels without being compasses
        source = drivers/iio/magnetometer of Linux 7.2: si7210, als31300, tlv493d, tmag5273

        """
}
