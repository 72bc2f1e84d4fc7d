import { readWordsInForce } from '../../branding/brand-words/words-in-force.ts';
import {
  createAccountStatusService,
  type ShownAccount,
} from '../../care/account-status/account-status.service.ts';
import { resetFactors } from '../../care/account-status/factor-reset.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import { createStoredMessages } from '../../person/delivery/stored-messages.ts';
import { importAccounts } from '../account-import/import-accounts.ts';
import { createProgressPrinter, describeSummary } from '../line-import/progress.ts';
import { type CommandContext, command, MisuseError } from './command.ts';

const statusOf = ({ connection, events }: Pick<CommandContext, 'connection' | 'events'>) =>
  createAccountStatusService({ db: connection.db, events });

const at = (time: Date | null | undefined) => time?.toISOString() ?? 'not known';

const linesOf = (account: ShownAccount): string[] => [
  `id              ${account.id}`,
  `nickname        ${account.nickname}`,
  ...account.identifiers.map(
    ({ kind, identifier, verifiedAt }) => `${kind.padEnd(15)} ${identifier}\tverified ${at(verifiedAt)}`,
  ),
  `language        ${account.locale}`,
  `status          ${account.status}`,
  ...(account.disabledAt ? [`disabled        ${at(account.disabledAt)}\t${account.disabledReason}`] : []),
  ...(account.leavingAt ? [`leaves          ${at(account.leavingAt)}`] : []),
  `created         ${at(account.createdAt)}`,
  `password        ${account.passwordChangedAt ? `set ${at(account.passwordChangedAt)}` : 'none'}`,
  account.secondFactor
    ? `second factor   on since ${at(account.secondFactor.since)}\t${account.secondFactor.recoveryCodesLeft} recovery codes left`
    : 'second factor   off',
  `passkeys        ${account.passkeys}`,
  `trusted         ${account.trustedBrowsers} browsers`,
  ...account.recoveryWaits.map(({ kind, dueAt }) => `recovery waits  by ${kind}\tdue ${at(dueAt)}`),
  `last sign-in    ${at(account.lastSignInAt)}`,
  `sessions        ${account.sessions}`,
  `authorizations  ${account.links} links, ${account.otherAuthorizations} others`,
  ...account.waitingChanges.map(
    ({ kind, identifier, dueAt }) =>
      `waiting change  ${kind} ${identifier ? `becomes ${identifier}` : 'is removed'}\tdue ${dueAt}`,
  ),
];

export const accountCommands = [
  command({
    name: 'account import',
    summary: 'take people over from a file of one JSON object a line (see docs/importing.md)',
    args: ['FILE'],
    example: 'account import people.jsonl',
    run: async ({ config, connection, args: [file], pathOf, prepare, progress, signal }) => {
      await prepare();
      const printer = createProgressPrinter(progress);
      const summary = await importAccounts({
        db: connection.db,
        path: pathOf(file),
        secretKeys: config.secretKeys,
        now: databaseNow,
        onProgress: printer.update,
        signal,
      }).finally(printer.finish);
      return { value: summary, lines: [describeSummary(summary)], refused: summary.refusedTotal > 0 };
    },
  }),
  command({
    name: 'account show',
    summary: 'what support needs to know of an account, by phone, e-mail or id',
    args: ['IDENTIFIER'],
    example: 'account show ada@example.com',
    recorded: 'after',
    run: async ({ args: [named], prepare, ...place }) => {
      await prepare({ dryRun: true });
      const shown = await statusOf(place).show(named);
      return { value: shown, lines: linesOf(shown) };
    },
  }),
  command({
    name: 'account disable',
    summary: 'end its sessions and tokens now and let nobody sign in; its links wait until it is enabled',
    args: ['IDENTIFIER'],
    options: {
      reason: { does: 'why, for the next person who looks', value: 'TEXT', required: true },
      'end-links': { does: 'end its links too: homes have to be linked again' },
    },
    example: "account disable ada@example.com --reason 'the phone was stolen'",
    run: async ({ args: [named], options: { reason, 'end-links': endLinks }, prepare, ...place }) => {
      await prepare();
      if (reason.trim() === '' || reason.length > 500)
        throw new MisuseError('--reason must have 1 to 500 characters');
      const disabled = await statusOf(place).disable(named, { reason, endLinks });
      return {
        value: disabled,
        lines: [`disabled: ${disabled.id}; sessions ended: ${disabled.sessions}; links: ${disabled.links}`],
      };
    },
  }),
  command({
    name: 'account reset-factors',
    summary: 'switch the second factor off for somebody who lost all of it, and tell all contacts',
    args: ['IDENTIFIER'],
    options: { yes: { does: 'you have made sure who asks: from then on a password or a code signs in' } },
    example: 'account reset-factors ada@example.com --yes',
    run: async ({ args: [named], options: { yes }, config, connection, events, prepare }) => {
      await prepare();
      if (!yes) throw new MisuseError('it takes --yes: from then on a password or a code signs in');
      const messages = createStoredMessages(config.secretKeys);
      const [brand] = await readWordsInForce(connection.db, config.brands);
      const options = { db: connection.db, messages, brand, events, now: databaseNow };
      const { id, changed } = await resetFactors(options, named);
      return { value: { id, changed }, lines: [`${changed ? 'switched off' : 'was off'}: ${id}`] };
    },
  }),
  command({
    name: 'account enable',
    summary: 'let the person sign in again; links that wait live on',
    args: ['IDENTIFIER'],
    example: 'account enable ada@example.com',
    run: async ({ args: [named], prepare, ...place }) => {
      await prepare();
      const { id, changed } = await statusOf(place).enable(named);
      return { value: { id, changed }, lines: [`${changed ? 'enabled' : 'was not disabled'}: ${id}`] };
    },
  }),
];
