/** The models of what hangs on a grant, by the engine's names. */
export const tokenModels = ['AuthorizationCode', 'AccessToken', 'RefreshToken', 'DeviceCode'] as const;

export type TokenModel = (typeof tokenModels)[number];

/**
 * The row that a write of a unit concerns. Where one request has several statements for a row, `side` distinguishes
 * them. A second write to the same row and side replaces the first.
 */
export interface Row {
  readonly model: string;
  readonly id: string;
  readonly side: string;
}

const of =
  <Side extends string>(model: string) =>
  (id: string, side?: Side): Row => ({ model, id, side: side ?? '' });

/** Names the rows that units write. */
export const row = {
  account: of<never>('Account'),
  session: of<'lock' | 'signals' | 'logouts' | 'grants' | 'activity'>('Session'),
  /** By the uid of the session that the sign-in makes or changes. */
  signIn: of<'activity' | 'notice' | 'browser'>('SignIn'),
  approval: of<never>('Approval'),
  pushedRequest: of<never>('PushedRequest'),
  interaction: of<'answer'>('Interaction'),
  rememberedConsent: of<never>('RememberedConsent'),
  rememberedAccount: of<never>('RememberedAccount'),
  grant: of<'existence' | 'slide' | 'mode'>('Grant'),
  token: (model: TokenModel, id: string, side: 'spend' | 'use' | 'successor' | '' = ''): Row => ({
    model,
    id,
    side,
  }),
  /** All tokens of one model under a grant. */
  tokensOf: (model: TokenModel, grantId: string): Row => ({ model, id: grantId, side: 'of grant' }),
} as const;

/** The key of a row in a unit. Neither models nor sides have a colon. */
export const keyOf = ({ model, id, side }: Row): string => `${model}:${side}:${id}`;
