import { Counter, Gauge, Registry } from "prom-client";
import { definitionOf, type MetricName, type metricCatalog } from "./catalog.ts";
import { TallyHistogram } from "./histogram.ts";
import type { MetricValues } from "./metric-values.ts";
import { Tally } from "./tally.ts";

type NamesOf<Type> = {
  [Name in MetricName]: (typeof metricCatalog)[Name]["type"] extends Type ? Name : never;
}[MetricName];

/** @param labels their values, in the order of the catalog */
type Count = (by: number, ...labels: readonly string[]) => void;

/** The metrics of one process, by the names of the catalog. */
export class Meter {
  readonly #registry = new Registry();

  counter(name: NamesOf<"counter">): Count {
    const options = this.#configure(name);
    const tally = new Tally(() => ({ count: 0 }));
    this.readCounter(name, (counter) => {
      for (const { labels, cell } of tally.read(options.labelNames))
        counter.inc(labels, cell.count);
    });
    return (by, ...labels) => {
      tally.cell(labels).count += by;
    };
  }

  /** A counter whose value is known elsewhere. */
  readCounter(name: NamesOf<"counter">, collect: (counter: Counter) => void): void {
    const counter: Counter = new Counter({
      ...this.#configure(name),
      collect: () => {
        counter.reset();
        collect(counter);
      },
    });
  }

  histogram(name: NamesOf<"histogram">): TallyHistogram {
    const { buckets = [] } = definitionOf(name);
    const histogram = new TallyHistogram({ ...this.#configure(name), buckets });
    this.#registry.registerMetric(histogram.asMetric());
    return histogram;
  }

  /** @param collect called when the metrics are read, and sets the value */
  gauge(name: NamesOf<"gauge">, collect?: (gauge: Gauge) => void | Promise<void>): Gauge {
    const gauge: Gauge = new Gauge({
      ...this.#configure(name),
      ...(collect !== undefined && { collect: () => collect(gauge) }),
    });
    return gauge;
  }

  async read(): Promise<MetricValues> {
    return await this.#registry.getMetricsAsJSON();
  }

  #configure(name: MetricName) {
    const { help, labels = [] } = definitionOf(name);
    return { name, help, labelNames: [...labels], registers: [this.#registry] };
  }
}
