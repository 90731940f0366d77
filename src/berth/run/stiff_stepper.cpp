// SPDX-License-Identifier: Apache-2.0
#include "berth/run/stiff_stepper.h"

#include "berth/integrate/radau.h"
#include "berth/run/archive.h"

namespace berth {
namespace {

// As Radau asks for it.
struct Rate {
  const StiffRate& rate;
  void operator()(double t, std::span<const double> x, std::span<double> x_dot) const {
    rate.f(t, x, x_dot);
  }
  void jacobian(double t, std::span<const double> x, Eigen::MatrixXd& J) const {
    rate.jacobian(t, x, {J.data(), static_cast<std::size_t>(J.size())});
  }
};

}  // namespace

struct StiffStepper::Impl {
  Radau radau;
};

StiffStepper::StiffStepper(std::size_t n, std::vector<Block> blocks,
                           const IntegratorOptions& options)
    : impl_(new Impl{Radau(n, std::move(blocks), options)}) {}
StiffStepper::~StiffStepper() = default;
StiffStepper::StiffStepper(const StiffStepper& other) : impl_(new Impl(*other.impl_)) {}
StiffStepper& StiffStepper::operator=(const StiffStepper& other) {
  impl_ = std::make_unique<Impl>(*other.impl_);
  return *this;
}
StiffStepper::StiffStepper(StiffStepper&&) noexcept = default;
StiffStepper& StiffStepper::operator=(StiffStepper&&) noexcept = default;

void StiffStepper::start(double t, std::span<const double> x) { impl_->radau.start(t, x); }
void StiffStepper::restart(double t, std::span<const double> x) { impl_->radau.restart(t, x); }
void StiffStepper::replace_state(std::span<const double> x) { impl_->radau.replace_state(x); }
StepOutcome StiffStepper::step(const StiffRate& rate, double t_limit) {
  return impl_->radau.step(Rate{rate}, t_limit);
}
void StiffStepper::interpolate(double t, std::span<double> out) const {
  impl_->radau.interpolate(t, out);
}
double StiffStepper::t() const { return impl_->radau.t(); }
double StiffStepper::t_previous() const { return impl_->radau.t_previous(); }
std::span<const double> StiffStepper::x() const { return impl_->radau.x(); }
std::span<const double> StiffStepper::x_previous() const { return impl_->radau.x_previous(); }
StepCounters StiffStepper::counters() const { return impl_->radau.counters(); }
void StiffStepper::visit_state(ByteWriter& a, const StiffStepper& self) {
  const Radau& radau = self.impl_->radau;
  a(radau);
}
void StiffStepper::visit_state(ByteReader& a, StiffStepper& self) { a(self.impl_->radau); }

}  // namespace berth
