import { hash } from 'node:crypto';
import type { ActivityDetail } from '@candela/contract';
import type { Kysely } from 'kysely';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import type { ClientHints } from '../../ground/browser/client-hints.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { type FoldedRefusal, insertRefusals } from './refused-sign-in.repository.ts';

/** Refusals that wait to be written, folded. More are lost: whoever makes so many tells nobody anything new. */
const WAITING = 2_000;
/**
 * An account gets so many rows an hour at most for each method. Browsers share them by what they say of themselves: an attacker who
 * says something else each time fills no table.
 */
const SLOTS = 8;

interface Refusal {
  /** Whom the person wanted to be: an identifier that may have no account, or the account that a first proof opened. */
  who: Pick<Identifier, 'kind' | 'value'> | { accountId: string };
  method: NonNullable<ActivityDetail['method']>;
  brand?: string | undefined;
  facts?: RequestFacts | undefined;
}

/**
 * Refused sign-ins of accounts, gathered in memory and written in the background. No refusal waits for it, and none
 * takes another time where there is an account. A process that is killed loses seconds of it.
 */
export interface RefusedSignIns {
  note(refusal: Refusal): void;
  /** Writes what has gathered. */
  flush(): Promise<void>;
}

const slotOf = ({ userAgent, clientHints, timeZone = '' }: RequestFacts): number => {
  const hints = clientHints ? (JSON.parse(clientHints) as ClientHints) : null;
  const { browser, os } = readBrowserFacts(userAgent, hints);
  return Number.parseInt(hash('sha256', [browser.name, os.name, timeZone].join(' ')).slice(0, 8), 16) % SLOTS;
};

const nobody: RequestFacts = { userAgent: '', clientHints: null, address: '', locale: '' };

export const createRefusedSignIns = ({
  db,
  now,
}: {
  db: Kysely<Database>;
  now: () => Date;
}): RefusedSignIns => {
  let waiting = new Map<string, FoldedRefusal>();

  return {
    note: ({ who, method, brand = '', facts = nobody }) => {
      const fold = `${now().toISOString().slice(0, 13)} ${method} ${slotOf(facts)}`;
      const owner = 'accountId' in who ? { kind: 'account', value: who.accountId } : who;
      const key = `${fold} ${owner.kind} ${owner.value}`;
      const folded = waiting.get(key);
      if (folded) folded.count += 1;
      else if (waiting.size < WAITING)
        waiting.set(key, {
          kind: owner.kind,
          value: owner.value,
          fold,
          brand,
          userAgent: facts.userAgent,
          clientHints: facts.clientHints,
          timeZone: facts.timeZone ?? null,
          detail: JSON.stringify({ method }),
          count: 1,
        });
    },

    flush: async () => {
      const taken = [...waiting.values()];
      waiting = new Map();
      if (taken.length > 0) await insertRefusals(db, taken);
    },
  };
};
