import type { Authorization, EndedAuthorization, LinkToReview } from '@candela/contract';
import type { Kysely } from 'kysely';
import { readWords } from '../../branding/scope/space-separated.ts';
import { clientFingerprint } from '../../clients/client/client-fingerprint.ts';
import type { Database } from '../../ground/db/database.ts';
import { readCursor, toPage } from '../../ground/paging/page-cursor.ts';
import { listEndedLinks } from '../../person/signal/ended-link-list.repository.ts';
import {
  type DescriptionOptions,
  scopesOf,
  summaryOf,
  toAuthorization,
  toEndedAuthorization,
} from './authorization.ts';
import { listGrants, listLinks } from './grant.repository.ts';
import {
  type ConsentKey,
  findRememberedConsent,
  updateMissingFingerprint,
} from './remembered-consent.repository.ts';

const PAGE = 20;
/** More links than a person has homes. */
const LINKS_REVIEWED = 100;

/** How an account answered a client before, by scopes. */
export interface RememberedConsent {
  approved: ReadonlySet<string>;
  /** Left out of an approval, where the client lets people choose. */
  declined: ReadonlySet<string>;
}

export interface ConsentMemory {
  /**
   * What the account answered the client before; undefined where it answered nothing, or answered another app: a
   * client of another name, or at another host, is another app although its id is the same.
   */
  recall(key: ConsentKey): Promise<RememberedConsent | undefined>;
}

const toScopes = (text: string): Set<string> => new Set(readWords(text));

export interface GrantServiceOptions extends DescriptionOptions {
  db: Kysely<Database>;
}

/** What an account approved, as its owner reads it. */
export interface GrantService extends ConsentMemory {
  /** A page of the account's authorizations, newest first; `after` is the `next` of an earlier page. */
  listAuthorizations(accountId: string, after?: string): Promise<{ items: Authorization[]; next?: string }>;
  /** A page of the links of the account that ended in the last 90 days, the latest first. */
  listEnded(accountId: string, after?: string): Promise<{ items: EndedAuthorization[]; next?: string }>;
  /** What stays connected when the password changes, for the person to review; newest first. */
  listLinks(accountId: string): Promise<LinkToReview[]>;
}

export const createGrantService = (options: GrantServiceOptions): GrantService => {
  const { db, clients } = options;

  return {
    recall: async (key) => {
      const row = await findRememberedConsent(db, key);
      const client = row && (await clients.findClient(key.clientId, key.brand));
      if (!row || !client) return undefined;
      const fingerprint = clientFingerprint(client.metadata);
      if (row.client_fingerprint === null) await updateMissingFingerprint(db, key, fingerprint);
      else if (row.client_fingerprint !== fingerprint) return undefined;
      return { approved: toScopes(row.scope), declined: toScopes(row.declined) };
    },

    listAuthorizations: async (accountId, after) => {
      const rows = await listGrants(db, accountId, { limit: PAGE + 1, after: readCursor(after) });
      const { page, ...next } = toPage(rows, PAGE, ({ id }) => id);
      return { items: await Promise.all(page.map((row) => toAuthorization(options, row))), ...next };
    },

    listEnded: async (accountId, after) => {
      const rows = await listEndedLinks(db, accountId, { limit: PAGE + 1, after: readCursor(after) });
      const { page, ...next } = toPage(rows, PAGE, ({ id }) => id);
      return { items: await Promise.all(page.map((row) => toEndedAuthorization(options, row))), ...next };
    },

    listLinks: async (accountId) => {
      const rows = await listLinks(db, accountId, LINKS_REVIEWED);
      return Promise.all(
        rows.map(async (row) => ({
          client: await summaryOf(options, row),
          scopes: scopesOf(row, true),
          createdAt: row.created_at.toISOString(),
          lastAccessedAt: row.last_accessed_at.toISOString(),
        })),
      );
    },
  };
};
