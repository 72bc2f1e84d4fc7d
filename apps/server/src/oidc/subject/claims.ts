import type { Kysely } from 'kysely';
import type { FindAccount, KoaContextWithOIDC } from 'oidc-provider';
import { type AccountFacts, findAccountFacts } from '../../account/account-facts.repository.ts';
import type { Database } from '../../db/database.ts';
import { avatarPath } from '../../picture/picture-path.ts';
import { policyOf } from '../client/client-policy.ts';
import { currentUnit, type UnitOfWork } from '../storage/unit.ts';

/** Scopes in the order they are shown, each with the claims it opens (OpenID Connect Core section 5.4). */
export const scopeClaims = {
  // How somebody signed in is told with every id_token.
  openid: ['sub', 'acr', 'amr'],
  profile: ['name', 'nickname', 'preferred_username', 'picture', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
} as const;

/** The scopes that open these claims: what somebody approves is shown by scopes, however an app asked for it. */
export const scopesOfClaims = (claims: Iterable<string>): string[] => {
  const asked = new Set(claims);
  return Object.entries(scopeClaims)
    .filter(([scope, names]) => scope !== 'openid' && names.some((name) => asked.has(name)))
    .map(([scope]) => scope);
};

/** Claims by their names in OpenID Connect Core section 5.1; apps get the picture from the issuer's origin. */
const toClaims = (facts: AccountFacts, origin: string) => {
  const { id, nickname, avatar, locale, updatedAt, identifiers } = facts;
  const email = identifiers.find(({ kind }) => kind === 'email');
  const phone = identifiers.find(({ kind }) => kind === 'phone');
  return {
    sub: id,
    name: nickname,
    nickname,
    preferred_username: nickname,
    ...(avatar && { picture: `${origin}${avatarPath(avatar)}` }),
    locale,
    updated_at: updatedAt,
    ...(email && { email: email.display, email_verified: true }),
    ...(phone && { phone_number: phone.value, phone_number_verified: true }),
  };
};

/** Notes what a statement brought along of an account, for the engine's later look-up. */
export const noteAccount = ({ memo }: UnitOfWork, facts: AccountFacts | null): void => {
  if (facts) memo.account.set(facts.id, facts);
};

/**
 * Whether an id_token is to have no more than was asked for by name: the scopes' claims are at userinfo (OpenID
 * Connect Core section 5.4), unless the access token issued beside it is for an API and does not open that.
 */
const leavesClaimsToUserinfo = ({ oidc }: KoaContextWithOIDC): boolean =>
  policyOf(oidc.client).idTokenClaims === 'spec' && !oidc.entities.AccessToken?.aud;

type Claims = ReturnType<typeof toClaims>;

const pick = (claims: Claims, names: readonly string[]): Claims =>
  Object.fromEntries(
    Object.entries(claims).filter(([name]) => name === 'sub' || names.includes(name)),
  ) as unknown as Claims;

/** The engine's `findAccount`: a disabled account is not found, so nothing is issued for it. */
export const createFindAccount =
  (db: Kysely<Database>, origin: string): FindAccount =>
  async (ctx, id) => {
    const facts = currentUnit()?.memo.account.get(id) ?? (await findAccountFacts(db, id));
    if (facts?.status !== 'active') return undefined;
    return {
      accountId: id,
      claims: async (use, _scope, asked) => {
        const claims = toClaims(facts, origin);
        return use === 'id_token' && leavesClaimsToUserinfo(ctx) ? pick(claims, Object.keys(asked)) : claims;
      },
    };
  };
