import { compareFields, type EntryChange, type FieldChange } from '../settings-file/entry-change.ts';
import type { ClientValues } from './client.repository.ts';
import type { ClientRow } from './client.table.ts';
import type { Registration } from './registration.ts';
import type { SecretHashes } from './secret-hashes.ts';
import { describeRiskyCharacters, SECRET_LENGTH } from './secret-rules.ts';

export interface PlannedRegistration {
  /** The values to store. */
  next: ClientValues;
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

/** The fields of a registration, by the names of its entry. */
const fieldsOf = ({ brand, metadata, firstParty, disabled }: ClientValues & { disabled: boolean }) => {
  const { client_id: _id, ...rest } = metadata;
  return { ...rest, brand: brand ?? undefined, first_party: firstParty, disabled };
};

const describeSecretChange = ({ field, from, to }: FieldChange, isHeld: boolean): FieldChange => {
  if (isHeld) return { field, note: 'the same, hashed under the newest SECRET_KEY' };
  if (from === undefined) return { field, note: 'added' };
  return { field, note: to === undefined ? 'removed' : 'another one' };
};

/** What a registration changes where `row` is stored. The change shows nothing of a secret. */
export const planRegistration = (
  { id, brand, firstParty, disabled, metadata, problems }: Registration,
  row: ClientRow | undefined,
  { hashOf, secretMatches }: SecretHashes,
): PlannedRegistration => {
  const { client_secret: secret } = metadata;
  const stored = row?.metadata.client_secret;
  const isHeld = typeof secret === 'string' && typeof stored === 'string' && secretMatches(stored, secret);
  const hashed = typeof secret === 'string' && { client_secret: hashOf(secret, stored) };
  const next: ClientValues = {
    id,
    brand: brand ?? null,
    // JSON drops undefined fields, as the database will.
    metadata: JSON.parse(JSON.stringify({ ...metadata, ...hashed })),
    firstParty,
  };
  const changes = row
    ? compareFields(
        fieldsOf({ ...row, firstParty: row.first_party }),
        fieldsOf({ ...next, disabled: disabled ?? row.disabled }),
      ).map((change) => (change.field === 'client_secret' ? describeSecretChange(change, isHeld) : change))
    : [];
  const found = checkSecret(secret, isHeld);
  const name = (text: string) => `client "${id}" ${text}`;
  return {
    next,
    disabled,
    problems: [...problems, ...found.problems].map(name),
    change: {
      id,
      outcome: row ? (changes.length > 0 ? 'changed' : 'unchanged') : 'added',
      changes,
      warnings: found.warnings.map(name),
    },
  };
};
