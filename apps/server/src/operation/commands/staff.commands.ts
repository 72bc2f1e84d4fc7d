import { type StaffRole, staffRoles } from '@candela/contract';
import { createStaffService } from '../../desk/staff/staff.service.ts';
import { StartError } from '../../ground/start-error.ts';
import { type CommandPlace, command, MisuseError } from './command.ts';

const staffOf = ({ connection, events }: Pick<CommandPlace, 'connection' | 'events'>) =>
  createStaffService({ db: connection.db, events });

const readRole = (typed: string): StaffRole => {
  const role = staffRoles.find((known) => known === typed);
  if (!role) throw new MisuseError(`--role must be one of ${staffRoles.join(', ')}`);
  return role;
};

/** Commands about the people who answer the phone. */
export const staffCommands = [
  command({
    name: 'staff allow',
    summary: 'let an account work at the desk, which is there once somebody may',
    args: ['IDENTIFIER'],
    options: {
      role: {
        does: 'viewer looks, support helps, operator also enables, approves and reads the record',
        value: 'ROLE',
        required: true,
      },
    },
    example: 'staff allow ada@example.com --role support',
    run: async ({ args: [named], options: { role }, prepare, ...place }) => {
      const asked = readRole(role);
      await prepare();
      const allowed = await staffOf(place).allow(named, asked);
      return {
        value: allowed,
        lines: [`${allowed.changed ? 'allowed' : 'was allowed before'}: ${allowed.id} as ${asked}`],
      };
    },
  }),
  command({
    name: 'staff revoke',
    summary: 'take that back at once: requests under way are refused, and the desk closes',
    args: ['IDENTIFIER'],
    example: 'staff revoke ada@example.com',
    run: async ({ args: [named], prepare, ...place }) => {
      await prepare();
      const { id, changed } = await staffOf(place).revoke(named);
      // Whoever meant another account must not take the access of that one for gone.
      if (!changed) throw new StartError(`${id} is no staff: staff list shows who is`);
      return { value: { id, changed }, lines: [`revoked: ${id}`] };
    },
  }),
  command({
    name: 'staff list',
    summary: 'who works at the desk, the newest first',
    example: 'staff list --json',
    recorded: 'after',
    run: async ({ prepare, ...place }) => {
      await prepare({ dryRun: true });
      const members = await staffOf(place).list();
      return {
        value: members,
        lines: members.map(({ allowedAt, role, identifiers, nickname }) =>
          [allowedAt.toISOString(), role, ...identifiers, nickname].join('\t'),
        ),
      };
    },
  }),
];
