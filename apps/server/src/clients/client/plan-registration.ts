import { clientNotes } from '@candela/contract/rules/client-notes';
import {
  compareFields,
  type EntryChange,
  type FieldChange,
} from '../../ground/settings-file/entry-change.ts';
import type { ClientValues } from './client.repository.ts';
import type { ClientRow } from './client.table.ts';
import { toProblem } from './fault.ts';
import type { Registration } from './registration.ts';
import type { SecretHashes } from './secret-hashes.ts';
import { describeRiskyCharacters, SECRET_LENGTH } from './secret-rules.ts';

/** What is stored of a client. */
export interface StoredRegistration {
  row: ClientRow;
  /** The hash of the secret named `registered`. */
  registered: string | undefined;
  /** Its other secrets. */
  others: readonly { hash: string }[];
}

export interface PlannedRegistration {
  /** The values to store. */
  next: ClientValues;
  /** The hash to store of the secret named `registered`; undefined: stays as it is. */
  registered: string | undefined;
  /** undefined: stays as it is. */
  disabled: boolean | undefined;
  /** Why the registration is refused; empty if it is not. */
  problems: string[];
  change: EntryChange;
}

/** Refuses a short new secret. A short secret that the app has already is only a warning, so that the app goes on. */
const checkSecret = (secret: unknown, isHeld: boolean) => {
  if (typeof secret !== 'string') return { problems: [], warnings: [] };
  const isShort = secret.length < SECRET_LENGTH;
  const short = `.client_secret is shorter than ${SECRET_LENGTH} characters`;
  const risk = describeRiskyCharacters(secret);
  return {
    problems: isShort && !isHeld ? [`${short}: make one with "openssl rand -hex 32"`] : [],
    warnings: [
      ...(isShort && isHeld ? [`${short}: it goes on, but give the app a longer one`] : []),
      ...(risk ? [risk] : []),
    ],
  };
};

const REMOVED =
  '.client_secret was removed, and stays so: the client has other secrets; "client add-secret" gives it one more';

/** The fields of a registration, by the names of its entry. */
export const fieldsOf = ({
  brand,
  metadata,
  firstParty,
}: Pick<ClientValues, 'brand' | 'metadata' | 'firstParty'>) => {
  const { client_id: _id, ...rest } = metadata;
  return { ...rest, brand: brand ?? undefined, first_party: firstParty };
};

const describeSecretChange = (
  from: string | undefined,
  to: string | undefined,
  isHeld: boolean,
): FieldChange[] => {
  const field = 'client_secret';
  if (from === to) return [];
  if (isHeld) return [{ field, note: clientNotes.rehashed }];
  if (from === undefined) return [{ field, note: clientNotes.added }];
  return [{ field, note: to === undefined ? clientNotes.removed : clientNotes.replaced }];
};

/** What a registration changes where `stored` is stored. The change shows nothing of a secret. */
export const planRegistration = (
  { id, brand, firstParty, disabled, metadata: { client_secret: secret, ...metadata }, faults }: Registration,
  stored: StoredRegistration | undefined,
  { hashOf, findMatch }: SecretHashes,
): PlannedRegistration => {
  const held = stored?.registered;
  const isHeld =
    typeof secret === 'string' && held !== undefined && findMatch([{ hash: held }], secret) !== undefined;
  // A client that has other secrets had this one, and somebody removed it: it may be known to a stranger.
  const others = stored?.others ?? [];
  const isRemoved = held === undefined && others.length > 0 && typeof secret === 'string';
  const registered = typeof secret === 'string' && !isRemoved ? hashOf(secret, held) : undefined;
  const next: ClientValues = {
    id,
    brand: brand ?? null,
    // JSON drops undefined fields, as the database will.
    metadata: JSON.parse(JSON.stringify(metadata)),
    firstParty,
  };
  const row = stored?.row;
  const changes = row
    ? [
        ...compareFields(
          { ...fieldsOf({ ...row, firstParty: row.first_party }), disabled: row.disabled },
          { ...fieldsOf(next), disabled: disabled ?? row.disabled },
        ),
        ...describeSecretChange(held, registered, isHeld),
      ].toSorted((a, b) => (a.field < b.field ? -1 : 1))
    : [];
  const found = checkSecret(isRemoved ? undefined : secret, isHeld);
  const isStale = isRemoved && findMatch(others, secret) === undefined;
  const name = (text: string) => `client "${id}"${text.startsWith(':') ? '' : ' '}${text}`;
  return {
    next,
    registered,
    disabled,
    problems: [...faults.map(toProblem), ...found.problems].map(name),
    change: {
      id,
      outcome: row ? (changes.length > 0 ? 'changed' : 'unchanged') : 'added',
      changes,
      warnings: [...found.warnings, ...(isStale ? [REMOVED] : [])].map(name),
    },
  };
};
