import type { AccountService } from '../account/account.service.ts';

/** Scopes in the order they are shown, each with the claims it opens (OpenID Connect Core section 5.4). */
export const scopeClaims = {
  openid: ['sub'],
  profile: ['name', 'nickname', 'picture', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
} as const;

export interface ClaimsOptions {
  accounts: AccountService;
  /** The issuer, for absolute URIs in claims. */
  origin: string;
}

/** The engine's `findAccount`: a disabled account is not found, so nothing is issued for it. */
export const createFindAccount =
  ({ accounts, origin }: ClaimsOptions) =>
  async (_ctx: unknown, id: string) => {
    const found = await accounts.findAccount(id);
    if (!found || found.status !== 'active') return undefined;
    const { account } = found;
    return {
      accountId: id,
      claims: async () => ({
        sub: id,
        name: account.nickname,
        nickname: account.nickname,
        picture: account.avatar && `${origin}${account.avatar}`,
        locale: account.locale,
        updated_at: Math.floor(found.updatedAt.getTime() / 1000),
        ...(account.email && { email: account.email, email_verified: true }),
        ...(account.phone && { phone_number: account.phone, phone_number_verified: true }),
      }),
    };
  };
