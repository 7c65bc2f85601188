extension CommandLineOptions {
    /// The text of `locatemed --help`.
    public static let help = """
        locatemed - the compass and location service of org.locateme

        usage: locatemed [OPTION ...]

          --bus system|session|ADDRESS  the bus to serve (default system; DBUS_SYSTEM_BUS_ADDRESS and
                                        DBUS_SESSION_BUS_ADDRESS are respected)
          --iio-uri URI                 a libiio context, may be given again (default local:)
          --replay FILE.lmrec           recorded sensors and fixes in place of devices
            --speed X                   play X times as fast (default 1)
            --loop                      begin again at the end
          --simulate [WALK]             a simulated phone in place of devices
          --place LAT,LON[,ALT]         a fixed place: degrees, metres above sea level
          --gpsd HOST:PORT              the gpsd to ask (default localhost:2947)
          --no-gpsd                     ask no gpsd
          --nmea ADDRESS                NMEA 0183 from tty:/dev/ttyACM0[:BAUD], tcp:HOST:PORT,
                                        udp:[ADDRESS:]PORT or unix:PATH; may be given again
          --geoclue                     ask GeoClue for places
          --modemmanager                use the satellite receiver of a modem
          --magnetic-model FILE         a coefficient file (.COF) in place of the built-in model
          --state-dir DIR               where calibrations are kept
          --sensor-proxy                stand in for iio-sensor-proxy: own net.hadess.SensorProxy too
          --nmea-out WHERE              write NMEA 0183 to pty:LINK, udp:ADDRESS[:PORT] or tcp[:ADDRESS][:PORT]; may be
                                        given again
            --nmea-out-sentences LIST   of HDG,HDM,HDT,THS,ROT,RMC,GGA (default HDG,HDM,ROT: nothing that tells where)
            --nmea-out-rate HZ          headings (default 10)
            --nmea-out-place-rate HZ    places (default 1)
            --nmea-out-orientation EDGE what points ahead: portrait (default), upside-down, landscape-left,
                                        landscape-right
          --signalk-out WHERE           write the same as deltas of Signal K; as --nmea-out, port 8375
          --config FILE                 the configuration (default /etc/locateme/locateme.conf and
                                        /etc/locateme/conf.d/*.conf)
          --idle-exit SECONDS           end after this time without a session (default 0, never)
          --log-level error|warning|info|debug
          --check-config                read the configuration, say what is wrong, end
          --version                     print the version
          --help                        print this

        Signals: SIGTERM and SIGINT end it, SIGHUP reads the configuration again.
        Exit status: 0 stopped, 1 failed, 2 usage, 3 no bus, 6 name taken.

        Examples:
          locatemed --bus session --replay walk.lmrec --loop
          locatemed --iio-uri ip:192.0.2.7 --place 47.377,8.542

        """
}
