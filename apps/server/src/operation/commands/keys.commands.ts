import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { ConfigError, StartError } from '../../ground/start-error.ts';
import { listSigningKeys } from '../../link/signing-key/signing-key.repository.ts';
import { revokeSigningKey, rotateSigningKeys } from '../../link/signing-key/signing-key.service.ts';
import { countSealedByKey, sealSecretsAnew } from '../secret-key/secret-key.service.ts';
import { requireKnownFirstKey } from '../secret-key/serving-process.service.ts';
import { type CommandResult, command } from './command.ts';
import { createCountPrinter } from './count-printer.ts';

const listKeys = async (db: Kysely<Database>): Promise<CommandResult> => {
  const keys = (await listSigningKeys(db)).map(({ kid, alg, status, activated_at, retired_at }) => ({
    kid,
    alg,
    status,
    ...(activated_at && { activatedAt: activated_at.toISOString() }),
    ...(retired_at && { retiredAt: retired_at.toISOString() }),
  }));
  const lines = keys.map(({ kid, alg, status, activatedAt, retiredAt }) =>
    [
      kid,
      alg,
      status,
      ...(activatedAt ? [`signs since ${activatedAt}`] : []),
      ...(retiredAt ? [`until ${retiredAt}`] : []),
    ].join('\t'),
  );
  return { value: keys, lines };
};

/** Says which keys can go. Of a key that sealed nothing, the database does not tell whether it is a former one or the next. */
const describeOlderKeys = (count: number, sealedAnew: number): string[] =>
  Array.from({ length: count }, (_none, index) => `key ${index + 2} of SECRET_KEY`).map((key) =>
    sealedAnew > 0 && count === 1
      ? `nothing is sealed under ${key} any more: it can go`
      : `nothing is sealed under ${key}: if it was in front before, it can go. If it is the new one, keep it, and put it in front`,
  );

export const keysCommands = [
  command({
    name: 'keys list',
    summary: 'the keys that sign and have signed tokens',
    example: 'keys list',
    run: ({ connection }) => listKeys(connection.db),
  }),
  command({
    name: 'keys rotate',
    summary: 'let the next keys sign from now on',
    example: 'keys rotate',
    run: async ({ config, connection, events, prepare }) => {
      await prepare();
      if (await rotateSigningKeys({ db: connection.db, secretKeys: config.secretKeys }))
        events.emit('keys.rotated', { detail: 'by command' });
      return listKeys(connection.db);
    },
  }),
  command({
    name: 'keys revoke',
    summary: 'withdraw a key that does not sign, with all that it signed (-- before one that begins with -)',
    args: ['KID'],
    example: 'keys revoke 3eV1dVqKQ0lYw0xvE1vJm2n3bq4bV1yB0rA2l0cGk5M',
    run: async ({ config, connection, events, args: [kid] }) => {
      const revoked = await revokeSigningKey({ db: connection.db, secretKeys: config.secretKeys }, kid);
      if (!revoked)
        throw new ConfigError([`no key ${kid} that can be revoked: one that signs has to be rotated first`]);
      events.emit('keys.revoked', { detail: kid });
      return { value: { kid }, lines: [`revoked: ${kid}`] };
    },
  }),
  command({
    name: 'secrets rotate',
    summary: 'seal anew what an older SECRET_KEY sealed, so that it can be retired',
    options: { yes: { does: 'the first SECRET_KEY is right, although no server runs that knows it' } },
    example: 'secrets rotate',
    run: async ({ config, connection, events, options: { yes }, prepare, progress, signal }) => {
      await prepare();
      const sealing = { db: connection.db, secretKeys: config.secretKeys };
      await requireKnownFirstKey({ ...sealing, confirmed: yes });
      const printer = createCountPrinter(progress);
      const sealedAnew = await sealSecretsAnew(sealing, {
        onProgress: ({ seen, sealedAnew: count }) =>
          printer.update(`${seen} looked at, ${count} sealed anew`),
        signal,
      }).finally(printer.finish);
      if (sealedAnew > 0) events.emit('secrets.sealed_anew', { count: sealedAnew });
      const [, ...older] = await countSealedByKey(sealing);
      const left = older.reduce((sum, count) => sum + count, 0);
      if (left > 0)
        throw new StartError(
          `sealed anew: ${sealedAnew}; ${left} are under an older key by now: a process still has it in front. Put the newest in front everywhere, and run this again`,
        );
      return {
        value: { sealedAnew },
        lines: [
          `sealed anew: ${sealedAnew}; nothing needs another SECRET_KEY than the first`,
          ...describeOlderKeys(older.length - 1, sealedAnew),
        ],
      };
    },
  }),
];
