// SPDX-License-Identifier: Apache-2.0
#include "berth/app/facility_command.h"

#include <filesystem>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "berth/app/study_output.h"
#include "berth/live/facility_session.h"
#include "berth/live/hmac.h"
#include "berth/program/process.h"
#include "berth/record/queued_sink.h"
#include "berth/record/recording.h"

namespace berth {
namespace {

nlohmann::ordered_json to_session_json(const FacilitySession::End& end,
                                       const FacilityStatistics& n) {
  return {{"verdict", end.verdict},
          {"reason", end.reason},
          {"time", end.t},
          {"ticks", n.ticks},
          {"repeated", n.repeated},
          {"lost", n.lost},
          {"refused", n.refused},
          {"strangers", n.strangers},
          {"force_peak", n.force_peak},
          {"tracking_error", n.tracking_error}};
}

std::string describe_session(const FacilitySession::End& end, const FacilityStatistics& n) {
  return fmt::format(
      "{}{}{}\n"
      "  ticks        {} answered, {} of them again, {} lost\n"
      "  dropped      {} that were none of this session, {} from elsewhere\n"
      "  force        {:.6g} N at most\n"
      "  tracking     {:.4g} mm at most from where the robots were commanded\n",
      end.verdict, end.reason.empty() ? "" : ": ", end.reason, n.ticks, n.repeated, n.lost,
      n.refused, n.strangers, n.force_peak, 1e3 * n.tracking_error);
}

}  // namespace

CLI::App& FacilityCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("facility", "emulate the laboratory that berth live talks to");
  file.add_to(c);
  c.add_option("--listen", listen, "HOST:PORT, or PORT of this machine; port 0: one that is free");
  c.add_option("--key", key, "file with a key that both sides share: datagrams are authenticated");
  c.add_option("--wait", wait, "for a run to begin [s]")->check(CLI::Range(0.01, 1e9));
  c.add_option("--timeout", timeout, "of silence, after which the run is over [s]")
      ->check(CLI::Range(0.01, 1e6));
  c.add_flag("--keep", keep, "serve one run after the other");
  c.add_option("-o,--out", out, "record of the robots; default: NAME_facility.h5 here");
  c.add_flag("--no-out", no_out, "write no record");
  c.add_flag("--json", json, "print the summary as one JSON object");
  c.add_flag("--quiet", quiet, "no summary");
  return c;
}

int FacilityCommand::run() {
  ReadScenario read = read_scenario(file.file, file.overrides);
  std::optional<LiveSetup> setup;
  std::optional<Facility> facility;
  if (read.problems.empty()) setup = build_live(std::move(read.scenario), {}, read.problems);
  if (setup) facility = Facility::build(*setup, read.problems);
  if (!facility) return refuse(read.problems);
  FacilityOptions options{wait, timeout, {}, is_asked_to_end};
  std::optional<UdpSocket> socket;
  try {
    if (!key.empty()) options.key = read_key(key);
    socket.emplace(UdpAddress::find(listen));
  } catch (const std::exception& e) {
    complain("{}\n", e.what());
    return kBadInput;
  }
  const std::filesystem::path h5 =
      out.empty() ? std::filesystem::path(file.file).stem().string() + "_facility.h5" : out;
  Problems problems{file.file, {}};
  if (!no_out) StudyFiles{.h5 = h5, .role = "record"}.check(problems);
  if (!problems.empty()) return refuse(problems);
  // Who starts it reads where to send to.
  print(fmt::format("listening on {}\n", socket->local().text()));
  std::fflush(stdout);
  const std::string scenario_text = write_scenario(setup->scenario);
  for (;;) {
    FacilitySession session(*setup, *facility, *socket, options);
    std::shared_ptr<RowSink> sink;
    if (!no_out) sink = std::make_shared<QueuedSink>(std::make_shared<Recording>(h5));
    const int group = sink ? sink->add_group("", FacilitySession::channels()) : 0;
    const FacilitySession::End end = session.serve(sink.get(), group);
    const nlohmann::ordered_json summary = to_session_json(end, session.statistics());
    if (sink) sink->finish(scenario_text, summary.dump());
    if (json) {
      print(summary.dump() + "\n");
    } else if (!quiet) {
      print(describe_session(end, session.statistics()));
    }
    std::fflush(stdout);
    const bool goes_on = keep && !is_asked_to_end() && end.verdict != "interrupted";
    if (!goes_on) return end.verdict == "stopped_by_peer" ? kDone : kStopped;
  }
}

}  // namespace berth
