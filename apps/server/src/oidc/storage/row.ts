/** The tokens that hang on a grant, by the engine's names. */
export type TokenModel = 'AuthorizationCode' | 'AccessToken' | 'RefreshToken' | 'DeviceCode';

/**
 * What a write of a unit is about: a row, or one side of it where a request has several statements for the same row.
 * A second write to the same takes the place of the first.
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
  session: of<'lock' | 'logouts' | 'grants'>('Session'),
  interaction: of<'answer'>('Interaction'),
  rememberedConsent: of<never>('RememberedConsent'),
  grant: of<'existence' | 'slide' | 'mode'>('Grant'),
  token: (model: TokenModel, id: string, side: 'spend' | 'use' | '' = ''): Row => ({ model, id, side }),
  /** All tokens of one model under a grant. */
  tokensOf: (model: TokenModel, grantId: string): Row => ({ model, id: grantId, side: 'of grant' }),
} as const;

/** The only place that makes text of a row: neither models nor sides have a colon. */
export const keyOf = ({ model, id, side }: Row): string => `${model}:${side}:${id}`;
