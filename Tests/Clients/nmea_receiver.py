#!/usr/bin/python3
"""A receiver on a Unix socket, for GeoClue's nmea-socket: a GGA of now each half second, each a little further north.

usage: nmea_receiver.py SOCKET

Writes "ready" when it listens.
"""

import functools
import operator
import os
import socket
import sys
import threading
import time


def serve(client):
    step = 0
    try:
        while True:
            clock = time.strftime("%H%M%S", time.gmtime())
            body = f"GPGGA,{clock}.00,5147.{9460 + step % 50:04d},N,01036.9360,E,1,08,2.0,812.4,M,47.2,M,,"
            checksum = functools.reduce(operator.xor, body.encode())
            client.sendall(f"${body}*{checksum:02X}\r\n".encode())
            step += 1
            time.sleep(0.5)
    except OSError:
        pass


listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o666)
listener.listen(4)
print("ready", flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
