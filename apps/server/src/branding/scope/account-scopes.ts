/** The scopes of the account; any other scope is a resource's. */
export const accountScopes: readonly string[] = ['openid', 'offline_access', 'profile', 'email', 'phone'];

/** Scopes that no resource can have: OpenID Connect Core section 5.4 has one more than apps can ask for. */
export const reservedScopes: readonly string[] = [...accountScopes, 'address'];
