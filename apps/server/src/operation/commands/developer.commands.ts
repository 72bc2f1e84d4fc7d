import { createDeveloperRequestService } from '../../desk/developer-request/developer-request.service.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import { command } from './command.ts';

/** A developer in a line: the identifiers of the account and its nickname. */
const describe = ({ nickname, identifiers }: { nickname: string; identifiers: readonly string[] }) =>
  [...identifiers, nickname].join('\t');

export const developerCommands = [
  command({
    name: 'developer allow',
    summary: 'let an account register clients, in the console and by the REST API',
    args: ['IDENTIFIER'],
    example: 'developer allow ada@example.com',
    run: async ({ args: [identifier], prepare, registrations }) => {
      await prepare();
      const { developers } = await registrations();
      const { changed, ...developer } = await developers.allow(identifier);
      return {
        value: { ...developer, changed },
        lines: [`${changed ? 'allowed' : 'was allowed before'}: ${describe(developer)}`],
      };
    },
  }),
  command({
    name: 'developer revoke',
    summary: 'take that back; the clients of the account go on, and it sees them no more',
    args: ['IDENTIFIER'],
    example: 'developer revoke ada@example.com',
    run: async ({ args: [identifier], prepare, registrations }) => {
      await prepare();
      const { developers } = await registrations();
      const developer = await developers.revoke(identifier);
      return { value: developer, lines: [`revoked: ${describe(developer)}`] };
    },
  }),
  command({
    name: 'developer list',
    summary: 'the accounts that may register clients, the newest first',
    example: 'developer list --json',
    recorded: 'after',
    run: async ({ prepare, registrations }) => {
      await prepare({ dryRun: true });
      const { developers } = await registrations();
      const allowed = await developers.list();
      return {
        value: allowed,
        lines: allowed.map((developer) => `${developer.allowedAt.toISOString()}\t${describe(developer)}`),
      };
    },
  }),
  command({
    name: 'developer requests',
    summary: 'the accounts that ask to register clients, the oldest first; `developer allow` lets one',
    example: 'developer requests --json',
    recorded: 'after',
    run: async ({ prepare, connection: { db }, events }) => {
      await prepare({ dryRun: true });
      const requests = await createDeveloperRequestService({ db, events, now: databaseNow }).list();
      return {
        value: requests,
        lines: requests.map(({ askedAt, account, identifiers, why }) =>
          [askedAt, account.id, ...identifiers, account.nickname, why].join('\t'),
        ),
      };
    },
  }),
];
