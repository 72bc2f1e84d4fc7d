import { Counter, Gauge, type Registry } from 'prom-client';

/** One value of a metric, by its labels. */
export interface Sample {
  labels?: Record<string, string>;
  value: number;
}

export interface Described {
  /** `candela_<what>_<unit>`, and `_total` behind counters. */
  name: string;
  help: string;
  labelNames?: readonly string[];
}

/** Answers values at the time of a scrape; a promise that fails leaves the metric out of it. */
type Read = () => readonly Sample[] | Promise<readonly Sample[]>;

/** A counter of what is counted elsewhere. `read` answers the counts since the start of the process. */
export const readCounter = (registry: Registry, description: Described, read: Read): void => {
  new Counter({
    labelNames: [],
    ...description,
    registers: [registry],
    async collect() {
      const samples = await Promise.resolve(read()).catch(() => []);
      this.reset();
      for (const { labels = {}, value } of samples) this.inc(labels, value);
    },
  });
};

/** A gauge of what is known elsewhere. Of several workers, `over` makes one value of theirs. */
export const readGauge = (
  registry: Registry,
  { over, ...description }: Described & { over: 'sum' | 'max' | 'min' },
  read: Read,
): void => {
  new Gauge({
    labelNames: [],
    ...description,
    aggregator: over,
    registers: [registry],
    async collect() {
      const samples = await Promise.resolve(read()).catch(() => []);
      this.reset();
      for (const { labels = {}, value } of samples) this.set(labels, value);
    },
  });
};
