#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes scenarios/models/servicer.glb: a servicer as binary glTF 2.0, in metres and body axes.

    tools/make_model.py [FILE]

x is forward, where the probe is; wings reach along y, the dish points along z. Made of a bus, a mast, an
engine, two wings with a texture of cells, a dish and two star trackers. Nothing but the standard library.
"""
import json
import math
import struct
import sys
import zlib
from pathlib import Path

DEFAULT = Path(__file__).resolve().parent.parent / "scenarios/models/servicer.glb"


class Part:
    """Triangles of one material: positions, normals and texture coordinates, corner by corner."""

    def __init__(self):
        self.corners = []
        self.number = {}
        self.indices = []

    def corner(self, position, normal, uv=(0.0, 0.0)):
        key = tuple(round(x, 6) for x in (*position, *normal, *uv))
        if key not in self.number:
            self.number[key] = len(self.corners)
            self.corners.append(key)
        self.indices.append(self.number[key])

    def face(self, points, normals=None, uvs=None):
        """A convex polygon, counter-clockwise from outside."""
        a, b, c = points[:3]
        u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
        n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        size = math.sqrt(sum(x * x for x in n)) or 1.0
        flat = tuple(x / size for x in n)
        for k in range(1, len(points) - 1):
            for i in (0, k, k + 1):
                self.corner(points[i], normals[i] if normals else flat, uvs[i] if uvs else (0.0, 0.0))

    def box(self, middle, size):
        (x, y, z), (a, b, c) = middle, (s / 2 for s in size)
        p = [(x + i * a, y + j * b, z + k * c) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
        for i, j, k, m in ((4, 6, 7, 5), (0, 1, 3, 2), (2, 3, 7, 6), (0, 4, 5, 1), (1, 5, 7, 3), (0, 2, 6, 4)):
            self.face([p[i], p[j], p[k], p[m]])

    def turned(self, profile, sides, axis="x", at=(0.0, 0.0, 0.0), smooth=True, start=0.0):
        """A profile of (along, radius) turned about an axis; outside is to the right of it."""

        def place(along, across, other):
            v = {"x": (along, across, other), "z": (across, other, along)}[axis]
            return tuple(v[i] + at[i] for i in range(3))

        def direction(along, across, other):
            return {"x": (along, across, other), "z": (across, other, along)}[axis]

        for (h0, r0), (h1, r1) in zip(profile, profile[1:]):
            slope = math.hypot(h1 - h0, r1 - r0) or 1.0
            along, out = -(r1 - r0) / slope, (h1 - h0) / slope
            for k in range(sides):
                a, b = (start + 2 * math.pi * i / sides for i in (k, k + 1))
                points, normals = [], []
                for h, r, angle in ((h0, r0, a), (h0, r0, b), (h1, r1, b), (h1, r1, a)):
                    points.append(place(h, r * math.cos(angle), r * math.sin(angle)))
                    middle = angle if smooth else (a + b) / 2
                    normals.append(direction(along, out * math.cos(middle), out * math.sin(middle)))
                if r0 == 0:
                    points, normals = points[1:], normals[1:]
                elif r1 == 0:
                    points, normals = points[:3], normals[:3]
                # The order follows from which way is out.
                self.face(points[::-1], normals[::-1])

    def bytes(self):
        floats = [b"".join(struct.pack(f"<{n}f", *c[first:first + n]) for c in self.corners)
                  for first, n in ((0, 3), (3, 3), (6, 2))]
        return floats, struct.pack(f"<{len(self.indices)}H", *self.indices)


def cells_png(size=64, pitch=16):
    """Blue cells between silver lines."""
    rows = []
    for y in range(size):
        row = bytearray([0])
        for x in range(size):
            shade = ((x // pitch) * 5 + (y // pitch) * 3) % 4
            line = x % pitch == 0 or y % pitch == 0
            row += bytes((150, 156, 166) if line else (26 + 3 * shade, 44 + 4 * shade, 96 + 8 * shade))
        rows.append(bytes(row))
    chunk = lambda kind, body: struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b""))


def build():
    foil, white, metal, dark, cells = Part(), Part(), Part(), Part(), Part()
    eighth = math.pi / 8
    # Bus: an octagon, white radiators on four of its sides.
    foil.turned([(-0.85, 0), (-0.85, 0.66), (0.75, 0.66), (0.75, 0)], 8, smooth=False, start=eighth)
    for side in (-1, 1):
        white.box((-0.05, 0, side * 0.622), (1.2, 0.46, 0.03))
        dark.box((0.35, side * 0.622, 0), (0.5, 0.03, 0.34))
    # Mast and ring of the probe, whose ball is the contact's own.
    metal.turned([(0.75, 0), (0.75, 0.42), (0.82, 0.42), (0.82, 0.34), (0.9, 0.2), (1.0, 0.12), (1.05, 0.06), (1.3, 0.03),
                  (1.3, 0)], 32)
    # Engine.
    dark.turned([(-1.28, 0.3), (-1.15, 0.26), (-1.0, 0.16), (-0.85, 0.09)], 24)
    metal.turned([(-0.85, 0.09), (-1.0, 0.15), (-1.15, 0.25), (-1.28, 0.29)][::-1], 24)
    # Dish on a mast.
    metal.turned([(0.6, 0.025), (0.95, 0.025)], 12, axis="z", at=(-0.45, 0, 0))
    bowl = [(0.92 + 0.9 * r * r, r) for r in (0.0, 0.1, 0.2, 0.3, 0.38)]
    white.turned([(h, r) for h, r in reversed(bowl)], 28, axis="z", at=(-0.45, 0, 0))
    white.turned([(h - 0.012, r) for h, r in bowl], 28, axis="z", at=(-0.45, 0, 0))
    metal.turned([(0.92, 0.012), (1.16, 0.012), (1.16, 0.04), (1.2, 0)], 12, axis="z", at=(-0.45, 0, 0))
    # Star trackers.
    for y in (-0.16, 0.16):
        dark.turned([(0.6, 0.09), (0.84, 0.06)], 16, axis="z", at=(0.45, y, 0))
    # Wings: yoke, frame, cells on both faces.
    for side in (-1, 1):
        metal.box((0, side * 0.8, 0), (0.05, 0.36, 0.05))
        for k in range(2):
            y = side * (1.58 + 1.24 * k)
            metal.box((0, y, 0), (0.96, 1.2, 0.024))
            for face in (-1, 1):
                z = face * 0.0135
                p = [(-0.46, y - 0.58, z), (0.46, y - 0.58, z), (0.46, y + 0.58, z), (-0.46, y + 0.58, z)]
                uv = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.5), (0.0, 2.5)]
                cells.face(p if face > 0 else p[::-1], None, uv if face > 0 else uv[::-1])
    return [(foil, (0.72, 0.42, 0.08), 0.9, None), (white, (0.8, 0.82, 0.84), 0.0, None), (metal, (0.42, 0.45, 0.5), 1.0, None),
            (dark, (0.03, 0.034, 0.04), 0.2, None), (cells, (1.0, 1.0, 1.0), 0.3, cells_png())]


def write(parts):
    blob, views, accessors, primitives, materials, extra = bytearray(), [], [], [], [], {}

    def view(data):
        while len(blob) % 4:
            blob.append(0)
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        blob.extend(data)
        return len(views) - 1

    def accessor(data, kind, component, count, bounds=None):
        accessors.append({"bufferView": view(data), "componentType": component, "count": count, "type": kind, **(bounds or {})})
        return len(accessors) - 1

    for part, color, metallic, image in parts:
        (position, normal, uv), indices = part.bytes()
        n = len(part.corners)
        bounds = {name: [pick(struct.unpack("<f", struct.pack("<f", c[i]))[0] for c in part.corners) for i in range(3)]
                  for name, pick in (("min", min), ("max", max))}
        attributes = {"POSITION": accessor(position, "VEC3", 5126, n, bounds), "NORMAL": accessor(normal, "VEC3", 5126, n)}
        pbr = {"baseColorFactor": [*color, 1.0], "metallicFactor": metallic, "roughnessFactor": 0.6}
        if image:
            attributes["TEXCOORD_0"] = accessor(uv, "VEC2", 5126, n)
            extra = {"images": [{"bufferView": view(image), "mimeType": "image/png"}], "samplers": [{}],
                     "textures": [{"source": 0, "sampler": 0}]}
            pbr["baseColorTexture"] = {"index": 0}
        materials.append({"pbrMetallicRoughness": pbr})
        primitives.append({"attributes": attributes, "indices": accessor(indices, "SCALAR", 5123, len(part.indices)),
                           "material": len(materials) - 1})
    while len(blob) % 4:
        blob.append(0)
    text = json.dumps({"asset": {"version": "2.0", "generator": "berth tools/make_model.py"}, "scene": 0, "scenes": [{"nodes": [0]}],
                       "nodes": [{"mesh": 0, "name": "servicer"}], "meshes": [{"primitives": primitives}], "materials": materials,
                       "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(blob)}], **extra},
                      separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + bytes(blob)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def main():
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    data = write(build())
    path.write_bytes(data)
    print(f"{path}: {len(data)} bytes")


if __name__ == "__main__":
    main()
