// SPDX-License-Identifier: Apache-2.0
#include "berth/app/chromium.h"

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "berth/compile/program.h"

namespace berth {
namespace {

using Json = nlohmann::json;

std::vector<std::string> command_line(const std::string& program, const std::string& profile,
                                      int width, int height) {
  std::vector<std::string> words = {program,
                                    "--headless=new",
                                    "--remote-debugging-pipe",
                                    "--user-data-dir=" + profile,
                                    "--no-first-run",
                                    "--disable-extensions",
                                    "--disable-background-networking",
                                    "--hide-scrollbars",
                                    "--use-angle=swiftshader",
                                    "--enable-unsafe-swiftshader",
                                    "--force-device-scale-factor=1",
                                    fmt::format("--window-size={},{}", width, height)};
  if (::geteuid() == 0) words.emplace_back("--no-sandbox");  // it refuses to run as root with one
  words.emplace_back("about:blank");
  return words;
}

std::string from_base64(const std::string& text) {
  const auto value = [](char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
  };
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const int v = value(c);
    if (v < 0) continue;
    bits = bits << 6 | static_cast<unsigned>(v);
    if ((count += 6) < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 255u);
  }
  return out;
}

}  // namespace

std::string find_chromium() {
  const char* given = std::getenv("CHROMIUM");
  return find_program({given ? given : "", "chromium", "chromium-browser", "google-chrome",
                       "google-chrome-stable"});
}

// Chromium reads from its descriptor 3 and writes to 4.
Chromium::Chromium(const std::string& program, const std::string& address, int width, int height)
    : child_(command_line(program, profile_.path().string(), width, height), 3, 4) {
  // The tab it begins with: another would be hidden, and hidden tabs draw nothing.
  std::string tab;
  for (int i = 0; i < 100 && tab.empty(); ++i) {
    const Json targets = call("Target.getTargets", Json::object());
    for (const Json& t : targets.at("targetInfos"))
      if (t.value("type", "") == "page") tab = t.value("targetId", "");
    if (tab.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  session_ = call("Target.attachToTarget", {{"targetId", tab}, {"flatten", true}}).at("sessionId");
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  call("Page.enable", Json::object());
  call("Page.navigate", {{"url", address}});
}

Chromium::~Chromium() {
  try {
    session_.clear();
    call("Browser.close", Json::object());
    child_.wait();
  } catch (const std::exception&) {  // it is killed
  }
}

Json Chromium::call(const std::string& method, const Json& parameters) {
  Json request = {{"id", ++number_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) request["sessionId"] = session_;
  child_.write(request.dump());
  child_.write(std::string_view("\0", 1));
  for (;;) {
    const Json answer = Json::parse(child_.read_message());
    if (answer.value("id", 0) != number_) continue;  // news that nobody asked for
    if (answer.contains("error"))
      throw std::runtime_error(
          fmt::format("chromium: {}: {}", method, answer["error"].value("message", "")));
    return answer.value("result", Json::object());
  }
}

Json Chromium::evaluate(const std::string& expression) {
  const Json result =
      call("Runtime.evaluate",
           {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (result.contains("exceptionDetails"))
    throw std::runtime_error(
        "the page: " + result["exceptionDetails"].value("text", std::string("cannot be drawn")));
  return result.at("result").value("value", Json());
}

std::string Chromium::take_picture() {
  return from_base64(
      call("Page.captureScreenshot", {{"format", "png"}}).at("data").get<std::string>());
}

}  // namespace berth
