/** What processes counted within a minute, or all of them within an hour. */
export interface ServiceCountTable {
  grain: 'minute' | 'hour';
  /** The start of the minute or hour. */
  at: Date;
  /** Empty of an hour. */
  process: string;
  /** By name: `{"code_sent sms 49": 3}`. */
  counts: Record<string, number>;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    service_count: ServiceCountTable;
  }
}
