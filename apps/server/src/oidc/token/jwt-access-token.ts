import type { Configuration } from 'oidc-provider';
import { toDatabaseSeconds } from '../../db/clock.ts';
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

/** Adds to a JWT access token how and when the person signed in (RFC 9068 section 2.2.1), and queues its issue. */
export const createJwtCustomizer =
  (brand: string): NonNullable<Customizers['jwt']> =>
  ({ oidc }, token, { payload }) => {
    const unit = currentUnit();
    const grantId = 'grantId' in token ? token.grantId : undefined;
    if (unit && grantId)
      queueJwtIssue(unit, { brand, grantId, until: toDatabaseSeconds(Number(payload.exp)) });
    const { AuthorizationCode, RefreshToken, DeviceCode } = oidc.entities;
    const source = AuthorizationCode ?? RefreshToken ?? DeviceCode;
    if (source?.authTime !== undefined) payload.auth_time = source.authTime;
    if (source?.acr !== undefined) payload.acr = source.acr;
    if (source?.amr !== undefined) payload.amr = source.amr;
  };
