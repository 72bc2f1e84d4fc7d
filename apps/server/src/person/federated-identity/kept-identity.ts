import type { FederatedIdentityRow } from './federated-identity.table.ts';

type Time = 'linked_at' | 'last_used_at' | 'closed_at';

/** A way in that was removed, as JSON holds it: what is sealed under SECRET_KEY waits in the queue of revocations. */
export type KeptIdentity = Omit<FederatedIdentityRow, Time | 'refresh_token_sealed'> & {
  [Column in Time]: string | Extract<FederatedIdentityRow[Column], null>;
};

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The way in as it was. */
export const toFederatedIdentity = (
  kept: KeptIdentity,
  refresh_token_sealed: string | null,
): FederatedIdentityRow => ({
  ...kept,
  refresh_token_sealed,
  linked_at: new Date(kept.linked_at),
  last_used_at: timeOf(kept.last_used_at),
  closed_at: timeOf(kept.closed_at),
});

/** The way in, to be kept as JSON. */
export const toKeptIdentity = ({ refresh_token_sealed: _, ...row }: FederatedIdentityRow): KeptIdentity => ({
  ...row,
  linked_at: row.linked_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  closed_at: row.closed_at?.toISOString() ?? null,
});
