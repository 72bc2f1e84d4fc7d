import { type Configuration, errors } from 'oidc-provider';
import { toDatabaseSeconds } from '../../../ground/db/clock.ts';
import { endIn } from '../storage/columns.ts';
import { queueSlide } from '../storage/grant-slide.ts';
import { currentUnit } from '../storage/unit.ts';
import { refreshTokenSeconds } from './policy.ts';
import { presentedIn } from './presented.ts';
import { queueFirstUse, queueKeptSuccessor, queueKeptUse } from './refresh-token.adapter.ts';

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
    const until = lasts ? endIn(refreshTokenSeconds(oidc.client)) : toDatabaseSeconds(token.exp ?? 0);
    if (lasts) queueKeptUse(unit, { brand, id, until });
    else queueFirstUse(unit, brand, id);
    if (lasts && verdict === 'repeated') queueKeptSuccessor(unit, { brand, id, until });
    queueSlide(unit, { brand, grantId: token.grantId, until, linked: true, term, refreshed: true });
    return verdict === 'issued';
  };
