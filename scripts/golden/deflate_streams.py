#!/usr/bin/env python3
"""Writes tests/golden/deflate.json: DEFLATE streams of several encoders, all of one made-up text.

    pip install zopfli deflate isal zlib-ng; scripts/golden/deflate_streams.py > tests/golden/deflate.json

Needs gzip(1) and the zlib of Mark Adler behind Python's zlib.
"""
import json
import subprocess
import sys
import zlib

import deflate
import zopfli.zlib
from isal import isal_zlib
from zlib_ng import zlib_ng

state = 37


def below(n):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
    return (state >> 33) % n


def text(size):
    """Words, the common ones short, with phrases and paragraphs that come again."""
    out = bytearray()
    while len(out) < size:
        word = below(1 + below(1500))
        out += bytes(97 + (word * (i + 3) + word // 11) % 26 for i in range(2 + word % 8)) + b" "
        if below(30) == 0 and len(out) > 200:
            start = below(len(out) - 100)
            out += out[start:start + 5 + below(90)]
        if below(200) == 0:
            out += bytes(below(256) for _ in range(40))
    return bytes(out[:size])


def gaps(size):
    """Two letters, then what was there before, again and again."""
    out = bytearray(text(100))
    while len(out) < size:
        start = below(len(out) - 30)
        out += bytes(97 + below(26) for _ in range(2)) + out[start:start + 10 + below(20)]
    return bytes(out[:size])


def through(compressor, content, pieces=None):
    if not pieces:
        return compressor.compress(content) + compressor.flush()
    parts = [compressor.compress(content[at:at + pieces]) + compressor.flush(zlib.Z_SYNC_FLUSH)
             for at in range(0, len(content), pieces)]
    return b"".join(parts) + compressor.flush()


def by_gzip(content, level):
    whole = subprocess.run(["gzip", "-n", "-%d" % level], input=content, stdout=subprocess.PIPE, check=True).stdout
    return whole[10:-8]


def case(made_by, content, stream):
    assert zlib.decompress(stream, -15) == content
    return {"made_by": made_by, "bytes": len(content), "crc32": zlib.crc32(content), "stream": stream.hex()}


short, phrases, letters = text(5000), gaps(40000), bytes(97 + below(26) for _ in range(22500))
noisy = text(1000) + bytes(below(256) for _ in range(18000))
foretold = [case("zlib level %d" % n, short, through(zlib.compressobj(n, 8, -15), short)) for n in (1, 2, 3, 4, 5, 6, 9)]
for words, level, window, memory, strategy in (
        ("memory 1", 6, 15, 1, zlib.Z_DEFAULT_STRATEGY), ("memory 9, window 12", 9, 12, 9, zlib.Z_DEFAULT_STRATEGY),
        ("window 9", 6, 9, 8, zlib.Z_DEFAULT_STRATEGY), ("filtered", 6, 15, 8, zlib.Z_FILTERED),
        ("runs", 6, 15, 8, zlib.Z_RLE), ("literals", 6, 15, 8, zlib.Z_HUFFMAN_ONLY), ("fixed", 6, 15, 8, zlib.Z_FIXED)):
    stream = through(zlib.compressobj(level, 8, -window, memory, strategy), short)
    foretold.append(case("zlib level %d, %s" % (level, words), short, stream))
foretold.append(case("zlib, two blocks", letters, through(zlib.compressobj(6, 8, -15), letters)))
foretold.append(case("zlib, stored in part", noisy, through(zlib.compressobj(6, 8, -15), noisy)))
foretold += [case("gzip level %d" % n, phrases, by_gzip(phrases, n)) for n in (3, 6)]
others = [case("zlib, a flush each 1,000 bytes", short, through(zlib.compressobj(6, 8, -15), short, 1000)),
          case("zlib level 0", short, through(zlib.compressobj(0, 8, -15), short)),
          case("libdeflate level 6", short, bytes(deflate.deflate_compress(short, 6))),
          case("libdeflate level 12", short, bytes(deflate.deflate_compress(short, 12))),
          case("zopfli", short, zopfli.zlib.compress(short)[2:-4]),
          case("ISA-L level 1", short, through(isal_zlib.compressobj(1, 8, -15), short)),
          case("zlib-ng level 1", short, through(zlib_ng.compressobj(1, 8, -15), short)),
          case("zlib-ng level 6", short, through(zlib_ng.compressobj(6, 8, -15), short))]
json.dump({"format": "logpx golden: DEFLATE streams", "foretold": foretold, "others": others}, sys.stdout, indent=1)
print()
