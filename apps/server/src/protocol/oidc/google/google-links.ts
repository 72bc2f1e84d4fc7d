import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import type { Brand } from '../../../branding/brand/brand.ts';
import { readWords } from '../../../branding/scope/space-separated.ts';
import type { Client } from '../../../clients/client/client.service.ts';
import { clientFingerprint } from '../../../clients/client/client-fingerprint.ts';
import { toClientSummary } from '../../../clients/client/client-summary.ts';
import type { RequestFacts } from '../../../ground/browser/request-facts.ts';
import type { Database } from '../../../ground/db/database.ts';
import { transact } from '../../../ground/db/transact.ts';
import type { EventSink } from '../../../ground/event/events.ts';
import { findRememberedConsent } from '../../../link/grant/remembered-consent.repository.ts';
import { findAccountByIdentifier } from '../../../person/account/account.repository.ts';
import type { Delivery } from '../../../person/delivery/message-queue.ts';
import {
  createGoogleAccount,
  type GoogleAccountOptions,
} from '../../../person/google-subject/google-account.ts';
import {
  findAccountOfSubject,
  type GoogleSubject,
  lockGoogleSubject,
  lockUnguardedAccount,
} from '../../../person/google-subject/google-subject.repository.ts';
import { type EngineClient, policyOf } from '../client/client-policy.ts';
import type { GoogleAssertion } from './google-assertion.ts';
import { issueLink, type LinkTokens, type NewLink } from './issue-link.ts';
import { spendAssertion } from './used-assertion.repository.ts';

export interface GoogleLinksOptions extends GoogleAccountOptions {
  db: Kysely<Database>;
  events: EventSink;
}

/** A person of Google who links, at a client of a brand. */
export interface GoogleLinking {
  provider: Provider;
  brand: Brand;
  registered: Client;
  engine: EngineClient;
  assertion: GoogleAssertion;
  scopes: readonly string[];
  facts: RequestFacts;
}

/** Why nothing was linked: the person has to be asked in the browser, or the assertion was used before. */
type LinkingRefusal = 'person_is_asked' | 'assertion_used';

/** Undoes the transaction. */
class Refused extends Error {
  readonly refusal: LinkingRefusal;
  constructor(refusal: LinkingRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

type Outcome = LinkTokens | LinkingRefusal;

/** What Google's intents do. */
export interface GoogleLinks {
  /** Whether the person has an account: one that was made for them, or one with their verified address. */
  isKnown(linking: Pick<GoogleLinking, 'registered' | 'assertion'>): Promise<boolean>;
  /** Links the account that was made for the person, where nobody has to be asked. */
  relink(linking: GoogleLinking): Promise<Outcome>;
  /** Makes an account for the person and links it, in one transaction. */
  create(linking: GoogleLinking): Promise<Outcome>;
}

const subjectOf = ({ registered, assertion }: Pick<GoogleLinking, 'registered' | 'assertion'>) =>
  ({ clientId: registered.id, subject: assertion.subject }) satisfies GoogleSubject;

const asNewLink = (
  { provider, brand, registered, engine, scopes, facts }: GoogleLinking,
  accountId: string,
): NewLink => ({ provider, brand: brand.id, registered, engine, accountId, scopes, facts });

/** Whether the person approved all of it before, and has not withdrawn it since. */
const isRemembered = async (
  trx: Kysely<Database>,
  { registered, brand, scopes }: GoogleLinking,
  accountId: string,
): Promise<boolean> => {
  const key = { brand: brand.id, accountId, clientId: registered.id };
  const before = await findRememberedConsent(trx, key);
  if (before?.client_fingerprint !== clientFingerprint(registered.metadata)) return false;
  const approved = readWords(before.scope);
  return scopes.every((scope) => approved.includes(scope));
};

const refusalOf = (error: unknown): LinkingRefusal => {
  if (error instanceof Refused) return error.refusal;
  throw error;
};

export const createGoogleLinks = (options: GoogleLinksOptions): GoogleLinks => {
  const { db, events } = options;

  const isKnown = async (
    at: Kysely<Database>,
    linking: Pick<GoogleLinking, 'registered' | 'assertion'>,
  ): Promise<boolean> => {
    const { email, isVerified } = linking.assertion;
    if (await findAccountOfSubject(at, subjectOf(linking))) return true;
    return isVerified && (await findAccountByIdentifier(at, { kind: 'email', ...email })) !== undefined;
  };

  /** @throws Refused */
  const link = async (trx: Kysely<Database>, linking: GoogleLinking, accountId: string) => {
    if (!(await spendAssertion(trx, linking.brand.id, linking.assertion)))
      throw new Refused('assertion_used');
    const tokens = await issueLink(trx, asNewLink(linking, accountId));
    if (!tokens) throw new Refused('person_is_asked');
    return tokens;
  };

  const tell = (accountId: string, { brand, registered }: GoogleLinking) =>
    events.emit('consent.given', { accountId, brand: brand.id, clientId: registered.id });

  return {
    isKnown: (linking) => isKnown(db, linking),

    relink: async (linking) => {
      const { isAuthoritative, email } = linking.assertion;
      if (!isAuthoritative) return 'person_is_asked';
      let accountId = '';
      const made = await transact(db, async (trx) => {
        const found = await lockUnguardedAccount(trx, subjectOf(linking), email.value);
        if (found === undefined || !(await isRemembered(trx, linking, found)))
          throw new Refused('person_is_asked');
        accountId = found;
        return link(trx, linking, accountId);
      }).catch(refusalOf);
      if (typeof made !== 'string') tell(accountId, linking);
      return made;
    },

    create: async (linking) => {
      const { assertion, registered, engine, brand, facts } = linking;
      if (!assertion.isAuthoritative || !policyOf(engine).createsGoogleAccounts) return 'person_is_asked';
      let notices: Delivery[] = [];
      let accountId = '';
      const made = await transact(db, async (trx) => {
        await lockGoogleSubject(trx, subjectOf(linking));
        if (await isKnown(trx, linking)) throw new Refused('person_is_asked');
        const { email, locale } = assertion;
        const { name: app } = toClientSummary(registered);
        const account = { ...subjectOf(linking), email, locale, brand, app, facts };
        const created = await createGoogleAccount(trx, options, account);
        if (!created) throw new Refused('person_is_asked');
        ({ accountId, notices } = created);
        return link(trx, linking, accountId);
      }).catch(refusalOf);
      if (typeof made === 'string') return made;
      await Promise.all(notices.map((notice) => notice.start()));
      events.emit('account.registered', { accountId, brand: brand.id, clientId: registered.id });
      tell(accountId, linking);
      return made;
    },
  };
};
