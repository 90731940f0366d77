// SPDX-License-Identifier: Apache-2.0
// A sweep as the program would have written it: two inputs that decide together, a third that does not.

interface Options { cases?: number; random?: boolean; pages?: number[]; title?: string; names?: string; points?: number; study?: object | null; answers?: object | null; bands?: boolean; design?: string }

/** The same numbers every time. */
function makeRandom(seed: number): () => number {
  let s = seed;
  return () => {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function makeSweep({ cases = 10_000, random = true, pages = [], title = 'Probe and cone: what is caught', names = '', points = cases, study = null, answers = null, bands = false, design = 'random' }: Options = {}) {
  const draw = makeRandom(4711);
  const parts: Buffer[] = [];
  let at = 0;
  const ref = (values: ArrayLike<number>) => {
    const bytes = Buffer.from(Float64Array.from(values).buffer);
    parts.push(bytes);
    at += bytes.length;
    return { at: at - bytes.length, n: values.length, kind: 'f64' };
  };
  const share = (count: number, of: number) => ({ count, fraction: of > 0 ? count / of : 0, low: of > 0 ? Math.max(0, count / of - 0.01) : 0, high: of > 0 ? Math.min(1, count / of + 0.01) : 1 });

  const x = Array.from({ length: cases }, () => 0.3 * draw() - 0.15);
  const y = Array.from({ length: cases }, () => 0.03 * (draw() + draw() - 1));
  const z = Array.from({ length: cases }, () => 0.02 + 0.1 * draw());
  const kinds = x.map((v, i) => (Math.abs(v - 5 * y[i]!) < 0.1 ? 0 : draw() < 0.05 ? 2 : 1));
  const force = x.map((v, i) => 2000 * z[i]! * (0.5 + draw()) + 100 * Math.abs(v));
  const energy = x.map(() => 10 ** (-12 + 2 * draw()));
  const shown = Array.from({ length: points }, (_, i) => Math.floor((i * cases) / points));
  const classNames = ['captured', 'bounced_off', 'missed'].map((n) => n + names);
  const edgesOf = (low: number, high: number, n: number) => Array.from({ length: n + 1 }, (_, i) => low + ((high - low) * i) / n);
  const pieceOf = (edges: number[], v: number) => Math.min(Math.max(edges.filter((e) => e <= v).length - 1, 0), edges.length - 2);

  const column = (name: string, unit: string, values: number[], role: string, axis?: number[], log = false) => {
    const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
    const q = (s: number) => values[order[Math.round(s * (cases - 1))]!]!;
    const low = q(0);
    const high = q(1);
    const edges = log ? edgesOf(Math.log10(low), Math.log10(high), 30).map((e) => 10 ** e) : edgesOf(low, high, 30);
    const counts = new Array<number>(90).fill(0);
    values.forEach((v, i) => { counts[kinds[i]! * 30 + pieceOf(edges, v)]!++; });
    const place = (i: number) => shown.indexOf(i);
    return {
      name: name + names, unit, description: `about ${name}`, text: false, data: ref(shown.map((i) => values[i]!)), log,
      statistics: { count: cases, min: low, p05: q(0.05), p25: q(0.25), median: q(0.5), mean: q(0.5), p75: q(0.75), p95: q(0.95), p99: q(0.99), max: high, min_case: order[0], max_case: order[cases - 1] },
      edges, counts: ref(counts), role,
      largest: order.slice(-10).reverse().map(place).filter((p) => p >= 0), smallest: order.slice(0, 10).map(place).filter((p) => p >= 0),
      ...(axis && {
        vary: `${name}${names}=uniform(${low},${high})`, axis: { edges: axis }, effect: 0.07,
        shares: axis.slice(1).map((_, k) => {
          const inside = [...values.keys()].filter((i) => pieceOf(axis, values[i]!) === k);
          return share(inside.filter((i) => kinds[i] === 0).length, inside.length);
        }),
      }),
    };
  };
  const ax = edgesOf(-0.15, 0.15, 8);
  const ay = edgesOf(-0.02, 0.02, 8);
  const az = edgesOf(0.02, 0.12, 8);
  const map = (kx: number, ky: number, a: number[], b: number[], u: number[], v: number[], effect: number) => {
    const counts = new Array<number>(192).fill(0);
    u.forEach((value, i) => { counts[kinds[i]! * 64 + pieceOf(b, v[i]!) * 8 + pieceOf(a, value)]!++; });
    const ones = new Array<number>(64).fill(0.1);
    const largest = new Array<number>(64).fill(NaN);
    u.forEach((value, i) => { const at = pieceOf(b, v[i]!) * 8 + pieceOf(a, value); largest[at] = Math.max(Number.isNaN(largest[at]) ? -Infinity : largest[at]!, force[i]!); });
    return { x: kx, y: ky, effect, counts: ref(counts), low: ref(ones), high: ref(ones.map(() => 0.9)), largest: ref(largest) };
  };
  // A force that rises and falls, of cases that end one after another: 400 at t = 0, none at the end.
  const instants = Array.from({ length: 41 }, (_, i) => i / 2);
  const band = () => {
    const at = (size: number) => ref(instants.map((t, i) => (i === 40 ? NaN : size * 10 * Math.sin((Math.PI * t) / 20) + t)));
    return {
      name: `tip.force${names}`, unit: 'N', description: 'size of the force', t: ref(instants), count: ref(instants.map((_, i) => 400 - 10 * i)),
      low: at(0.1), p05: at(0.5), p25: at(0.8), p50: at(1), p75: at(1.3), p95: at(2), high: at(4),
    };
  };
  const failures = (list: number[]) => list.filter((i) => kinds[i] !== 0).length;
  const all = [...x.keys()];
  const good = cases - failures(all);
  const messages = ['', `verdict: wanted captured, got bounced_off${names}`, `verdict: wanted captured, got missed${names}`];
  const head = {
    format: 1, kind: 'sweep', program: 'berth 0.1.0', title, file: `x${names}.h5`, stem: `x${names}`, shell_file: names ? `'x${names}.h5'` : 'x.h5',
    scenario_file: 'capture.toml', written_by: '0.1.0', settings: [], cases, random, samples: cases, seed: 1, design, study, answers, bands: bands ? [band(), { ...band(), name: `tip.gap${names}`, unit: 'm' }] : [],
    as_expected: share(good, cases),
    classes: classNames.map((name, k) => ({ name, good: k === 0, ...share(kinds.filter((c) => c === k).length, cases) })),
    columns: [
      column('craft.state.position.z', 'm', x, 'input', ax), column('craft.state.sigma.y', '-', y, 'input', ay), column('craft.state.velocity.x', 'm/s', z, 'input', az),
      column('contacts.tip.force_peak', 'N', force, 'output'), column('audit.energy', '-', energy, 'output', undefined, true),
      { name: 'contacts.tip.verdict', unit: '', description: '', text: true, role: 'output', labels: classNames, data: ref(shown.map((i) => kinds[i]!)) },
    ],
    map_outputs: [3],
    maps: [map(0, 1, ax, ay, x, y, 0.61), map(0, 2, ax, az, x, z, 0.05), map(1, 2, ay, az, y, z, 0.03)],
    points: {
      count: points, failures: failures(shown), all_failures: failures(all), exact: true, case: ref(shown), class: ref(shown.map((i) => kinds[i]!)),
      message: { labels: messages, data: ref(shown.map((i) => kinds[i]!)) }, outcome: { labels: ['stopped'], data: ref(shown.map(() => 0)) },
    },
    case_pages: pages, scenario: `title = "${title}"\n`,
  };
  return { head, data: Buffer.concat(parts).toString('base64'), values: { x, y, force, kinds } };
}
