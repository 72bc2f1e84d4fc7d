import type { Kysely } from 'kysely';

interface Client {
  id: string;
  metadata: Record<string, unknown>;
  approved_fingerprint: string | null;
}

const hashOf = async ({ metadata }: Client, targetOf: (url: URL) => string): Promise<string> => {
  const names = Object.entries(metadata)
    .filter(([key]) => key === 'client_name' || key.startsWith('client_name#'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const uris = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris.map(String) : [];
  const targets = uris.map((uri) => {
    const url = URL.parse(uri);
    return url ? targetOf(url) : uri;
  });
  const text = JSON.stringify([names, [...new Set(targets)].sort()]);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(hash).toString('base64url');
};

const before = ({ host, protocol }: URL) => host || protocol;
const after = ({ host, protocol }: URL) => (/^https?:$/.test(protocol) ? host : protocol);

/** What stands behind a private-use scheme is no host. An app of the brand that an operator approved stays approved. */
export const up = async (db: Kysely<{ client: Client }>): Promise<void> => {
  const approved = await db
    .selectFrom('client')
    .select(['id', 'metadata', 'approved_fingerprint'])
    .where('approved_fingerprint', 'is not', null)
    .execute();
  for (const client of approved) {
    if (client.approved_fingerprint !== (await hashOf(client, before))) continue;
    const fingerprint = await hashOf(client, after);
    if (fingerprint === client.approved_fingerprint) continue;
    await db
      .updateTable('client')
      .set({ approved_fingerprint: fingerprint })
      .where('id', '=', client.id)
      .execute();
  }
};
