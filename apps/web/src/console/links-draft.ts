import type { RegisteredClient, UpdateClient } from '@candela/contract';

/** The fields of a client that people see. */
export const linkFields = ['client_name', 'client_uri', 'policy_uri', 'tos_uri', 'logo_uri'] as const;
export type LinksDraft = Record<(typeof linkFields)[number], string>;

export const draftOfLinks = (client: RegisteredClient): LinksDraft => ({
  client_name: client.client_name,
  client_uri: client.client_uri ?? '',
  policy_uri: client.policy_uri ?? '',
  tos_uri: client.tos_uri ?? '',
  logo_uri: client.logo_uri ?? '',
});

/** A field that is empty is cleared. */
export const patchOfLinks = ({ client_name: name, ...uris }: LinksDraft): UpdateClient => ({
  client_name: name.trim(),
  ...Object.fromEntries(Object.entries(uris).map(([field, uri]) => [field, uri.trim() || null])),
});
