import type { Metric } from "prom-client";
import type { MeasuredMetric, Sample } from "./metric-values.ts";
import { Tally } from "./tally.ts";

type Options = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
};

type Distribution = { readonly counts: number[]; sum: number };

/** A histogram that a registry of `prom-client` reads like its own. */
export class TallyHistogram {
  readonly name: string;
  readonly #options: Options;
  readonly #tally: Tally<Distribution>;

  constructor(options: Options) {
    this.name = options.name;
    this.#options = options;
    const length = options.buckets.length + 1;
    this.#tally = new Tally(() => ({ counts: new Array<number>(length).fill(0), sum: 0 }));
  }

  /** @param labels their values, in the order of the catalog */
  observe(value: number, ...labels: readonly string[]): void {
    const distribution = this.#tally.cell(labels);
    const { counts } = distribution;
    const { buckets } = this.#options;
    let index = 0;
    while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1;
    counts[index] = (counts[index] ?? 0) + 1;
    distribution.sum += value;
  }

  /** For `Registry.registerMetric`, which asks nothing else of a metric. */
  asMetric(): Metric {
    return { name: this.name, get: async () => this.#read() } as unknown as Metric;
  }

  #read(): MeasuredMetric {
    const { name, help, labelNames } = this.#options;
    const values = [...this.#tally.read(labelNames)].flatMap(({ labels, cell }) =>
      this.#toSamples(labels, cell),
    );
    return { name, help, type: "histogram", values, aggregator: "sum" };
  }

  #toSamples(labels: Record<string, string>, { counts, sum }: Distribution): Sample[] {
    const { name, buckets } = this.#options;
    let count = 0;
    const bounds = [...buckets.map(String), "+Inf"].map((le, index) => {
      count += counts[index] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...bounds,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
