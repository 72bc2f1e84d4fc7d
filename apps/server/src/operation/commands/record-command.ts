import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import { findNamedAccount } from '../../care/account-status/named-account.ts';
import { readTypedIdentifier } from '../../desk/finding/typed-identifier.ts';
import { type RecordActor, type Recorded, recordLook } from '../../desk/record/record.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { findWriteFault } from '../../ground/db/writability.ts';
import type { CommandPlace, DatabaseCommand } from './command.ts';
import type { GivenValue } from './option.ts';
import type { OsCaller } from './os-caller.ts';

/** A call of a command, for its entry in the record. */
export interface RecordedCall {
  command: DatabaseCommand;
  args: readonly string[];
  options: Readonly<Record<string, GivenValue>>;
  /** The name of `--as`; the operating system's, where it is left out. */
  as: string | undefined;
  by: OsCaller;
}

/** Contacts are masked: the id of their account says whose they are. */
const masked = (word: string): string => {
  const identifier = readTypedIdentifier(word);
  return identifier ? maskIdentifier(identifier.value) : word;
};

const optionWords = ([name, value]: [string, GivenValue]): string[] => {
  if (value === undefined || value === false || name === 'reason') return [];
  return value === true ? [`--${name}`] : [value].flat().map((each) => `--${name}=${masked(String(each))}`);
};

const actorOf = ({ as, by }: RecordedCall): RecordActor => ({
  kind: 'command',
  name: as ?? by.user,
  from: as === undefined ? by.host : `${by.user}@${by.host}`,
});

/** The account that the call names; undefined where it names none, or nobody. */
const accountOf = async (
  db: Kysely<Database>,
  { command, args }: RecordedCall,
): Promise<string | undefined> => {
  const at = command.args?.indexOf('IDENTIFIER') ?? -1;
  const named = at < 0 ? undefined : args[at];
  return named === undefined ? undefined : findNamedAccount(db, named).catch(() => undefined);
};

const entryOf = async (db: Kysely<Database>, call: RecordedCall): Promise<Recorded> => {
  const { command, args, options } = call;
  const words = [command.name, ...args.map(masked), ...Object.entries(options).flatMap(optionWords)];
  const { reason } = options;
  return {
    action: 'command',
    account: await accountOf(db, call),
    subject: words.join(' '),
    reason: typeof reason === 'string' ? reason : undefined,
  };
};

/**
 * A place in which a command leaves an entry in the record: before it writes, so that nothing is done unrecorded, and
 * another one where it was refused; of one that shows people or everything, after it.
 */
export const recordingPlace = (place: CommandPlace, call: RecordedCall, note: (line: string) => void) => {
  let entry: Recorded | undefined;

  const append = async (outcome: 'done' | 'refused'): Promise<void> => {
    const { db } = place.connection;
    entry ??= await entryOf(db, call);
    await recordLook(db, actorOf(call), { ...entry, outcome });
  };

  return {
    place: {
      ...place,
      prepare: async (asked?: { dryRun: boolean }) => {
        const applied = await place.prepare(asked);
        if (!asked?.dryRun && call.command.recorded === undefined) await append('done');
        return applied;
      },
    },
    done: async () => {
      const { recorded } = call.command;
      if (recorded !== 'after' && recorded !== 'if-writable') return;
      const fault = recorded === 'after' ? undefined : await findWriteFault(place.connection.db);
      if (fault === undefined) await append('done');
      else note(`the record has no entry of this: the database takes no writes, since ${fault}`);
    },
    refused: async () => {
      if (entry) await append('refused').catch(() => undefined);
    },
  };
};
