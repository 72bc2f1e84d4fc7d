import type { DeskFound } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import { listClientsNamed } from '../../clients/client/client.repository.ts';
import { findErrorOfReference } from '../../clients/client-health/client-health.repository.ts';
import type { Database } from '../../ground/db/database.ts';
import { isStorable } from '../../ground/db/storable-text.ts';
import { AppError } from '../../ground/errors.ts';
import {
  type AccountRecord,
  findAccountByIdentifier,
  listAccounts,
} from '../../person/account/account.repository.ts';
import type { DeskSessionService, StaffAtWork } from '../desk-session/desk-session.service.ts';
import { recordLook } from '../record/record.service.ts';
import { readTypedIdentifier } from './typed-identifier.ts';

export interface FindingOptions {
  db: Kysely<Database>;
  deskSessions: Pick<DeskSessionService, 'countLook'>;
}

export interface FindingService {
  /**
   * What has exactly this word: an account by a phone number in any spelling, an e-mail address or its id; a client by its
   * id or name; a refused request by its reference. Nothing is browsed, and each search is counted and recorded.
   * @throws AppError rate_limited, identifier_invalid
   */
  find(member: StaffAtWork, typed: string): Promise<{ items: DeskFound[] }>;
}

/** More clients of one name than a person tells apart. */
const MOST_CLIENTS = 20;

const labelOf = ({ account, identifiers }: AccountRecord): string =>
  [account.nickname, ...identifiers.map(({ value }) => maskIdentifier(value))].filter(Boolean).join(' · ');

const findAccounts = async (db: Kysely<Database>, typed: string): Promise<DeskFound[]> => {
  const identifier = readTypedIdentifier(typed);
  const id = identifier ? (await findAccountByIdentifier(db, identifier))?.id : typed;
  const records = id === undefined ? [] : await listAccounts(db, [id]);
  return records.map((record) => ({ kind: 'account', id: record.account.id, label: labelOf(record) }));
};

const findClients = async (db: Kysely<Database>, typed: string): Promise<DeskFound[]> =>
  (await listClientsNamed(db, typed, MOST_CLIENTS)).map(({ id, metadata }) => ({
    kind: 'client',
    id,
    label: typeof metadata.client_name === 'string' ? metadata.client_name : id,
  }));

const findErrors = async (db: Kysely<Database>, typed: string): Promise<DeskFound[]> => {
  const row = await findErrorOfReference(db, typed);
  if (!row) return [];
  const { client_id: clientId, endpoint, kind, error, reason } = row;
  return [
    {
      kind: 'error',
      id: row.reference,
      label: `${endpoint} ${error}`,
      error: { clientId, at: row.created_at.toISOString(), endpoint, kind, error, reason },
    },
  ];
};

/** A word with an at sign, and digits as many as a phone number has. */
const LIKE_CONTACT = /\S*@\S*|\+?\d(?:[^\d\p{L}]{0,3}\d){6,}/gu;

const maskLike = (text: string): string =>
  text.includes('@') ? maskIdentifier(text) : `•••• ${text.replaceAll(/\D/g, '').slice(-2)}`;

/** What the record keeps of a search: what is like a contact is masked, mistyped or not. The id of what was found is none. */
const subjectOf = (typed: string, items: readonly DeskFound[]): string => {
  if (items.some(({ id }) => id === typed)) return typed;
  const identifier = readTypedIdentifier(typed);
  return identifier ? maskIdentifier(identifier.value) : typed.replaceAll(LIKE_CONTACT, maskLike);
};

export const createFindingService = ({ db, deskSessions }: FindingOptions): FindingService => ({
  find: async (member, typed) => {
    if (!isStorable(typed)) throw new AppError('identifier_invalid', { fields: { q: 'identifier_invalid' } });
    await deskSessions.countLook(member);
    const accounts = await findAccounts(db, typed);
    const items = [...accounts, ...(await findClients(db, typed)), ...(await findErrors(db, typed))];
    await recordLook(db, member.actor, {
      action: 'search',
      subject: subjectOf(typed, items),
      account: accounts[0]?.id,
      outcome: items.length > 0 ? 'found' : 'nothing',
    });
    return { items };
  },
});
