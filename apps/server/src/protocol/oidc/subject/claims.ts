import type { Kysely } from 'kysely';
import type { FindAccount, KoaContextWithOIDC } from 'oidc-provider';
import { avatarPath } from '../../../branding/picture/picture-path.ts';
import type { Database } from '../../../ground/db/database.ts';
import { type AccountFacts, findAccountFacts } from '../../../person/account/account-facts.repository.ts';
import { policyOf } from '../client/client-policy.ts';
import { currentUnit, type UnitOfWork } from '../storage/unit.ts';

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

const pick = (claims: Claims, names: readonly string[]) => ({
  sub: claims.sub,
  ...Object.fromEntries(Object.entries(claims).filter(([name]) => names.includes(name))),
});

/** How the request's statements found the account. */
const statusIn = (unit: UnitOfWork | undefined, accountId: string | undefined) =>
  accountId === undefined ? undefined : unit?.memo.account.get(accountId)?.status;

/** Whether the request's token is of an account that is disabled or to be deleted. */
export const isOfSuspendedAccount = (unit: UnitOfWork | undefined, accountId: string | undefined): boolean =>
  (statusIn(unit, accountId) ?? 'active') !== 'active';

/** Whether who is signed in asked for the account to be deleted, and can still keep it. */
export const isOfLeavingAccount = (unit: UnitOfWork | undefined, accountId: string | undefined): boolean =>
  statusIn(unit, accountId) === 'leaving';

/**
 * The engine's `findAccount`: a disabled account is not found, so nothing is issued for it. One that is to be deleted is
 * found for a session alone, whose person can keep it; no token finds it. Where the engine asks about a refresh token
 * that it has accepted but for this, the unit notes that the link is suspended.
 */
export const createFindAccount =
  (db: Kysely<Database>, origin: string): FindAccount =>
  async (ctx, id, token) => {
    const unit = currentUnit();
    const facts = unit?.memo.account.get(id) ?? (await findAccountFacts(db, id));
    if (unit && facts) noteAccount(unit, facts);
    if (!facts || !(facts.status === 'active' || (facts.status === 'leaving' && !token))) {
      if (unit && facts && ctx.oidc.entities.RefreshToken?.accountId === id)
        unit.noted.postponed = 'suspended';
      return undefined;
    }
    return {
      accountId: id,
      claims: async (use, _scope, asked) => {
        const claims = toClaims(facts, origin);
        return use === 'id_token' && leavesClaimsToUserinfo(ctx) ? pick(claims, Object.keys(asked)) : claims;
      },
    };
  };
