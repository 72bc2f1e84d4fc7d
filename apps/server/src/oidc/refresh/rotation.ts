import type { Configuration } from 'oidc-provider';
import { toDatabaseSeconds } from '../../db/clock.ts';
import { queueSlide } from '../models/token.adapter.ts';
import { endIn } from '../storage/columns.ts';
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
    // PostgreSQL runs what the statement's query does not name from the last to the first: the slide locks the
    // grant before the use locks the token, in the order in which a withdrawal takes them.
    if (isKept) queueKeptUse(unit, { brand, id, until });
    else queueFirstUse(unit, brand, id);
    queueSlide(unit, { brand, grantId: token.grantId, until, linked: true });
    return !isKept && successor === undefined;
  };
