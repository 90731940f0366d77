// SPDX-License-Identifier: Apache-2.0
#include "berth/app/film_command.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>

#include "berth/app/chromium.h"
#include "berth/app/progress.h"
#include "berth/compile/program.h"
#include "berth/compile/temporary_folder.h"
#include "berth/interruption.h"
#include "berth/program/output_list.h"
#include "berth/record/input_file.h"
#include "berth/record/record_error.h"
#include "berth/report/page.h"

namespace berth {
namespace {

// Until the scene of the page is there; false: it has none.
bool wait_for_scene(Chromium& browser) {
  for (int i = 0; i < 600; ++i) {
    stop_if_interrupted();
    const nlohmann::json state =
        browser.evaluate("window.berthFilm ? berthFilm.state() : 'loading'");
    if (state == "ready") return true;
    if (state == "no scene") return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw std::runtime_error("the page does not come up in the browser");
}

// A film that is not whole goes, however its making ends.
struct UnfinishedFilm {
  std::filesystem::path path;
  ~UnfinishedFilm() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove(path, ignored);
  }
};

}  // namespace

CLI::App& FilmCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("film", "make a film of the scene of a recorded run");
  c.add_option("RESULT", file, "result file (HDF5)")->required();
  c.add_option("-o,--out", out, "the film, .mp4 or .webm; default: that of the result, .mp4");
  c.add_option("--view", view, "camera")
      ->check(CLI::IsMember({"chase", "port", "cutaway", "free"}));
  c.add_option("--from", from, "[s] first time; default: the start of the run");
  c.add_option("--to", to, "[s] last time; default: its end");
  c.add_option("--speed", speed, "time of the run per time of the film")
      ->check(CLI::PositiveNumber);
  c.add_option("--width", width, "[px]")->check(CLI::Range(64, 3840));
  c.add_option("--height", height, "[px]")->check(CLI::Range(64, 2160));
  c.add_option("--rate", rate, "[1/s] frames")->check(CLI::Range(1, 120));
  c.add_flag("--quiet", quiet, "say nothing");
  return c;
}

int FilmCommand::run() {
  constexpr double longest = 3600;  // [s] of film
  if (out.empty()) out = std::filesystem::path(file).replace_extension(".mp4").string();
  const std::string ending = std::filesystem::path(out).extension().string();
  const auto refuse_with = [](const std::string& why) {
    complain("berth: {}\n", why);
    return kBadInput;
  };
  if (ending != ".mp4" && ending != ".webm")
    return refuse_with(fmt::format("--out {}: a film ends in .mp4 or .webm", out));
  if (width % 2 != 0 || height % 2 != 0)
    return refuse_with("--width and --height must be even numbers");
  note_input("result", file);
  OutputList outputs;
  outputs.add("--out", "film", out);
  Problems problems;
  outputs.check(problems);
  if (!problems.empty()) return refuse(problems);
  double begin = 0, end = 0;
  try {
    const ResultFile result(file);
    begin = from.value_or(0);
    end = to.value_or(result.summary.value("time", result.given.time.stop));
    if (!result.has_scene()) return refuse_with(file + " has no scene: it was not recorded");
  } catch (const RecordError& e) {
    return refuse_with(e.what());
  }
  note_unverified(file);
  if (!(begin < end))
    return refuse_with(fmt::format("--from {} is not before --to {}", begin, end));
  if ((end - begin) / speed > longest)
    return refuse_with(
        fmt::format("{:.0f} s are too long for a film: choose --from, --to or a higher --speed",
                    (end - begin) / speed));
  const std::string chromium = find_chromium(), ffmpeg = find_program({"ffmpeg"});
  if (chromium.empty() || ffmpeg.empty()) {
    complain(
        "berth: a film needs {}, which {} not installed here (Debian: apt-get install "
        "chromium ffmpeg)\n",
        chromium.empty() ? ffmpeg.empty() ? "chromium and ffmpeg" : "chromium" : "ffmpeg",
        chromium.empty() && ffmpeg.empty() ? "are" : "is");
    return kStopped;
  }

  const auto frames = static_cast<int>(std::floor((end - begin) / speed * rate + 1e-9)) + 1;
  const TemporaryFolder folder;
  const std::filesystem::path page = folder.path() / "film.html";
  write_page({file}, page);
  Chromium browser(chromium, "file://" + page.string() + "#film=" + view, width, height);
  if (!wait_for_scene(browser)) return refuse_with(file + " has no scene");
  // Beside the film until it is whole.
  UnfinishedFilm part{
      std::filesystem::path(out).parent_path() /
      fmt::format(".{}.part{}", std::filesystem::path(out).filename().string(), ending)};
  std::vector<std::string> words = {ffmpeg, "-y",         "-loglevel",  "error",
                                    "-f",   "image2pipe", "-framerate", std::to_string(rate),
                                    "-c:v", "png",        "-i",         "-"};
  const std::vector<std::string> codec =
      ending == ".mp4" ? std::vector<std::string>{"-c:v", "libx264", "-preset",   "medium",
                                                  "-crf", "18",      "-movflags", "+faststart"}
                       : std::vector<std::string>{"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0"};
  words.insert(words.end(), codec.begin(), codec.end());
  words.insert(words.end(), {"-pix_fmt", "yuv420p", part.path.string()});
  Child encoder(words, 0, -1);
  Progress progress(end - begin, !quiet);
  for (int i = 0; i < frames; ++i) {
    stop_if_interrupted();
    browser.evaluate(
        fmt::format("berthFilm.show({:.17g})", std::min(end, begin + i * speed / rate)));
    encoder.write(browser.take_picture());
    progress.show(i * speed / rate);
  }
  progress.end();
  if (encoder.wait() != 0) {
    complain("berth: ffmpeg could not write {}\n", out);
    return kStopped;
  }
  std::filesystem::rename(std::exchange(part.path, {}), out);
  if (!quiet)
    print(fmt::format("Wrote {}: {} frames, {:.1f} s at {}x{}\n", out, frames,
                      static_cast<double>(frames) / rate, width, height));
  return kDone;
}

}  // namespace berth
