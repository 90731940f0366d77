# SPDX-License-Identifier: Apache-2.0
# Short names for what is done often. Each installs the Debian packages it needs first.

JOBS := $(shell nproc)

# The interpreter of the tests, with what they use (tools/setup.sh test).
PYTHON := -DBERTH_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/build/venv/bin/python

.DEFAULT_GOAL := help
.PHONY: build test bench soak fuzz wheel run sheet format clean help

# The tests stay switched on once they are, so that no target makes another build again.
build:
	@tools/setup.sh build
	@test -f build/CMakeCache.txt || cmake --preset release -DBERTH_TESTS=OFF
	@cmake --build build -j $(JOBS) --target program

test:
	@tools/setup.sh test
	@cmake --preset release -DBERTH_TESTS=ON $(PYTHON)
	@cmake --build build -j $(JOBS) --target program berth_tests berth_tests_sanitized berth_python
	@ctest --test-dir build -j $$((2 * $(JOBS))) --output-on-failure

bench:
	@tools/setup.sh bench
	@test -f build/CMakeCache.txt || cmake --preset release -DBERTH_TESTS=OFF
	@cmake --preset release -DBERTH_BENCH=ON
	@cmake --build build -j $(JOBS) --target berth_bench
	@build/bench/berth_bench

soak:
	@tools/setup.sh test
	@cmake --preset release -DBERTH_TESTS=ON $(PYTHON)
	@cmake --build build -j $(JOBS) --target berth_tests berth_tests_all_sanitized berth_python berth_python_sanitized
	@ctest --test-dir build -C soak -L soak --verbose

# So many seconds a target: make fuzz SECONDS=600
SECONDS := 60
fuzz:
	@tools/setup.sh fuzz
	@cmake --preset fuzz
	@cmake --build build-fuzz -j $(JOBS) --target fuzzers
	@tools/run_fuzz.py build-fuzz --seconds $(SECONDS)

wheel:
	@tools/setup.sh build
	@tools/wheel.sh

run: build
	@build/berth run scenarios/docking.toml

sheet: build
	@tools/setup.sh test
	@node tools/first_screens.mjs build/viewer build/berth scenarios docs/images/first_screens.jpg

format:
	@tools/setup.sh test
	@tools/format.sh

clean:
	@rm -rf build build-dev build-debug build-fuzz

help:
	@echo "make build    the library and the program, in build/"
	@echo "make test     every test; readers and the loop once more under sanitizers"
	@echo "make bench    table of speeds, peers included"
	@echo "make soak     the tests, long; all of them under sanitizers; toy parts of every kind"
	@echo "make fuzz     readers of files and datagrams under libFuzzer, SECONDS=60 each"
	@echo "make wheel    the Python package for other machines, in dist/"
	@echo "make run      the flagship scenario"
	@echo "make sheet    first screens of all scenarios' pages, for the documentation"
	@echo "make format   lay out the sources"
	@echo "make clean    remove the build folders"
