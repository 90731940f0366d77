# SPDX-License-Identifier: Apache-2.0
"""Results: channels as arrays, tables, events, summaries, files."""

import gc
import pickle

import numpy as np
import pytest

import berth


def test_channel_is_an_array_without_a_copy(docking):
    force = docking["tip.force"]
    assert isinstance(force, np.ndarray)
    assert force.shape == docking.t.shape
    assert force.unit == "N"
    assert not force.flags.owndata and not force.flags.writeable
    again = docking["tip.force"]
    assert np.shares_memory(force, again)
    omega = docking["servicer.omega_BN_B"]
    assert omega.shape == (len(docking.t), 3)
    assert (omega.unit, omega.frame) == ("rad/s", "B")
    np.testing.assert_array_equal(docking["servicer.omega_BN_B.y"], omega[:, 1])
    assert np.shares_memory(docking["servicer.omega_BN_B.y"], omega)
    with pytest.raises(ValueError):
        force[0] = 1


def test_arithmetic_gives_plain_arrays(docking):
    force = docking["tip.force"]
    for plain in (
        force + 1, 2 * force, -force, np.sqrt(force), force @ force, force > 3, np.diff(force),
        np.concatenate([force, force]), np.vstack([force, force]), np.cumsum(force),
        np.where(force > 1, force, 0),
        np.linalg.norm(docking["servicer.omega_BN_B"], axis=1), force.sum(), force.max(),
        np.interp(1.0, docking.t, force),
    ):  # fmt: skip
        assert type(plain) is not berth.Channel
    total = np.zeros(len(force))
    total += force
    assert type(total) is np.ndarray
    assert force[10:20].unit == "N"
    assert float(force[-1]) == force.tolist()[-1]


def test_arrays_outlive_the_result(scenarios):
    force = berth.load(scenarios / "bouncing_ball.toml").run()["row.side"]
    copy = np.array(force)
    gc.collect()
    np.testing.assert_array_equal(force, copy)


def test_summary_and_events(docking):
    assert docking.verdict == "captured"
    assert docking.outcome == "reached_end"
    assert docking.t_end == 400
    assert 0 <= docking.audit.energy < 1e-9
    assert docking.audit["energy"] == docking.audit.energy == docking.summary["audit.energy"]
    assert docking.summary.docks.joint.force_peak == docking.summary["docks.joint.force_peak"]
    assert docking.summary.unit("docks.joint.force_peak") == "N"
    with pytest.raises(berth.UnknownName, match="did you mean docks.joint.force_peak"):
        docking.summary["docks.joint.force_pea"]
    with pytest.raises(AttributeError):
        _ = docking.audit.enrgy
    touch = docking.events.find("contact_on")[0]
    assert 300 < touch.t < 350
    assert [e.t for e in docking.events] == sorted(e.t for e in docking.events)
    assert docking.events[0].t == docking.events[0].t
    with pytest.raises(KeyError):
        touch["nothing"]


def test_unknown_channels_name_the_nearest(docking):
    with pytest.raises(KeyError, match="did you mean tip.force"):
        docking["tip.forc"]
    for wrong in (None, 3, 1.5, b"tip.force", ["tip.force"], "", ".", "tip.force.x", "\x00", "\ud800"):
        with pytest.raises((KeyError, TypeError)):
            docking[wrong]
    assert "tip.force" in docking and "tip.forc" not in docking and 3 not in docking


def test_dataframe_has_unique_times(docking):
    frame = docking.to_dataframe(["tip.force", "servicer.omega_BN_B"])
    assert list(frame.columns) == [
        "tip.force", "servicer.omega_BN_B.x", "servicer.omega_BN_B.y", "servicer.omega_BN_B.z"
    ]  # fmt: skip
    assert frame.index.is_unique and frame.index.is_monotonic_increasing
    assert frame.attrs["units"]["tip.force"] == "N"
    both = docking.to_dataframe(["tip.force"], side="both")
    assert len(both) == len(docking.t) > len(frame)
    before = docking.to_dataframe("tip.force", side="before")
    assert before.index.is_unique and set(before.index) == set(frame.index)
    with pytest.raises(ValueError):
        docking.to_dataframe(side="left")
    assert "row.side" not in docking.to_dataframe().columns


def test_xarray(docking):
    data = (
        docking.to_xarray(["tip.force", "servicer.omega_BN_B", "servicer.q_BN"])
        if ("servicer.q_BN" in docking)
        else docking.to_xarray(["tip.force", "servicer.omega_BN_B"])
    )
    assert data["servicer.omega_BN_B"].dims == ("t", "xyz")
    assert data["tip.force"].attrs["units"] == "N"
    assert float(data["tip.force"].max()) == docking.to_dataframe("tip.force").max().item()
    assert len(docking.to_xarray().data_vars) == len(docking) - 1


def test_a_file_is_the_same_object(docking, tmp_path):
    docking.save(tmp_path / "x.h5")
    again = berth.open(str(tmp_path / "x.h5"))
    assert type(again) is type(docking)
    assert list(again) == list(docking)
    np.testing.assert_array_equal(again.t, docking.t)
    for name in docking:
        np.testing.assert_array_equal(again[name], docking[name])
        assert again[name].info == docking[name].info
    assert again.events == docking.events
    assert repr(dict(again.summary)) == repr(dict(docking.summary))
    assert again.scenario == docking.scenario
    again.save(tmp_path / "y.h5")
    assert (tmp_path / "x.h5").read_bytes() == (tmp_path / "y.h5").read_bytes()
    for wrong in ("none.h5", ".", "x.csv"):
        with pytest.raises(OSError):
            berth.open(tmp_path / wrong)
    (tmp_path / "bad.h5").write_bytes(b"no HDF5")
    with pytest.raises(OSError):
        berth.open(tmp_path / "bad.h5")
    with pytest.raises(ValueError):
        docking.save(tmp_path / "x.xlsx")


def test_results_can_be_pickled(scenarios):
    r = berth.load(scenarios / "bouncing_ball.toml").run()
    again = pickle.loads(pickle.dumps(r))
    np.testing.assert_array_equal(again.t, r.t)
    channel = pickle.loads(pickle.dumps(r[next(iter(r))]))
    assert channel.info == r[next(iter(r))].info


def test_reprs_are_worth_reading(docking):
    text = repr(docking)
    for part in ("captured", "reached_end at 400 s", "rows of", "Servicer docks"):
        assert part in text
    assert "<b>" in docking._repr_html_() and "captured" in docking._repr_html_()
    assert "N" in repr(docking["tip.force"]) and "tip.force" in repr(docking["tip.force"])
    assert "contact_on" in repr(docking.events)
    assert "docks.joint.force_peak" in repr(docking.summary)


def test_page(docking, tmp_path):
    text = docking.to_html(tmp_path / "page.html")
    assert text.lstrip().lower().startswith("<!doctype html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == text


def test_files_are_verified_and_damage_is_an_error(docking, tmp_path):
    assert docking.is_verified
    file = tmp_path / "x.h5"
    docking.save(file)
    assert berth.open(file).is_verified
    data = bytearray(file.read_bytes())
    at = data.index(docking["tip.force"].max().tobytes())
    data[at] ^= 1
    file.write_bytes(data)
    damaged = berth.open(file)
    with pytest.raises(OSError, match="damaged: /channels/tip.force"):
        damaged["tip.force"]
