/** Scopes in the order they are shown, each with the claims it opens (OpenID Connect Core section 5.4). */
export const scopeClaims = {
  // Every id_token says how the person signed in.
  openid: ['sub', 'acr', 'amr'],
  profile: ['name', 'nickname', 'preferred_username', 'picture', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
} as const;

/** The scopes that open these claims: people approve scopes, whichever way an app asks. */
export const scopesOfClaims = (claims: Iterable<string>): string[] => {
  const asked = new Set(claims);
  return Object.entries(scopeClaims)
    .filter(([scope, names]) => scope !== 'openid' && names.some((name) => asked.has(name)))
    .map(([scope]) => scope);
};

/** A claims request (OpenID Connect Core section 5.5) without the claims that other scopes than these open. */
export const claimsWithin = (claims: object, scopes: readonly string[]): object => {
  const isOpen = (name: string) => scopesOfClaims([name]).every((needed) => scopes.includes(needed));
  return Object.fromEntries(
    Object.entries(claims).map(([place, named]) => [
      place,
      Object.fromEntries(Object.entries(Object(named)).filter(([name]) => isOpen(name))),
    ]),
  );
};
