import type { Configuration } from 'oidc-provider';
import { toDatabaseSeconds } from '../../db/clock.ts';
import { endIn } from '../storage/columns.ts';
import { queueSlide } from '../storage/grant-slide.ts';
import { currentUnit } from '../storage/unit.ts';
import { refreshTokenSeconds } from './policy.ts';
import { queueFirstUse, queueKeptUse } from './refresh-token.adapter.ts';

/**
 * Marks the first use of what is presented, which ends its predecessor, and rotates unless a successor exists
 * or the client's tokens never change: such a one lasts longer with each use instead.
 */
export const createRotation =
  (brand: string): NonNullable<Configuration['rotateRefreshToken']> =>
  async ({ oidc }) => {
    const unit = currentUnit();
    const token = oidc.entities.RefreshToken;
    if (!unit?.rotation || !token?.grantId)
      throw new Error('a refresh token is rotated inside a unit of work and under a grant');
    const { predecessor: id, mode, successor } = unit.rotation;
    const isKept = mode === 'static' && successor === undefined;
    const until = isKept ? endIn(refreshTokenSeconds(oidc.client, token)) : toDatabaseSeconds(token.exp ?? 0);
    if (isKept) queueKeptUse(unit, { brand, id, until });
    else queueFirstUse(unit, brand, id);
    queueSlide(unit, { brand, grantId: token.grantId, until, linked: true });
    return !isKept && successor === undefined;
  };
