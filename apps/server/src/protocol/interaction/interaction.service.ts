import type { Kysely } from 'kysely';
import type { ClientService } from '../../clients/client/client.service.ts';
import { startAgainUri, toClientSummary } from '../../clients/client/client-summary.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import type { Database } from '../../ground/db/database.ts';
import {
  findInteraction,
  type InteractionKey,
  markSwitched,
} from '../../link/oidc-model/interaction.repository.ts';
import type { InteractionRow } from '../../link/oidc-model/interaction.table.ts';

/** What is known of an interaction to somebody who comes to it late, or from another browser. */
export interface InteractionTrace {
  clientId: string;
  /** Answered, but the browser did not go on yet. */
  finished: boolean;
  /** Answered, and the browser went on. */
  over: boolean;
  switched: boolean;
  /** For a device: its code can be entered again. */
  forDevice: boolean;
  expired: boolean;
  startAgain: { name: string; uri: string } | undefined;
}

export interface InteractionServiceOptions {
  db: Kysely<Database>;
  clients: ClientService;
}

export type InteractionService = ReturnType<typeof createInteractionService>;

export const createInteractionService = ({ db, clients }: InteractionServiceOptions) => ({
  /** The row of an interaction; undefined for none of ours. */
  find: (key: InteractionKey): Promise<InteractionRow | undefined> => findInteraction(db, key),

  /** What is known of an interaction, whether or not the browser at hand may answer it. */
  trace: async (row: InteractionRow): Promise<InteractionTrace> => {
    const client = await clients.findClient(row.client_id, row.brand);
    const uri = client && startAgainUri(client);
    return {
      clientId: row.client_id,
      finished: row.finished_at !== null && row.destroyed_at === null,
      over: row.finished_at !== null && row.destroyed_at !== null,
      switched: row.switched_at !== null,
      forDevice: row.payload.deviceCode !== undefined,
      expired: row.destroyed_at !== null || row.expires_at <= databaseNow(),
      startAgain: client && uri ? { name: toClientSummary(client).name, uri } : undefined,
    };
  },

  /** Lets the interaction go on as a sign-in, whoever is signed in; false when it is finished or gone. */
  switchAccount: (key: InteractionKey): Promise<boolean> => markSwitched(db, key),
});
