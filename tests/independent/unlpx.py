#!/usr/bin/env python3
"""Decodes archives of logpx without any of its code, as logpx-archive(5) describes them.

    unlpx.py ARCHIVE.lpx FOLDER

It knows what is stored and what the effort fast codes. Of all else it says what it lacks, and ends with status 3.
"""
import ast
import hashlib
import os
import pathlib
import re
import sys
import zlib

RUN, BLOCK, END, MODEL = 1, 2, 3, 4
BYTES, PNM, IDX, NPY = 0, 2, 3, 4
EVEN = (32768, 32768)  # the two estimates of a chance, of 2^16, before anything was seen


class Damaged(Exception):
    """The bytes are not what an archive may have there."""


class Lacking(Exception):
    """The archive needs what this decoder does not know."""


def require(holds, what):
    if not holds:
        raise Damaged(what)


class Bytes:
    """Numbers out of bytes, one after another."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def raw(self, count):
        require(count <= len(self.data) - self.at, "the bytes end early")
        self.at += count
        return self.data[self.at - count:self.at]

    def rest(self):
        return self.raw(len(self.data) - self.at)

    def number(self, size):
        return int.from_bytes(self.raw(size), "little")

    def varint(self):
        value = 0
        for shift in range(0, 70, 7):
            byte = self.number(1)
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise Damaged("a number is too long")

    def folded(self):
        number = self.varint()
        return -(number + 1 >> 1) if number % 2 else number >> 1

    def column(self, count):
        """Numbers as differences from the one before."""
        numbers = [0]
        for _ in range(count):
            numbers.append(numbers[-1] + self.folded())
        return numbers[1:]

    def texts(self, count):
        """Names or metas, by what each shares with the one before."""
        dropped, shared, own = ([self.varint() for _ in range(count)] for _ in range(3))
        texts = [b""]
        for i in range(count):
            last = texts[-1]
            require(max(dropped[i], shared[i]) <= len(last), "a name shares more than there is")
            texts.append(last[:len(last) - dropped[i]] + self.raw(own[i]) + last[len(last) - shared[i]:])
        return texts[1:]


class Message:
    """A stack of words and the states of the lanes, which give one bit in turn."""

    def __init__(self, data, lanes):
        data = Bytes(data)
        self.states, self.lane = [data.number(8) for _ in range(lanes)], 0
        self.words = [data.number(4) for _ in range(data.number(4))]
        require(not data.rest(), "bytes follow a message")

    def bit(self, chances, place):
        quick, slow = chances[place]
        ones = min(max(quick + slow >> 1, 32), 65504)
        zeros = 65536 - ones
        state, part = self.states[self.lane] >> 16, self.states[self.lane] & 65535
        one = part >= zeros
        if one:
            state = ones * state + part - zeros
            chances[place] = quick + (65535 - quick >> 4), slow + (65535 - slow >> 7)
        else:
            state = zeros * state + part
            chances[place] = quick - (quick >> 4), slow - (slow >> 7)
        if state < 1 << 31:
            require(self.words, "a message ends early")
            state = state << 32 | self.words.pop()
        self.states[self.lane] = state
        self.lane = (self.lane + 1) % len(self.states)
        return int(one)

    def byte(self, chances, context):
        node = 1
        while node < 256:
            node = 2 * node + self.bit(chances, 256 * context + node)
        return node - 256

    def end(self):
        require(not self.words and set(self.states) == {1 << 31}, "a message does not end where it began")


def bytes_of(message, chances, size):
    data = bytearray(1)
    for _ in range(size):
        data.append(message.byte(chances, data[-1]))
    return bytes(data[1:])


def level(v):
    return 0 if v < 3 else 1 if v < 16 else 2


def samples_of(message, chances, height, width, channels):
    """A raster by how far each sample is from the median of what its neighbours say."""
    row = width * channels
    data, errors = bytearray(), [0] * channels
    for i in range(height * row):
        c = i % channels
        north = data[i - row] if i >= row else 0
        west = corner = north
        if i % row >= channels:
            west, corner = data[i - channels], data[i - row - channels] if i >= row else 0
        guess = sorted((north, west, north + west - corner))[1]
        rough = abs(north - corner) + abs(west - corner)
        error = message.byte(chances, c * 9 + 3 * level(rough) + level(errors[c]))
        data.append(error + guess & 255)
        errors[c] = min(error, 256 - error)
    return bytes(data)


NEARBY = ((-2, -1), (-2, 0), (-2, 1), (-1, -2), (-1, -1), (-1, 0), (-1, 1), (-1, 2), (0, -2), (0, -1))


def bits_of(message, chances, height, width, channels):
    """A raster of 0 and 1, by ten pixels around each."""
    data = bytearray()
    for i in range(height * width * channels):
        y, x, context = i // (width * channels), i // channels % width, i % channels
        for dy, dx in NEARBY:
            inside = y + dy >= 0 and 0 <= x + dx < width
            context = 2 * context + (data[i + (dy * width + dx) * channels] if inside else 0)
        data.append(message.bit(chances, context))
    return bytes(data)


def block(payload, size, rasters=()):
    """The content of a block: bytes of that size, or rasters [height, width, channels]."""
    data = Bytes(payload)
    coder = data.number(1)
    if coder & 2:
        raise Lacking("a block of the adaptive coder" if coder & 1 else "a block of a model")
    require(coder & 1 == 0 or data.varint() == 0, "words are borrowed that nothing needs")
    check = data.number(4)
    if coder & 1 == 0:
        content = data.rest()
    else:
        message = Message(data.rest(), 1 << (coder >> 2 & 3))
        of, contexts = (bits_of, 1024) if coder & 16 else (samples_of, 9 * 256)
        chances = [EVEN] * (contexts * rasters[0][2] if rasters else 256 * 256)
        parts = [of(message, chances, *raster) for raster in rasters] or [bytes_of(message, chances, size)]
        content = b"".join(parts)
        message.end()
    require(len(content) == size and zlib.crc32(content) == check, "a block has another content")
    return content


class Member:
    def __init__(self, kind, mode, seconds, nanoseconds, size, name, meta):
        if kind not in (BYTES, PNM, IDX, NPY) or meta.startswith(b"P4"):
            raise Lacking("members of other kinds than bytes, PGM, PPM, IDX and npy")
        self.kind, self.mode, self.time = kind, mode, seconds * 10**9 + nanoseconds
        self.size, self.name, self.meta = size, name, meta

    def rasters(self):
        """How many rasters the file is said to have, and their height, width and channels."""
        sizes = []
        if self.kind == PNM:
            width, height = re.sub(rb"#.*", b"", self.meta[2:]).split()[:2]
            sizes = [1, int(height), int(width), 3 if self.meta.startswith(b"P6") else 1]
        elif self.kind == IDX:
            sizes = [int.from_bytes(self.meta[i:i + 4], "big") for i in range(4, len(self.meta), 4)]
        elif self.kind == NPY:
            sizes = list(ast.literal_eval(self.meta[self.meta.index(b"{"):].decode().strip())["shape"])
        if len(sizes) < 2:
            return 0, (1, 1, 1)
        count, (height, width, channels) = sizes[0], ([1] * (len(sizes) == 2) + sizes[1:] + [1])[:3]
        long = height * width * channels > 4 << 20
        return (count * height, (1, width, channels)) if long else (count, (height, width, channels))

    def parts(self, size):
        """The lots of that much content: shapes of rasters, or None for bytes, and the size of each part."""
        count, shape = self.rasters()
        there = min(count, size // volume(shape))
        if there < count:  # in groups, of which the last one is bytes if it is not whole
            there -= there % max(1, (1 << 20) // volume(shape))
        whole = there * volume(shape) if shape[1] > 1 and shape[2] <= 16 else 0
        return [(shape, whole)] * (whole > 0) + [(None, size - whole)] * (size > whole)


def volume(shape):
    return shape[0] * shape[1] * shape[2]


def bytes_from(size, next_block):
    return b"".join(block(next_block(), min(1 << 20, size - at)) for at in range(0, size, 1 << 20))


def rasters_from(left, next_block):
    content = b""
    while left:
        count, size = 1, volume(left[0])
        while count < len(left) and size + volume(left[count]) <= 1 << 20:
            size += volume(left[count])
            count += 1
        rasters = [left[0]]
        for shape in left[1:count]:  # those that are rows are one raster
            together = shape[0] == 1 and shape[1:] == rasters[-1][1:]
            rasters[-1:] = [(rasters[-1][0] + 1, *shape[1:])] if together else [rasters[-1], shape]
        content += block(next_block(), size, rasters)
        left = left[count:]
    return content


def filled(lots, next_block):
    """The content of each lot, from the blocks of the streams that they lie in."""
    streams, contents = {}, {}
    for shape, size in lots.items():
        streams.setdefault(shape if shape is None or size >= 16384 else shape[2], []).append(shape)
    for shapes in streams.values():
        if shapes == [None]:
            content = Bytes(bytes_from(lots[None], next_block))
        else:
            content = Bytes(rasters_from([s for s in shapes for _ in range(lots[s] // volume(s))], next_block))
        contents.update((shape, Bytes(content.raw(lots[shape]))) for shape in shapes)
    return contents


class Archive:
    """Reads archives that follow each other; each file that is whole is given to `out`."""

    def __init__(self, data, out):
        self.data, self.out, self.checked = Bytes(data), out, 0
        self.member, self.made, self.hashes = None, b"", []

    def read(self):
        while self.data.at < len(self.data.data):
            require(self.data.raw(8) == b"\x89LPX\r\n\x1a\n", "no archive of logpx begins here")
            version = self.data.number(2), self.data.number(2)
            if version not in ((2, 1), (2, 4), (2, 5), (2, 6)):
                raise Lacking("version %d.%d of the format" % version)
            flags, self.hashes = self.data.number(1), []
            if flags & 64:
                self.small(16 * (flags >> 7))
                continue
            require(self.data.number(1) == 1, "numbers are computed in another way")
            if flags & 3:
                raise Lacking("a model")
            self.data.raw(self.data.number(2))
            self.check()
            while self.record():
                pass

    def check(self):
        """What stands between two check sums has the second."""
        bytes_before = self.data.data[self.checked:self.data.at]
        require(zlib.crc32(bytes_before) == self.data.number(4), "a check sum is wrong")
        self.checked = self.data.at

    def small(self, prime):
        self.data.raw(prime)
        body = Bytes(self.data.raw(self.data.varint()))
        self.check()
        kind = body.number(1)
        known = (body.number(2), body.folded(), body.varint()) if kind & 128 else (65535, 0, 0)
        size, name = body.varint(), body.raw(body.varint())
        meta = body.raw(body.varint()) if kind & 127 else b""
        self.contents_of([], [Member(kind & 127, *known, size, name, meta)], body.rest)
        self.finish()

    def next_record(self):
        kind, payload = self.data.number(1), Bytes(self.data.raw(self.data.varint()))
        self.check()
        return kind, payload

    def next_block(self):
        kind, payload = self.next_record()
        require(kind == BLOCK, "a block is missing")
        return payload.rest()

    def record(self):
        kind, payload = self.next_record()
        if kind == RUN:
            size = payload.varint()
            self.run(Bytes(block(payload.rest(), size)))
        elif kind == END:
            self.finish()
            require(payload.varint() == len(self.hashes), "members are missing")
            require(hashlib.sha256(b"".join(self.hashes)).digest()[:16] == payload.rest(), "members differ")
        elif kind < 128:
            raise Lacking("an embedded model" if kind == MODEL else "a prime")
        return kind != END

    def run(self, table):
        flags, _, count = table.number(1), table.varint(), table.varint()
        if flags & 12:
            raise Lacking("recipes of streams, or stretches of bytes")
        require(count <= 65536, "a table has too many members")
        going_on = [(self.member, table.varint())] if flags & 1 else []
        if flags & 1 and (self.member is None or self.member.kind):
            raise Lacking("rasters that go on in another run")
        columns = [table.column(count) for _ in range(5)] + [table.texts(count), table.texts(count)]
        self.contents_of(going_on, [Member(*column) for column in zip(*columns)], self.next_block)

    def contents_of(self, going_on, members, next_block):
        places = going_on + [(member, member.size) for member in members]
        lots = {}
        for member, size in places:
            for shape, part in member.parts(size):
                lots[shape] = lots.get(shape, 0) + part
        contents = filled(lots, next_block)
        for member, size in places:
            if member is not self.member:
                self.finish()
                self.member, self.made = member, bytearray(member.meta)
            for shape, part in member.parts(size):
                self.made += contents[shape].raw(part)

    def finish(self):
        """The member that is being made is whole."""
        if self.member is not None:
            self.hashes.append(hashlib.sha256(self.made).digest())
            self.out(self.member, self.made)
        self.member = None


def written_into(folder):
    def write(member, content):
        name = pathlib.PurePosixPath(os.fsdecode(member.name))
        require(name.parts and name.root == "" and ".." not in name.parts, "a member lies outside: %s" % name)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o644 if member.mode == 65535 else member.mode & 0o777)
        if member.time:
            os.utime(path, ns=(member.time, member.time))

    return write


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    archive, folder = map(pathlib.Path, sys.argv[1:])
    try:
        Archive(archive.read_bytes(), written_into(folder)).read()
    except (Damaged, Lacking) as why:
        lacks = isinstance(why, Lacking)
        print("%s: %s: %s" % (archive, "this decoder lacks" if lacks else "damaged", why), file=sys.stderr)
        sys.exit(3 if lacks else 2)


if __name__ == "__main__":
    main()
