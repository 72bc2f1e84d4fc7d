import type { Configuration } from 'oidc-provider';
import { toDatabaseSeconds } from '../../../ground/db/clock.ts';
import { queueSlide } from '../storage/grant-slide.ts';
import { row } from '../storage/row.ts';
import { currentUnit, type UnitOfWork } from '../storage/unit.ts';
import { lockGrantForIssue } from './jwt-issue.repository.ts';

type Customizers = NonNullable<NonNullable<Configuration['formats']>['customizers']>;

export interface JwtIssue {
  brand: string;
  grantId: string;
  /** The end of the token by the database's clock, in seconds since the epoch. */
  until: number;
}

/**
 * Queues for a JWT what the row of a stored token brings: the grant must exist, and lasts as long as the token.
 * @internal exported for tests
 */
export const queueJwtIssue = (unit: UnitOfWork, { brand, grantId, until }: JwtIssue): void => {
  unit.spend(row.grant(grantId, 'existence'), lockGrantForIssue, { brand, id: grantId });
  queueSlide(unit, { brand, grantId, until, linked: false });
};

/** Queues the issue of a JWT access token. */
export const createJwtCustomizer =
  (brand: string): NonNullable<Customizers['jwt']> =>
  (_ctx, token, { payload }) => {
    const unit = currentUnit();
    const grantId = 'grantId' in token ? token.grantId : undefined;
    if (unit && grantId)
      queueJwtIssue(unit, { brand, grantId, until: toDatabaseSeconds(Number(payload.exp)) });
  };
