// SPDX-License-Identifier: Apache-2.0
// What a sweep was asked beyond "how many", as the program would have written it, with numbers one can check.

export const inputs = ['craft.state.position.z', 'craft.state.sigma.y', 'craft.state.velocity.x'];
const interval = (value: number | null, reach: number) => ({ value, low: value === null ? null : value - reach, high: value === null ? null : value + reach });
const percentiles = { p50: { value: 140, low: 138, high: 142 }, p95: { value: 260, low: 250, high: 271 }, p99: { value: 301, low: 290, high: null }, p99_95: 312.3456 };

/** The second input matters most and lowers the share; that of the first may be none. */
export const ranks = (names = '') => ({
  inputs: inputs.map((i) => i + names), ranked_cases: 10_000,
  outputs: {
    as_expected: { spearman: [interval(0.01, 0.04), interval(-0.42, 0.05), interval(0.2, 0.05)] },
    [`contacts.tip.force_peak${names}`]: { ...percentiles, spearman: [interval(0.1, 0.04), interval(null, 0), interval(0.83, 0.02)] },
    [`audit.energy${names}`]: { p50: interval(1e-11, 1e-12), p95: interval(8e-11, 1e-12), p99: interval(9e-11, 1e-12), p99_95: null, spearman: [interval(null, 0), interval(null, 0), interval(null, 0)] },
  },
});

export const indices = {
  inputs, ranked_cases: 0,
  outputs: {
    as_expected: { sobol: [{ first: interval(0.2, 0.1), total: interval(0.35, 0.1) }, { first: interval(0.5, 0.1), total: interval(0.72, 0.12) }, { first: interval(-0.02, 0.05), total: interval(0.03, 0.05) }], left_out: 3 },
    'contacts.tip.force_peak': { ...percentiles, p99_95: null, sobol: [{ first: interval(0.1, 0.1), total: interval(0.1, 0.1) }, { first: interval(0, 0.1), total: interval(0, 0.1) }, { first: interval(0.8, 0.1), total: interval(0.9, 0.1) }], left_out: 0 },
  },
};

export const until = { until: 'captured ±1 % at 95 %', checks: 47, fraction: 0.6253, low: 0.6152, high: 0.6354, confidence: 0.95, is_sure: true };

export const rare = {
  rare: 'contacts.tip.force_peak > 400', probability: 3.2e-6, low: 1.9e-6, high: 5.4e-6, confidence: 0.95, levels: 6, cases: 10_900, refused: 0, without_failure: 0,
  estimates: [2.1e-6, 3.3e-6, 4.8e-6, 2.9e-6, 3.0e-6, 2.2e-6, 4.1e-6, 3.9e-6, 2.6e-6, 3.1e-6], thresholds: [212, 268, 310, 347, 381],
};
export const never = { ...rare, probability: 0, low: 0, high: 2.8e-11, without_failure: 10, estimates: rare.estimates.map(() => 0) };

/** Good within a circle of radius 0.1 about the middle, worse outside: 50, 95 % are circles, 99 % is nowhere. */
export function boundary() {
  const nodes: number[][] = [];
  for (let i = 0; i <= 24; i++) {
    for (let j = 0; j <= 24; j++) {
      const x = -0.15 + 0.0125 * i;
      const y = -0.02 + (0.04 * j) / 24;
      const r = Math.hypot(x / 0.1, y / 0.0133);
      if (r > 0.6 && r < 1.4 ? true : i % 4 === 0 && j % 4 === 0) nodes.push([x, y, Math.round(40 * Math.min(0.98, 1 / (1 + Math.exp(9 * (r - 1))))), 40]);
    }
  }
  const circle = (r: number) => ({ closed: true, points: Array.from({ length: 60 }, (_, k) => [0.1 * r * Math.cos((k * Math.PI) / 30), 0.0133 * r * Math.sin((k * Math.PI) / 30)]) });
  return {
    boundary: [inputs[0], inputs[1]], nodes, cases: 40 * nodes.length,
    contours: [{ level: 0.5, lines: [circle(1)] }, { level: 0.95, lines: [circle(0.67)] }, { level: 0.99, lines: [] }],
  };
}

/** Two goals against one another; a front of eleven designs, a start that all of them beat. */
export function optimum(goals = 2) {
  const front = Array.from({ length: 11 }, (_, k) => ({ x: [0.02 + 0.01 * k, 40 + 3 * k], values: [120 + 16 * k, 40 / (1 + k) + 3].slice(0, goals), violation: 0, samples: 16 }));
  const rest = Array.from({ length: 80 }, (_, k) => ({ x: [0.03, 50], values: [140 + ((k * 37) % 190), 20 + ((k * 53) % 60)].slice(0, goals), violation: k % 7 === 0 ? 0.4 : 0, samples: 16 }));
  const far = { x: [0.1, 1], values: [9000, 9000].slice(0, goals), violation: 2, samples: 16 };
  return {
    optimise: {
      inputs: [{ key: 'craft.state.velocity.x', low: 0.02, high: 0.12, unit: 'm/s' }, { key: 'contacts.tip.damping', low: 1, high: 100, unit: 'N·s/m' }],
      goals: ['least contacts.tip.force_peak', 'least time'].slice(0, goals), constraints: ['captured ≥ 95 %'], worst: false, samples: 16,
    },
    best: { ...front[3]!, violation: 0 }, start: { x: [0.07, 10], values: [310, 71].slice(0, goals) },
    history: Array.from({ length: 40 }, (_, g) => ({ generation: g, run: g < 25 ? 0 : 1, evaluations: 10 * (g + 1), best: 168 + 140 * Math.exp(-(g % 25) / 5), median: 172 + 300 * Math.exp(-(g % 25) / 6), spread: 0.1, mean: [0.5, 0.5] })),
    designs: [...front, ...rest, far], front: goals === 2 ? front.map((_, k) => k) : [], why: 'the budget is spent', cases: 1472,
  };
}
