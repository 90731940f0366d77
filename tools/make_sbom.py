#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what a program or module of berth is made of: a bill of materials (CycloneDX 1.6, JSON), and the licences of
the parts of others that are inside it.

usage: make_sbom.py --kind program|module --binary FILE --version VERSION [--contains NAME,NAME…]
         [--page TEMPLATE]… [--nanobind FOLDER] --root ROOT --sbom FILE --licences FILE

--contains names libraries of CONTAINED that are linked from archives or compiled from headers; tools/check_sbom.py
compares them with what the compiler has read. Shared libraries are those that the file asks for, libraries of the
pages those that the bundler has listed beside each (viewer/vite.config.ts). Versions and texts of licences come from
the packages they were installed with. The same input gives the same bytes: no times, a serial number of the content.
"""

import argparse
import base64
import hashlib
import json
import re
import subprocess
import sys
import sysconfig
import uuid
from pathlib import Path

# Of others and inside: licence, the Debian package that has headers or archive and, where its copyright file is about
# many libraries, the folder of this one.
CONTAINED = {
    "eigen": ("MPL-2.0", "libeigen3-dev"),
    "fmt": ("MIT", "libfmt-dev"),
    "tomlplusplus": ("MIT", "libtomlplusplus-dev"),
    "nlohmann-json": ("MIT", "nlohmann-json3-dev"),
    "cli11": ("BSD-3-Clause", "libcli11-dev"),
    "cpp-httplib": ("MIT", "libcpp-httplib-dev"),
    "boost-context": ("BSL-1.0", "libboost-context1.74-dev", "libs/context/"),
    "hdf5": ("HDF5", "libhdf5-dev"),
    "libaec": ("BSD-2-Clause", "libaec-dev"),
    "zlib": ("Zlib", "zlib1g-dev"),
    "nanobind": ("BSD-3-Clause", None),
    "robin-map": ("MIT", None),
}
# Of others and outside: beginning of the shared library's name.
SHARED = {
    "libhdf5": ("hdf5", "HDF5"),
    "libfmt": ("fmt", "MIT"),
    "libtomlplusplus": ("tomlplusplus", "MIT"),
    "libcpp-httplib": ("cpp-httplib", "MIT"),
    "libcairo": ("cairo", "LGPL-2.1-only OR MPL-1.1"),
    "libstdc++": ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libgcc_s": ("libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libc": ("glibc", "LGPL-2.1-or-later"),
    "libm": ("glibc", "LGPL-2.1-or-later"),
    "libdl": ("glibc", "LGPL-2.1-or-later"),
    "libpthread": ("glibc", "LGPL-2.1-or-later"),
    "ld-linux": ("glibc", "LGPL-2.1-or-later"),
}


def ask(*command):
    """What a command prints; nothing where it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


# --- Debian -------------------------------------------------------------------------------------------

def distribution():
    try:
        text = Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return "linux", ""
    values = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, re.MULTILINE))
    return values.get("ID", "linux"), values.get("VERSION_ID", "")


def installed(package):
    """Version and architecture of a package; None where it is not installed from one."""
    # Of a package for several architectures the first is this machine's.
    lines = ask("dpkg-query", "-W", "-f", "${Version} ${Architecture}\n", package).splitlines()
    return lines[0].split() if lines else None


def debian_component(name, licence, package, use):
    component = {"type": "library", "name": name, "licenses": licence_of(licence)}
    found = installed(package)
    if found:
        version, architecture = found
        family, release = distribution()
        quoted = version.replace(":", "%3A").replace("+", "%2B")
        component["version"] = version
        component["purl"] = f"pkg:deb/{family}/{package.split(':')[0]}@{quoted}?arch={architecture}&distro={family}-{release}"
    return finish(component, use)


def find_owner(library):
    """The package that a shared library of this machine belongs to."""
    machine = sysconfig.get_config_var("MULTIARCH") or ""
    for line in ask("dpkg-query", "-S", f"*/{library}").splitlines():
        package, _, path = line.partition(": ")
        if machine in path:
            return package
    return None


# --- components -----------------------------------------------------------------------------------------

def licence_of(text):
    if " " in text or text.startswith("LicenseRef-"):
        return [{"expression": text}]
    return [{"license": {"id": text}}]


def finish(component, use):
    """Where it is in the product, and a name to point to."""
    component["properties"] = [{"name": "berth:use", "value": use}]
    component["bom-ref"] = component.get("purl", component["name"]) + "#" + use
    return component


def needed_by(binary):
    return re.findall(r"\(NEEDED\).*\[(.+)\]", ask("readelf", "-dW", str(binary)))


def shared_components(binary):
    found = {}
    for library in needed_by(binary):
        stem = next((s for s in sorted(SHARED, key=len, reverse=True)
                     if re.match(re.escape(s) + r"([-._0-9]|$)|" + re.escape(s) + "_", library)), None)
        name, licence = SHARED[stem] if stem else (library, "LicenseRef-unknown")
        package = find_owner(library)
        component = debian_component(name, licence, package or library, "shared")
        found[component["bom-ref"]] = component
    return list(found.values())


def nanobind_version(folder):
    found = sorted(folder.parent.glob("nanobind-*.dist-info")) if folder else []
    return found[-1].name.split("-")[1].removesuffix(".dist") if found else None


def robin_map_version(nanobind):
    file = nanobind / "ext/robin_map/include/tsl/robin_growth_policy.h" if nanobind else Path()
    numbers = re.findall(r"TSL_RH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", file.read_text()) if file.is_file() else []
    return ".".join(numbers) or None


def contained_components(names, nanobind):
    result = []
    for name in names:
        licence, package = CONTAINED[name][:2]
        if package:
            result.append(debian_component(name, licence, package, "inside"))
        else:
            component = {"type": "library", "name": name, "licenses": licence_of(licence)}
            version = nanobind_version(nanobind) if name == "nanobind" else robin_map_version(nanobind)
            if version:
                component["version"] = version
                component["purl"] = f"pkg:{'pypi' if name == 'nanobind' else 'generic'}/{name}@{version}"
            result.append(finish(component, "inside"))
    return result


def page_components(libraries, root):
    """Libraries bundled into the pages, with the digest that the lock file pins."""
    lock = root / "viewer/package-lock.json"
    pinned = json.loads(lock.read_text(encoding="utf-8"))["packages"] if lock.is_file() else {}
    result = []
    for library in libraries:
        purl = f"pkg:npm/{library['name'].replace('@', '%40')}@{library['version']}"
        component = {"type": "library", "name": library["name"], "version": library["version"],
                     "licenses": licence_of(library["licence"]), "purl": purl}
        integrity = pinned.get(f"node_modules/{library['name']}", {}).get("integrity", "")
        if integrity.startswith("sha512-"):
            digest = base64.b64decode(integrity.removeprefix("sha512-")).hex()
            component["hashes"] = [{"alg": "SHA-512", "content": digest}]
        result.append(finish(component, "page"))
    return result


def python_components(root):
    """What pip brings beside the package: ranges, not versions."""
    try:
        import tomllib
    except ImportError:  # before 3.11
        import tomli as tomllib
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [(line, "required") for line in project["dependencies"]]
    for extra in sorted(project["optional-dependencies"]):
        wanted += [(line, "optional") for line in project["optional-dependencies"][extra]]
    result = []
    for line, scope in wanted:
        name = re.match(r"[\w.-]+", line).group()
        component = finish({"type": "library", "name": name, "scope": scope, "purl": f"pkg:pypi/{name}"}, "beside")
        component["properties"].append({"name": "berth:requirement", "value": line})
        result.append(component)
    return result


def bill(kind, version, components):
    components = sorted(components, key=lambda c: c["bom-ref"])
    system = "pypi" if kind == "module" else "generic"
    product = {
        "type": "library" if kind == "module" else "application",
        "bom-ref": "berth",
        "name": "berth",
        "version": version,
        "licenses": licence_of("Apache-2.0"),
        "purl": f"pkg:{system}/berth@{version}",
    }
    content = {
        "metadata": {"component": product},
        "components": components,
        "dependencies": [{"ref": "berth", "dependsOn": [c["bom-ref"] for c in components]}],
    }
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).digest()
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.UUID(bytes=digest[:16], version=5)}",
        "version": 1,
    } | content


# --- licences -------------------------------------------------------------------------------------------

def stanzas_about(text, inside):
    """Of a copyright file in Debian's format: what it says of the files below `inside`, and the licences named."""
    about, licences, wanted = [], {}, set()
    for stanza in re.split(r"\n\s*\n", text):
        files = re.match(r"Files:((?:.*\n)(?:[ \t].*\n)*)", stanza + "\n")
        licence = re.search(r"^License:\s*(.*)$", stanza, re.MULTILINE)
        if files and any(f.startswith(inside) for f in files.group(1).split()):
            about.append(stanza[files.end():].strip())
            wanted.update(re.split(r"\s+(?:and|or)\s+", licence.group(1)) if licence else ())
        elif stanza.startswith("License:") and licence:
            licences[licence.group(1).strip()] = stanza.strip()
    return "\n\n".join(about + [licences[name] for name in sorted(wanted) if name in licences])


def licence_text(name, nanobind):
    package, *inside = CONTAINED[name][1:]
    if package:
        file = Path("/usr/share/doc") / package / "copyright"
    elif name == "nanobind" and nanobind:
        file = next(iter(sorted(nanobind.parent.glob("nanobind-*.dist-info/licenses/LICENSE"))), Path())
    elif nanobind:  # its licence is the comment that its header begins with
        file = nanobind / "ext/robin_map/include/tsl/robin_map.h"
    else:
        file = Path()
    if not file.is_file():
        return f"The text was not on the machine that berth was built on; its SPDX identifier is {CONTAINED[name][0]}."
    text = file.read_text(encoding="utf-8")
    if inside:
        text = stanzas_about(text, inside[0])
    if file.suffix == ".h":
        text = "\n".join(line.strip("/* ") for line in text[:text.index("*/")].splitlines())
    return text.strip()


def licences(version, texts):
    rule = "=" * 80
    listing = "\n".join(f"  {title}" for title, _ in texts)
    parts = "".join(f"\n\n{rule}\n{title}\n{rule}\n\n{text}\n" for title, text in texts)
    return (f"berth {version} (Apache-2.0) has parts of these libraries inside. Below is what their packages say\n"
            f"of their licences.\n\n{listing}{parts}")


def title_of(component):
    licence = component["licenses"][0]
    licence = licence.get("expression") or licence["license"]["id"]
    return " ".join(filter(None, (component["name"], component.get("version"), f"({licence})")))


def read_page_libraries(pages):
    found = {}
    for page in pages:
        listing = page.with_name(page.name + ".json")
        if listing.is_file():  # a plain page has no libraries
            for library in json.loads(listing.read_text(encoding="utf-8")):
                found[library["name"]] = library
    return [found[name] for name in sorted(found)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", choices=("program", "module"), required=True)
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--contains", default="")
    parser.add_argument("--page", type=Path, action="append", default=[])
    parser.add_argument("--nanobind", type=Path)
    for name in ("--root", "--sbom", "--licences"):
        parser.add_argument(name, type=Path, required=True)
    options = parser.parse_args()
    names = sorted(filter(None, options.contains.split(",")))
    unknown = [name for name in names if name not in CONTAINED]
    if unknown:
        sys.exit(f"make_sbom.py: no row in CONTAINED for {', '.join(unknown)}")

    libraries = read_page_libraries(options.page)
    inside = contained_components(names, options.nanobind)
    bundled = page_components(libraries, options.root)
    components = inside + bundled + shared_components(options.binary)
    if options.kind == "module":
        components += python_components(options.root)
    texts = [(title_of(c), licence_text(c["name"], options.nanobind)) for c in inside]
    texts += [(title_of(c), library["text"]) for c, library in zip(bundled, libraries)]
    written = json.dumps(bill(options.kind, options.version, components), indent=1, ensure_ascii=False) + "\n"
    options.sbom.write_text(written, encoding="utf-8")
    options.licences.write_text(licences(options.version, texts), encoding="utf-8")


if __name__ == "__main__":
    main()
