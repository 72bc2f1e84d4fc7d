/** The figures of one server over all rounds. */
export interface Figures {
  perSecond: number;
  p50Milliseconds: number;
  p99Milliseconds: number;
  /** Processor time of the server for one task. */
  cpuMilliseconds: number;
  /** The share of the server’s core that other processes used; undefined without a reserved core. */
  takenByOthers?: number;
}

/** Candela compared with the other server: above 1 is better for Candela. */
export interface Ratios {
  /** The ratio of tasks per second. */
  throughput: number;
  /** The ratio of processor time in the server, which other load of the machine disturbs less. */
  cpu?: number;
}

export interface Counts {
  /** For one task with clients and keys cached. */
  statements: number;
  roundTrips: number;
  /** The statements of each request of the task, in turn. */
  requests: number[];
  /** The mean over the pass, in which caches also expire. */
  meanStatements: number;
}

/** One row of the table. */
export interface Row {
  name: string;
  candela?: Figures;
  counts?: Counts;
  /** The server that `ratios` compares with. */
  other?: Partial<Figures> & { label: string };
  ratios?: Ratios;
  /** The ratio that Candela has to reach. */
  wanted?: number;
  /** Further figures by name. */
  notes?: Record<string, string | number>;
}
