import type { Kysely } from 'kysely';
import type { ClientService } from '../../clients/client/client.service.ts';
import { toClientSummary } from '../../clients/client/client-summary.ts';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import type { ClientHints } from '../../ground/browser/client-hints.ts';
import type { Database } from '../../ground/db/database.ts';
import { findPersonRows, type PersonRows } from './person-data.repository.ts';

export interface PersonDataOptions {
  db: Kysely<Database>;
  clients: Pick<ClientService, 'findClient'>;
}

/** A section of the file: what there is once, or a list. */
type Section = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];

/** What happened to the account. */
type ToldActivity = Omit<PersonRows['activity'][number], 'clientId' | 'userAgent' | 'clientHints'> & {
  client?: { id: string; name?: string | undefined };
};

/** Everything about a person, as the file has it. Its sections have the names of the contract. */
export interface PersonData extends Readonly<Record<string, Section | undefined>> {
  account: Readonly<Record<string, unknown>>;
  activity: readonly ToldActivity[];
}

interface OfBrowser {
  userAgent: string;
  clientHints?: ClientHints | null;
}

interface OfClient {
  clientId?: string;
  brand?: string;
}

/** What the browser said, and what people see of it. */
const withBrowser = <Row extends OfBrowser>({ userAgent, clientHints, ...row }: Row) => ({
  ...row,
  ...(userAgent !== '' && { ...readBrowserFacts(userAgent, clientHints ?? null) }),
});

/** Names the apps as people see them; an app that is gone has its id alone. */
const createNaming = ({ clients }: PersonDataOptions) => {
  const known = new Map<string, Promise<{ id: string; name?: string; host?: string }>>();
  const find = async (id: string, brand: string | undefined) => {
    const client = await clients.findClient(id, brand ?? '');
    if (!client) return { id };
    const { name, host } = toClientSummary(client);
    return { id, name, host };
  };
  return async <Row extends OfClient>({ clientId, ...row }: Row) => {
    if (clientId === undefined) return row;
    const key = `${row.brand} ${clientId}`;
    const found = known.get(key) ?? find(clientId, row.brand);
    known.set(key, found);
    return { ...row, client: await found };
  };
};

const toData = async (options: PersonDataOptions, rows: PersonRows): Promise<PersonData> => {
  const { passwordChangedAt, passkeyOfferDeclinedAt, developerSince, staffSince, exportRequestedAt } = rows;
  const named = createNaming(options);
  const all = <Row extends OfClient>(list: readonly Row[]) => Promise.all(list.map(named));
  return {
    account: {
      ...rows.account,
      ...(passwordChangedAt && { passwordChangedAt }),
      ...(passkeyOfferDeclinedAt && { passkeyOfferDeclinedAt }),
      ...(developerSince && { developerSince }),
      ...(staffSince && { staffSince }),
      ...(exportRequestedAt && { exportRequestedAt }),
    },
    identifiers: rows.identifiers,
    changes: rows.changes,
    agreements: await all(rows.agreements),
    googleSubjects: await all(rows.googleSubjects),
    sessions: rows.sessions.map(withBrowser),
    authorizations: await all(rows.authorizations.map(withBrowser)),
    endedAuthorizations: await all(rows.endedAuthorizations),
    rememberedConsents: await all(rows.rememberedConsents),
    rememberedBy: rows.rememberedBy,
    passkeys: rows.passkeys,
    providers: rows.providers,
    ...(rows.secondFactor && { secondFactor: rows.secondFactor }),
    trustedBrowsers: rows.trustedBrowsers.map(withBrowser),
    ...(rows.recoveryWait && { recoveryWait: rows.recoveryWait }),
    signalSubjects: await all(rows.signalSubjects),
    activity: await all(rows.activity.map(withBrowser)),
    ...(rows.developerRequest && { developerRequest: rows.developerRequest }),
    staffNotes: rows.staffNotes,
    clients: await all(rows.clients),
  };
};

/** Everything about a person, without secrets and without anything of others; undefined where there is no such account. */
export const readPersonData = async (
  options: PersonDataOptions,
  accountId: string,
): Promise<PersonData | undefined> => {
  const rows = await findPersonRows(options.db, accountId);
  return rows && toData(options, rows);
};
