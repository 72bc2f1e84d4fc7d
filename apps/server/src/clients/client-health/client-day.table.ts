import type { Generated } from 'kysely';
import type { CountedKind } from './counted-kind.ts';

/** How often something happened to a client on one day. */
export interface ClientDayTable {
  client_id: string;
  /** By UTC. */
  day: Date;
  kind: CountedKind;
  count: number;
  /** When it was last written, which is seconds after it last happened. */
  last_at: Generated<Date>;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    client_day: ClientDayTable;
  }
}
