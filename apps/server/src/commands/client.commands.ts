import { readClientFile } from '../client/client-file.ts';
import { AppError } from '../errors.ts';
import { createClientFaultFinder } from '../oidc/client-faults.ts';
import { ConfigError } from '../start-error.ts';
import { wireRegistrations } from '../wiring/registrations.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';
import { dryRunFlag, reportApplied } from './report-applied.ts';

const operator = { kind: 'operator' } as const;

const setDisabled = async (context: CommandContext, disabled: boolean): Promise<CommandResult> => {
  const [id = ''] = context.args;
  await context.prepare();
  const { registry } = await wireRegistrations(context);
  await registry.setDisabled(operator, id, disabled).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new ConfigError([`no client has the id "${id}"; client list shows them`]);
  });
  return { value: { id, disabled }, lines: [`${disabled ? 'disabled' : 'enabled'}: ${id}`] };
};

export const clientCommands: readonly Command[] = [
  {
    name: 'client list',
    summary: 'the registered clients',
    example: 'client list --json',
    run: async (context) => {
      const { clients: service } = await wireRegistrations(context);
      const clients = await service.listClients();
      const value = clients.map(({ id, brand, metadata, first_party, disabled }) => ({
        ...metadata,
        client_id: id,
        brand: brand ?? undefined,
        first_party,
        disabled,
      }));
      const lines = clients.map(({ id, brand, metadata, disabled }) =>
        [
          id,
          String(metadata.client_name ?? ''),
          brand ?? 'every brand',
          ...(disabled ? ['disabled'] : []),
        ].join('\t'),
      );
      return { value, lines };
    },
  },
  {
    name: 'client apply',
    summary: 'register or update the clients of a JSON file (see CLIENTS_FILE in the README)',
    args: ['FILE'],
    flags: dryRunFlag,
    example: 'client apply clients.json --dry-run',
    run: async (context) => {
      const { config, args, flags, prepare } = context;
      const [file = ''] = args;
      const rules = { ...config.clientRules, findFault: createClientFaultFinder() };
      const entries = readClientFile({ path: file, name: file }, rules);
      const dryRun = flags.has('dry-run');
      await prepare({ dryRun });
      const { registry } = await wireRegistrations(context);
      return reportApplied(context, await registry.apply(operator, entries, { dryRun }));
    },
  },
  {
    name: 'client disable',
    summary: 'end all that a client was given, and give it nothing more',
    args: ['ID'],
    example: 'client disable home-hub',
    run: (context) => setDisabled(context, true),
  },
  {
    name: 'client enable',
    summary: 'let it begin anew',
    args: ['ID'],
    example: 'client enable home-hub',
    run: (context) => setDisabled(context, false),
  },
];
