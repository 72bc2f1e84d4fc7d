/** A link that another server made, as the engine is to find it. Times are in seconds since the epoch. */
export interface LinkToMove {
  accountId: string;
  clientId: string;
  grantId: string;
  /** Since when the link is there. */
  since: number;
  /** The names of the account's scopes. */
  scopes: readonly string[];
  /** The names of the scopes of each API. */
  resources: readonly { identifier: string; names: readonly string[] }[];
}

/** The payload of the engine's `Grant` of such a link. No session or request made it, and nobody approved it here. */
export const movedGrantPayload = ({ accountId, clientId, since, scopes, resources }: LinkToMove) => ({
  kind: 'Grant',
  iat: since,
  accountId,
  clientId,
  openid: { scope: scopes.join(' '), claims: [] },
  ...(resources.length > 0 && {
    resources: Object.fromEntries(resources.map(({ identifier, names }) => [identifier, names.join(' ')])),
  }),
});

/** The payload of the engine's `RefreshToken`. `moved` is ours: see `refreshPolicyOf`. How the person signed in is not known. */
export const movedTokenPayload = ({ accountId, clientId, grantId, since, scopes, resources }: LinkToMove) => {
  const identifiers = resources.map(({ identifier }) => identifier);
  const [first, ...more] = identifiers;
  return {
    kind: 'RefreshToken',
    gty: 'authorization_code',
    iat: since,
    iiat: since,
    accountId,
    clientId,
    grantId,
    scope: [...scopes, ...new Set(resources.flatMap(({ names }) => names))].join(' '),
    rotations: 0,
    moved: true,
    ...(first && { resource: more.length > 0 ? identifiers : first }),
  };
};
