/** What one server did, over all rounds. */
export interface Figures {
  perSecond: number;
  p50Milliseconds: number;
  p99Milliseconds: number;
  /** Processor time of the server for one piece of work. */
  cpuMilliseconds: number;
  /** The share of the server's core that went to anything but the server; undefined where it has no core of its own. */
  takenByOthers?: number;
}

/** Of Candela over what it is compared with: above 1 is better than that. */
export interface Ratios {
  /** Of work per second, as told to whoever waits. */
  throughput: number;
  /** Of processor time in the server, which other work on the machine disturbs less. */
  cpu?: number;
}

export interface Counts {
  /** For one piece of work with clients and keys cached. */
  statements: number;
  roundTrips: number;
  /** The mean over the pass, in which caches also run out. */
  meanStatements: number;
}

/** One line of the table. */
export interface Row {
  name: string;
  candela?: Figures;
  counts?: Counts;
  /** What `ratios` compares with. */
  other?: Partial<Figures> & { label: string };
  ratios?: Ratios;
  /** The ratio that the issue of the bench asks for. */
  wanted?: number;
  /** Whatever else is known, by its name. */
  notes?: Record<string, string | number>;
}
