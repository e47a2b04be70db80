"""tiny_values.py FROM.npz TO.npz: a recording with v, o and ht of 1e-12."""
import struct
import sys
import zipfile

HEADER_BYTES = 128

with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w") as new:
    for name in old.namelist():
        data = old.read(name)
        if name in ("v.npy", "o.npy", "ht.npy"):
            count = (len(data) - HEADER_BYTES) // 4
            data = data[:HEADER_BYTES] + struct.pack("<f", 1e-12) * count
        new.writestr(name, data)
