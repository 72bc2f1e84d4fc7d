import { hash } from 'node:crypto';
import { redirectTargetOf } from './redirect-target.ts';

type Metadata = Readonly<Record<string, unknown>>;

const targetOf = (uri: unknown): string => redirectTargetOf(uri) ?? String(uri);

const namesOf = (metadata: Metadata) =>
  Object.entries(metadata)
    .filter(([key]) => key === 'client_name' || key.startsWith('client_name#'))
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** Identifies what people approve when they approve an app: its names, and the hosts that receive its codes. */
export const clientFingerprint = (metadata: Metadata): string => {
  const uris = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : [];
  const targets = [...new Set(uris.map(targetOf))].sort();
  return hash('sha256', JSON.stringify([namesOf(metadata), targets]), 'base64url');
};
