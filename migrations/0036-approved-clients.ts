import { type Kysely, sql } from 'kysely';

/** Where a redirect URI leads: a host, or the scheme of an app. */
const targetOf = (uri: unknown): string => {
  const url = URL.parse(String(uri));
  return url ? url.host || url.protocol : String(uri);
};

const fingerprintOf = async (metadata: Record<string, unknown>): Promise<string> => {
  const names = Object.entries(metadata)
    .filter(([key]) => key === 'client_name' || key.startsWith('client_name#'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const uris = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : [];
  const targets = [...new Set(uris.map(targetOf))].sort();
  const text = new TextEncoder().encode(JSON.stringify([names, targets]));
  return Buffer.from(await crypto.subtle.digest('SHA-256', text)).toString('base64url');
};

/** The names and hosts under which an operator made a client the brand’s own; those that are one stay what they are. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('client').addColumn('approved_fingerprint', 'text').execute();
  const { rows } = await sql<{ id: string; metadata: Record<string, unknown> }>`
    select id, metadata from client where first_party`.execute(db);
  for (const { id, metadata } of rows) {
    const fingerprint = await fingerprintOf(metadata);
    await sql`update client set approved_fingerprint = ${fingerprint} where id = ${id}`.execute(db);
  }
};
