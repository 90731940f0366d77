#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the bill of materials of a program names all that it is made of, and that pages and package carry the
licences of what is inside them.

usage: check_sbom.py ROOT BUILD | check_sbom.py --wheel WHEEL | check_sbom.py --self-test

Of a build by Ninja: whatever header the compiler has read and whatever archive the linker was given belongs to a
package of the bill, and what the bill says is inside has been read. A wheel must have bill and licences. With
cyclonedx-python-lib and jsonschema, each bill is held to the schema of CycloneDX.
"""

import hashlib
import json
import re
import subprocess
import sys
import uuid
import zipfile
from pathlib import Path

from make_sbom import CONTAINED, ask, needed_by

# What compiler and system bring: their headers leave nothing inside that asks for a notice.
TOOLCHAIN = re.compile(r"libc6-dev|linux-libc-dev|libstdc\+\+-\d+-dev|libgcc-\d+-dev|libcrypt-dev")
# Declarations that httplib.h reads; what is called of them is called by its shared library.
DECLARATIONS = re.compile(r"libssl-dev|libbrotli-dev|zlib1g-dev")
# How pages show that a library is in them, without the list that the bundler makes.
MARKS = {"three": re.compile(r"WebGLRenderer"), "uplot": re.compile(r"\.uplot\b")}
# Shorter is no licence.
SHORTEST = 500


# --- what is there --------------------------------------------------------------------------------------

def use_of(component):
    return component["properties"][0]["value"]


def package_of(component):
    found = re.match(r"pkg:deb/[^/]+/([^@]+)@", component.get("purl", ""))
    return found.group(1) if found else None


def source_of(package):
    return ask("dpkg-query", "-W", "-f", "${source:Package}\n", package).split("\n")[0]


def packages_of(files):
    """Which packages these files belong to; None stands for files that belong to none."""
    found, known = set(), set()
    for line in ask_anyway("dpkg-query", "-S", *sorted(files)).splitlines():
        package, _, path = line.rpartition(": ")
        found.add(package.split(",")[0].split(":")[0])
        known.add(path)
    return found | ({None} if set(files) - known else set())


def ask_anyway(*command):
    """As ask, but what is printed counts even when something was not found."""
    return subprocess.run(command, capture_output=True, text=True).stdout


def read_by_compiler(build):
    """Headers outside the tree that the objects of the program were made from."""
    commands = ask("ninja", "-C", str(build), "-t", "commands", "berth_app")
    objects = sorted(set(re.findall(r" -o (\S+\.o) ", commands)))
    listed = ask("ninja", "-C", str(build), "-t", "deps", *objects)
    return set(re.findall(r"^    (/usr/\S+)$", listed, re.MULTILINE)), commands


# --- checks -----------------------------------------------------------------------------------------------

def check_schema(sbom):
    """Problems by the schema of CycloneDX; None where nothing is there to check with."""
    try:
        import cyclonedx.schema
        import jsonschema
        import referencing
    except ImportError:
        return None
    folder = Path(cyclonedx.schema.__file__).parent / "_res"

    def read(name):
        return referencing.Resource.from_contents(json.loads((folder / name).read_text(encoding="utf-8")))

    names = {"spdx.schema.json": "spdx.SNAPSHOT.schema.json", "jsf-0.82.schema.json": "jsf-0.82.SNAPSHOT.schema.json"}
    base = "http://cyclonedx.org/schema/"
    registry = referencing.Registry().with_resources(
        [(base + alias, read(file)) for short, file in names.items() for alias in (short, file)])
    schema = read("bom-1.6.SNAPSHOT.schema.json").contents
    validator = jsonschema.Draft7Validator(schema, registry=registry)
    return [f"{'/'.join(map(str, e.path))}: {e.message[:200]}" for e in validator.iter_errors(sbom)]


def check_bill(sbom):
    """What must hold of any bill."""
    problems = check_schema(sbom) or []
    content = {key: sbom[key] for key in ("metadata", "components", "dependencies")}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).digest()
    if sbom.get("serialNumber") != f"urn:uuid:{uuid.UUID(bytes=digest[:16], version=5)}":
        problems.append("the serial number is not that of the content")
    if "timestamp" in sbom["metadata"]:
        problems.append("has a time: no two builds would be alike")
    references = [c["bom-ref"] for c in sbom["components"]]
    if sorted(set(references)) != references or sbom["dependencies"][0]["dependsOn"] != references:
        problems.append("components are not in order, or twice there, or not what berth depends on")
    for component in sbom["components"]:
        name, use = component["name"], use_of(component)
        if use != "beside" and not ("version" in component and component.get("licenses")):
            problems.append(f"{name}: no version, or no licence")
        if "LicenseRef-unknown" in json.dumps(component):
            problems.append(f"{name}: no row of SHARED in tools/make_sbom.py says its licence")
        if use == "page" and "hashes" not in component:
            problems.append(f"{name}: not pinned in viewer/package-lock.json")
    return problems


def check_complete(sbom, sources_shared, sources_inside, sources_read):
    """Source packages: of the bill's shared libraries and of those inside, against what was read and linked."""
    problems = [f"the compiler or linker has read from {name}, which the bill does not know"
                for name in sorted(sources_read - sources_shared - sources_inside)]
    problems += [f"{name} should be inside, and nothing of it was read"
                 for name in sorted(sources_inside - sources_read)]
    return problems


def check_licences(sbom, text):
    problems = []
    for component in sbom["components"]:
        if use_of(component) not in ("inside", "page"):
            continue
        title = f"{component['name']} {component['version']} ("
        parts = re.split(r"^=+\n(.*)\n=+\n", text, flags=re.MULTILINE)
        texts = [parts[i + 1] for i in range(1, len(parts) - 1, 2) if parts[i].startswith(title)]
        if not texts or len(texts[0].strip()) < SHORTEST:
            problems.append(f"{component['name']}: its licence is not among the licences")
    return problems


def check_page(name, page, licences):
    """A page that has code of a library has its notice too."""
    flat = re.sub(r"\s+", " ", page)
    problems = []
    for library, mark in MARKS.items():
        text = re.sub(r"\s+", " ", licences.get(library, "").replace("--", "- -")).strip()
        if mark.search(page) and (len(text) < SHORTEST or text not in flat):
            problems.append(f"{name}: has {library} inside, but not its notice")
    return problems


def check_build(root, build):
    sbom = json.loads((build / "berth.cdx.json").read_text(encoding="utf-8"))
    problems = check_bill(sbom)
    by_use = {use: {package_of(c) for c in sbom["components"] if use_of(c) == use} - {None}
              for use in ("shared", "inside")}
    if not by_use["shared"] or not needed_by(build / "berth"):
        problems.append("the program asks for shared libraries, and the bill has none")
    if (build / "build.ninja").is_file():
        headers, commands = read_by_compiler(build)
        archives = set(re.findall(r"(/usr/\S+\.a)\b", commands))
        packages = packages_of(headers | archives)
        if None in packages:
            problems.append("the compiler has read a header that belongs to no package")
        read = {source_of(p) for p in packages - {None}
                if not TOOLCHAIN.fullmatch(p) and not DECLARATIONS.fullmatch(p)}
        problems += check_complete(sbom, {source_of(p) for p in by_use["shared"]},
                                   {source_of(p) for p in by_use["inside"]}, read)
    problems += check_licences(sbom, (build / "berth.licences.txt").read_text(encoding="utf-8"))

    lock = json.loads((root / "viewer/package-lock.json").read_text(encoding="utf-8"))["packages"]
    bundled = {path.removeprefix("node_modules/") for path, row in lock.items() if path and not row.get("dev")}
    modules = build / "viewer/node_modules"
    if modules.is_dir():
        if bundled != set(MARKS):
            problems.append(f"MARKS has no row for {sorted(bundled ^ set(MARKS))}")
        texts = {name: (modules / name / "LICENSE").read_text(encoding="utf-8") for name in sorted(bundled)}
        for page in sorted((build / "viewer/dist").glob("*.html")):
            problems += check_page(page.name, page.read_text(encoding="utf-8"), texts)
        if bundled != {c["name"] for c in sbom["components"] if use_of(c) == "page"}:
            problems.append("the bill has other libraries in pages than package-lock.json has for them")
    return problems


def check_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        def read(ending):
            found = [n for n in archive.namelist() if n.endswith(ending)]
            return archive.read(found[0]).decode() if found else None
        bill, licences = read(".dist-info/sboms/berth.cdx.json"), read(".dist-info/licenses/THIRD_PARTY.txt")
        own = read(".dist-info/licenses/LICENSE")
    if not (bill and licences and own):
        return ["the wheel has no bill, no licences of others or no LICENSE"]
    sbom = json.loads(bill)
    problems = check_bill(sbom) + check_licences(sbom, licences)
    inside = {c["name"] for c in sbom["components"] if use_of(c) == "inside"}
    for name in ("hdf5", "zlib", "libaec", "nanobind", "robin-map", "boost-context"):
        if name not in inside:
            problems.append(f"{name} is inside, and not in the bill")
    return problems


# --- itself -----------------------------------------------------------------------------------------------

def test_itself():
    from make_sbom import SHARED, bill, finish, licence_of, licences
    part = finish({"type": "library", "name": "fmt", "version": "9", "licenses": licence_of("MIT")}, "inside")
    good = bill("program", "1.0", [part])
    assert check_bill(good) == [], check_bill(good)
    assert check_bill(good | {"serialNumber": "urn:uuid:" + "0" * 8 + "-0000-5000-8000-" + "0" * 12})
    assert check_bill(bill("program", "1.0", [{k: v for k, v in part.items() if k != "version"}]))
    assert check_bill(bill("program", "1.0", [part | {"licenses": licence_of("LicenseRef-unknown")}]))
    if check_schema(good) is not None:
        for licence in {row[0] for row in CONTAINED.values()} | {row[1] for row in SHARED.values()}:
            assert check_schema(bill("program", "1.0", [part | {"licenses": licence_of(licence)}])) == [], licence
        assert check_schema(bill("program", "1.0", [part | {"licenses": licence_of("My-Licence")}]))
    assert check_complete(good, {"a"}, {"b"}, {"a", "b"}) == []
    assert check_complete(good, {"a"}, {"b"}, {"b", "c"})
    assert check_complete(good, {"a"}, {"b"}, {"a"})
    text = "x" * SHORTEST
    assert check_licences(good, licences("1.0", [("fmt 9 (MIT)", text)])) == []
    assert check_licences(good, licences("1.0", [("fmt 9 (MIT)", "see elsewhere")]))
    assert check_licences(good, licences("1.0", [("fmt 8 (MIT)", text)]))
    page = "<script>class WebGLRenderer{}</script>"
    assert check_page("p", page, {"three": text})
    assert check_page("p", page + f"<!-- {text} -->", {"three": text}) == []
    assert check_page("p", "<script></script>", {"three": text}) == []


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        test_itself()
        print("finds what it should")
        return
    if len(arguments) != 2:
        sys.exit(__doc__)
    if arguments[0] == "--wheel":
        problems = check_wheel(Path(arguments[1]))
    else:
        problems = check_build(Path(arguments[0]), Path(arguments[1]))
    print("\n".join(problems) or "the bill of materials is complete, and licences are where they should be")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
