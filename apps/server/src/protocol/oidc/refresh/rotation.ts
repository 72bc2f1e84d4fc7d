import { type Configuration, errors } from 'oidc-provider';
import { toDatabaseSeconds } from '../../../ground/db/clock.ts';
import type { EngineClient } from '../client/client-policy.ts';
import { endIn } from '../storage/columns.ts';
import { queueSlide } from '../storage/grant-slide.ts';
import { currentUnit } from '../storage/unit.ts';
import { hashKeptByGoogle } from './google-hash.ts';
import { refreshTokenSeconds } from './policy.ts';
import { type PresentedRefreshToken, presentedIn } from './presented.ts';
import { queueFirstUse, queueKeptSuccessor, queueKeptUse } from './refresh-token.adapter.ts';

/**
 * Until when a token is kept. One that lasts has its whole lifetime again. One that is replaced has its overlap, since
 * the answer with its successor may be lost. Undefined: its own end stays.
 */
const keptUntil = (
  client: EngineClient | undefined,
  presented: PresentedRefreshToken,
): number | undefined => {
  const { lasts, verdict, mode, overlapSeconds } = presented;
  const seconds = refreshTokenSeconds(client);
  if (lasts) return endIn(seconds);
  return verdict === 'issued' && mode !== 'rotate' ? endIn(Math.min(seconds, overlapSeconds)) : undefined;
};

/**
 * The engine's `rotateRefreshToken`, which it asks about a token that it accepts: carries the verdict out. The use of
 * the token ends its predecessor, and the grant lasts as long as the token.
 * @returns whether the engine is to issue a successor.
 * @throws InvalidGrant for a token that ended between the look-up and now.
 */
export const createRotation =
  (brand: string): NonNullable<Configuration['rotateRefreshToken']> =>
  async ({ oidc }) => {
    const unit = currentUnit();
    const presented = unit && presentedIn(unit);
    const token = oidc.entities.RefreshToken;
    if (!presented || !token?.grantId)
      throw new Error('a refresh token is rotated inside a unit of work and under a grant');
    const { predecessor: id, verdict, lasts, term } = presented;
    if (verdict !== 'issued' && verdict !== 'kept' && verdict !== 'repeated')
      throw new errors.InvalidGrant('refresh token is expired');
    const end = toDatabaseSeconds(token.exp ?? 0);
    const until = keptUntil(oidc.client, presented) ?? end;
    if (until > end || lasts) queueKeptUse(unit, { brand, id, until });
    else queueFirstUse(unit, brand, id);
    if (lasts && verdict === 'repeated') queueKeptSuccessor(unit, { brand, id, until });
    const googleTokenHash = hashKeptByGoogle(oidc.client, id);
    const use = { until, linked: true, term, refreshed: true, googleTokenHash };
    queueSlide(unit, { brand, grantId: token.grantId, ...use });
    return verdict === 'issued';
  };
