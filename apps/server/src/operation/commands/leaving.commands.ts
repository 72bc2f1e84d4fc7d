import { writeFile } from 'node:fs/promises';
import { readPageCatalog } from '../../branding/brand/page-catalog.ts';
import { readWordsInForce } from '../../branding/brand-words/words-in-force.ts';
import { exportForOperator } from '../../care/data-export/data-export.service.ts';
import { createLeavingService } from '../../care/leaving/leaving.service.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import { createStoredMessages } from '../../person/delivery/stored-messages.ts';
import { webDist } from '../../protocol/page/web-dist.ts';
import type { Config } from '../config/config.ts';
import { createCounterKeyOf } from '../wiring/counter-key.ts';
import { type CommandContext, command, MisuseError } from './command.ts';

const leavingOf = (
  brands: Config['brands'],
  { config, connection, events }: Pick<CommandContext, 'config' | 'connection' | 'events'>,
) =>
  createLeavingService({
    db: connection.db,
    events,
    messages: createStoredMessages(config.secretKeys),
    brands,
    keyOf: createCounterKeyOf(config.secretKeys),
    now: databaseNow,
  });

/** Commands for what people ask by post: their data, and the end of their account. */
export const leavingCommands = [
  command({
    name: 'account delete',
    summary: 'delete an account after 14 days, in which its person can sign in and keep it',
    args: ['IDENTIFIER'],
    options: {
      yes: { does: 'sign it out and tell all its contacts' },
      now: { does: 'delete it at once, without the 14 days: nothing of it comes back' },
    },
    example: 'account delete ada@example.com --yes',
    run: async ({ args: [named], options: { yes, now }, prepare, ...place }) => {
      if (!yes)
        throw new MisuseError(
          `account delete ${named} needs --yes. "account show ${named}" says what it holds, "account disable ${named}" ends no more than its sessions`,
        );
      await prepare();
      const brands = await readWordsInForce(place.connection.db, place.config.brands);
      const leaving = leavingOf(brands, place);
      if (now) {
        const { id } = await leaving.deleteNow(named);
        return { value: { id, deleted: true }, lines: [`deleted: ${id}`] };
      }
      const [brand] = brands;
      const { id, endsAt } = await leaving.leaveFor(named, brand);
      return {
        value: { id, endsAt: endsAt.toISOString() },
        lines: [`will be deleted at ${endsAt.toISOString()}: ${id}`],
      };
    },
  }),
  command({
    name: 'account export',
    summary: 'write everything about a person to a zip, as they could download it',
    args: ['IDENTIFIER'],
    options: { out: { does: 'the file to write; it must not exist', value: 'FILE', required: true } },
    example: 'account export ada@example.com --out ada.zip',
    recorded: 'after',
    run: async ({ args: [named], options: { out }, pathOf, prepare, registrations, ...place }) => {
      await prepare({ dryRun: true });
      const { config, connection, events } = place;
      const { clients } = await registrations();
      const pageTexts = readPageCatalog(webDist);
      const options = { db: connection.db, clients, pageTexts, now: databaseNow, events };
      const { id, bytes } = await exportForOperator(options, named, config.brands[0].name);
      const path = pathOf(out);
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
      return {
        value: { id, path, bytes: bytes.length },
        lines: [`${path}: ${bytes.length} bytes, of ${id}`],
      };
    },
  }),
];
