// SPDX-License-Identifier: Apache-2.0
#include "berth/app/help_command.h"

#include <CLI/CLI.hpp>

#include "berth/version.h"

namespace berth {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}
bool is_positional(const CLI::Option& o) {
  return o.get_lnames().empty() && o.get_snames().empty();
}
std::vector<std::string> flags_of(const CLI::Option& o) {
  std::vector<std::string> out;
  for (const std::string& s : o.get_snames()) out.push_back("-" + s);
  for (const std::string& l : o.get_lnames()) out.push_back("--" + l);
  return out;
}
std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> out;
  for (const CLI::Option* o : command.get_options()) {
    const std::vector<std::string> own = flags_of(*o);
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}
// Files a command works on, by their endings.
std::string endings_of(const std::string& command) {
  if (command == "report" || command == "plot") return "h5";
  if (command == "run") return "toml|h5";
  return "toml";
}

std::string write_bash(const CLI::App& program) {
  std::string names, cases;
  for (const CLI::App* c : commands_of(program)) {
    names += (names.empty() ? "" : " ") + c->get_name();
    cases += fmt::format("    {}) flags=\"{}\"; endings=\"{}\" ;;\n", c->get_name(),
                         fmt::join(flags_of(*c), " "), endings_of(c->get_name()));
  }
  return fmt::format(R"sh(# bash completion for berth: source <(berth completion bash)
_berth() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} flags="" endings="toml"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -X "!*.@($endings)" -- "$word") $(compgen -d -- "$word")) ;;
  esac
}}
shopt -s extglob
complete -o filenames -F _berth berth
)sh",
                     names, cases);
}

// Quotes for the inside of '…' and the marks of _arguments.
std::string for_zsh(std::string text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string write_zsh(const CLI::App& program) {
  std::string names, cases;
  for (const CLI::App* c : commands_of(program)) {
    names += fmt::format("    '{}:{}'\n", c->get_name(), for_zsh(c->get_description()));
    cases += fmt::format("    {})\n      _arguments -s", c->get_name());
    for (const CLI::Option* o : c->get_options()) {
      if (is_positional(*o)) continue;
      for (const std::string& flag : flags_of(*o))
        cases += fmt::format(" \\\n        '{}[{}]{}'", flag, for_zsh(o->get_description()),
                             o->get_items_expected_max() > 0 ? ":value:_files" : "");
    }
    cases += fmt::format(" \\\n        '*:file:_files -g \"*.({})\"'\n      ;;\n",
                         endings_of(c->get_name()));
  }
  return fmt::format(R"sh(#compdef berth
# zsh completion for berth: berth completion zsh > a folder of $fpath/_berth
_berth() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_berth "$@"
)sh",
                     names, cases);
}

// Text as roff has it: a leading dot or quote is a request, a hyphen a dash.
std::string for_roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (out.empty() && (c == '.' || c == '\'')) {
      out += "\\&";
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string write_man(const CLI::App& program) {
  std::string out = fmt::format(
      ".TH BERTH 1 \"\" \"berth {}\" \"User commands\"\n.SH NAME\nberth \\- {}\n.SH SYNOPSIS\n.B "
      "berth\n.I COMMAND\n[OPTIONS] [FILE]\n.SH COMMANDS\n",
      version, "spacecraft docking from approach to release");
  for (const CLI::App* c : commands_of(program)) {
    out += fmt::format(".SS berth {}", c->get_name());
    for (const CLI::Option* o : c->get_options())
      if (is_positional(*o))
        out += o->get_required() ? " " + o->get_name() : " [" + o->get_name() + "]";
    out += "\n" + for_roff(c->get_description()) + "\n";
    for (const CLI::Option* o : c->get_options()) {
      if (is_positional(*o)) {
        out += fmt::format(".TP\n.I {}\n{}\n", o->get_name(), for_roff(o->get_description()));
        continue;
      }
      const std::string flags = fmt::format("{}", fmt::join(flags_of(*o), ", "));
      out += fmt::format(".TP\n.B {}\n{}\n", for_roff(flags), for_roff(o->get_description()));
    }
  }
  out += R"(.SH EXIT STATUS
.TP
.B 0
done, expectations met
.TP
.B 1
the run stopped early, an expectation failed or a file could not be written
.TP
.B 2
bad input: every problem is listed on standard error
.SH ENVIRONMENT
.TP
.B NO_COLOR
when set, nothing is coloured on a terminal
)";
  return out;
}

}  // namespace

CLI::App& CompletionCommand::add_to(CLI::App& app) {
  program = &app;
  CLI::App& c = *app.add_subcommand("completion", "print what a shell needs to complete berth");
  c.add_option("SHELL", shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  return c;
}
int CompletionCommand::run() {
  print(shell == "zsh" ? write_zsh(*program) : write_bash(*program));
  return kDone;
}

CLI::App& ManCommand::add_to(CLI::App& app) {
  program = &app;
  return *app.add_subcommand("man", "print the manual page: berth man | man -l -");
}
int ManCommand::run() {
  print(write_man(*program));
  return kDone;
}

}  // namespace berth
