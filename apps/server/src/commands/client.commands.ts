import { readClientFile } from '../client/client-file.ts';
import { AppError } from '../errors.ts';
import { createClientFaultFinder } from '../oidc/client-faults.ts';
import { ConfigError } from '../start-error.ts';
import { type CommandPlace, type CommandResult, command } from './command.ts';
import { dryRunOption, reportApplied } from './report-applied.ts';

const operator = { kind: 'operator' } as const;

const setDisabled = async (
  { prepare, registrations }: CommandPlace,
  id: string,
  disabled: boolean,
): Promise<CommandResult> => {
  await prepare();
  const { registry } = await registrations();
  await registry.setDisabled(operator, id, disabled).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new ConfigError([`no client has the id "${id}"; client list shows them`]);
  });
  return { value: { id, disabled }, lines: [`${disabled ? 'disabled' : 'enabled'}: ${id}`] };
};

export const clientCommands = [
  command({
    name: 'client list',
    summary: 'the registered clients',
    example: 'client list --json',
    run: async ({ registrations }) => {
      const { clients: service } = await registrations();
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
  }),
  command({
    name: 'client apply',
    summary: 'register or update the clients of a JSON file (see CLIENTS_FILE in the README)',
    args: ['FILE'],
    options: dryRunOption,
    example: 'client apply clients.json --dry-run',
    run: async (context) => {
      const { config, args, options, pathOf, prepare, registrations } = context;
      const [file] = args;
      const rules = { ...config.clientRules, findFault: createClientFaultFinder() };
      const entries = readClientFile({ path: pathOf(file), name: file }, rules);
      const dryRun = options['dry-run'];
      await prepare({ dryRun });
      const { registry } = await registrations();
      return reportApplied(context, await registry.apply(operator, entries, { dryRun }));
    },
  }),
  command({
    name: 'client disable',
    summary: 'end all that a client was given, and give it nothing more',
    args: ['ID'],
    example: 'client disable home-hub',
    run: (context) => setDisabled(context, context.args[0], true),
  }),
  command({
    name: 'client enable',
    summary: 'let it begin anew',
    args: ['ID'],
    example: 'client enable home-hub',
    run: (context) => setDisabled(context, context.args[0], false),
  }),
];
