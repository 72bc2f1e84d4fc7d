import { randomBytes } from 'node:crypto';
import type { TrustedBrowser } from '@candela/contract';
import type { Kysely } from 'kysely';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { noteActivity } from '../activity/note-activity.ts';
import type { CurrentSession } from '../session/session.service.ts';
import { trustedBrowserRows, upsertTrustedBrowser } from './trusted-browser.repository.ts';
import type { TrustedBrowserRow } from './trusted-browser.table.ts';

/** For how long a browser is not asked for the second factor. */
export const TRUST_SECONDS = 30 * 86_400;

/** The browser of a request, by its two cookies at a brand. */
export interface BrowserAt {
  browserId: string;
  /** The value of the cookie of trust; undefined for a browser that has none. */
  token: string | undefined;
  brand: string;
}

/** Browsers that are not asked for the second factor. */
export interface TrustedBrowserService {
  /** Whether the browser is trusted with the account; notes the use. */
  isTrusted(accountId: string, at: BrowserAt): Promise<boolean>;
  /**
   * Trusts the browser with the account for 30 days, in the transaction in which its factor was passed. Does nothing
   * where the sessions of the account ended since the sign-in began, by its epoch.
   */
  trust(
    trx: Kysely<Database>,
    account: { accountId: string; epoch: number },
    at: BrowserAt & { token: string; facts: RequestFacts },
  ): Promise<void>;
  /** The newest first. */
  list(accountId: string, at: Partial<BrowserAt>): Promise<TrustedBrowser[]>;
  /** @throws AppError not_found */
  end(current: CurrentSession, id: string): Promise<void>;
}

const toTrustedBrowser = (
  row: Omit<TrustedBrowserRow, 'account_id' | 'token_hash'>,
  current: boolean,
): TrustedBrowser => {
  const { browser, platform, os } = readBrowserFacts(row.user_agent, row.client_hints);
  return {
    id: row.id,
    current,
    browser,
    platform,
    os,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
};

export const createTrustedBrowserService = ({
  db,
  events,
  now,
}: {
  db: Kysely<Database>;
  events: EventSink;
  now: () => Date;
}): TrustedBrowserService => ({
  isTrusted: async (accountId, { browserId, token, brand }) => {
    if (token === undefined) return false;
    const hashes = { token_hash: hashToken(token), device_hash: hashToken(browserId) };
    const at = now();
    const trusted = { account_id: accountId, ...hashes, brand };
    return (await trustedBrowserRows.change(db, trusted, { last_used_at: at }, at)) !== undefined;
  },

  trust: async (trx, { accountId, epoch }, { browserId, token, brand, facts }) => {
    const at = now();
    const row = {
      id: randomBytes(16).toString('base64url'),
      account_id: accountId,
      token_hash: hashToken(token),
      device_hash: hashToken(browserId),
      brand,
      user_agent: facts.userAgent,
      client_hints: facts.clientHints,
      created_at: at,
      last_used_at: at,
      expires_at: new Date(at.getTime() + TRUST_SECONDS * 1000),
    };
    await upsertTrustedBrowser(trx, row, epoch);
    await noteActivity(trx, {
      accountId,
      kind: 'trusted_browser_added',
      brand,
      deviceHash: row.device_hash,
      facts,
    });
  },

  list: async (accountId, { browserId, brand }) => {
    const here = browserId && hashToken(browserId);
    const rows = await trustedBrowserRows.list(db, { account_id: accountId }, now());
    return rows.map((row) => toTrustedBrowser(row, row.device_hash === here && row.brand === brand));
  },

  end: async (current, id) => {
    const { accountId } = current;
    await inTransaction(db, async (trx) => {
      const [ended] = await trustedBrowserRows.endOf(trx, accountId, { id });
      if (!ended) throw new AppError('not_found');
      await noteActivity(trx, { accountId, kind: 'trusted_browser_ended', session: current });
    });
    events.emit('trusted_browser.ended', { accountId });
  },
});
