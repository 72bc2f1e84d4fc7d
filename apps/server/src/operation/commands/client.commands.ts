import { readClientFile } from '../../clients/client/client-file.ts';
import { presets } from '../../clients/client/presets.ts';
import {
  type CommandContext,
  type CommandPlace,
  type CommandResult,
  command,
  MisuseError,
} from './command.ts';
import {
  describeChange,
  describeClient,
  describeListedClient,
  isOpenedByDeveloper,
} from './describe-client.ts';
import { readMetadata } from './metadata-settings.ts';
import { onClient, openRegistry, operator, warnOfScopes } from './operator-registry.ts';
import { dryRunOption, reportApplied } from './report-applied.ts';

const presetList = Object.keys(presets).join(', ');

const setOption = {
  value: 'KEY=VALUE',
  repeated: true,
  does: 'a field of metadata, as JSON or text; KEY= clears it',
} as const;

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

const setDisabled = async (place: CommandPlace, id: string, disabled: boolean): Promise<CommandResult> => {
  const registry = await openRegistry(place);
  await onClient(id, registry.setDisabled(operator, id, disabled));
  return { value: { id, disabled }, lines: [`${disabled ? 'disabled' : 'enabled'}: ${id}`] };
};

/** Homes are linked anew by their people, one by one. */
const disable = async (context: CommandContext, id: string): Promise<CommandResult> => {
  const registry = await openRegistry(context);
  const { links } = await onClient(id, registry.get(operator, id));
  const result = await setDisabled(context, id, true);
  if (links > 0)
    context.note(`warning: ${count(links, 'link')} of "${id}" ended for good: enabling brings none back`);
  return result;
};

/** The items of all pages. */
const collectPages = async <T>(
  read: (after: string | undefined) => Promise<{ items: T[]; next?: string | undefined }>,
): Promise<T[]> => {
  const all: T[] = [];
  for (let after: string | undefined; ; ) {
    const { items, next } = await read(after);
    all.push(...items);
    if (next === undefined) return all;
    after = next;
  }
};

export const clientCommands = [
  command({
    name: 'client list',
    summary: 'the registered clients, the newest first',
    example: 'client list --json',
    run: async (context) => {
      const registry = await openRegistry(context, { writes: false });
      const clients = await collectPages((after) => registry.list(operator, { after }));
      return { value: clients, lines: clients.map(describeListedClient) };
    },
  }),
  command({
    name: 'client create',
    summary: 'register a client; its secret is printed once, and kept as a hash',
    options: {
      preset: { value: 'PRESET', required: true, does: `the kind of app: ${presetList}` },
      name: { value: 'NAME', required: true, does: 'the name that people see' },
      'redirect-uri': { value: 'URI', repeated: true, does: 'where people come back to the app' },
      brand: { value: 'BRAND', does: 'the only brand that has it; every brand, where it is left out' },
      owner: { value: 'IDENTIFIER', does: 'phone or e-mail of the allowed developer whose client it is' },
      set: { ...setOption, does: 'another field of metadata, as JSON or text' },
    },
    example: 'client create --preset web --name "Home Hub" --redirect-uri https://hub.example/callback',
    run: async (context) => {
      const { preset, name, brand, owner, set, 'redirect-uri': uris } = context.options;
      const given = readMetadata(set);
      const twice = ['client_name', 'name', 'brand', 'redirect_uris'].find((field) => field in given);
      if (twice) throw new MisuseError(`--set ${twice}: --name, --brand and --redirect-uri set it`);
      const { first_party, verified, brand: _none, ...metadata } = given;
      const registry = await openRegistry(context);
      const { developers } = await context.registrations();
      const { client, secret } = await registry.create(operator, {
        ...metadata,
        ...(typeof first_party === 'boolean' && { first_party }),
        ...(typeof verified === 'boolean' && { verified }),
        preset,
        name,
        ...(uris.length > 0 && { redirect_uris: [...uris] }),
        ...(brand !== undefined && { brand }),
        ...(owner !== undefined && { owner: (await developers.find(owner)).id }),
      });
      await warnOfScopes(context, client);
      return {
        value: { ...client, ...(secret !== undefined && { client_secret: secret }) },
        lines: [
          `client_id: ${client.client_id}`,
          ...(secret === undefined ? [] : [`client_secret: ${secret}`]),
        ],
      };
    },
  }),
  command({
    name: 'client show',
    summary: 'one client: its metadata, its secrets without their values, and how many homes link to it',
    args: ['ID'],
    example: 'client show home-hub',
    run: async (context) => {
      const [id] = context.args;
      const registry = await openRegistry(context, { writes: false });
      const client = await onClient(id, registry.get(operator, id));
      const read = (after: string | undefined) => registry.history(operator, id, { after });
      const opened = client.first_party ? (await collectPages(read)).filter(isOpenedByDeveloper) : [];
      return {
        value: { ...client, ...(opened.length > 0 && { openedByDevelopers: opened }) },
        lines: [...describeClient(client), ...opened.flatMap(describeChange)],
      };
    },
  }),
  command({
    name: 'client history',
    summary: 'who changed what of a client, the newest first; also of one that was deleted, for 400 days',
    args: ['ID'],
    example: 'client history home-hub --json',
    run: async (context) => {
      const [id] = context.args;
      const registry = await openRegistry(context, { writes: false });
      const changes = await onClient(
        id,
        collectPages((after) => registry.history(operator, id, { after })),
      );
      return { value: changes, lines: changes.flatMap(describeChange) };
    },
  }),
  command({
    name: 'client update',
    summary: 'change metadata of a client, field by field (see docs/integrating/registering.md)',
    args: ['ID'],
    options: {
      set: { ...setOption, required: true },
    },
    example: `client update home-hub --set 'redirect_uris=["https://hub.example/callback"]'`,
    run: async (context) => {
      const [id] = context.args;
      const patch = readMetadata(context.options.set);
      const registry = await openRegistry(context);
      const client = await onClient(id, registry.update(operator, id, patch));
      await warnOfScopes(context, client);
      return { value: client, lines: [`updated: ${id}`] };
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
      const { findClientFault } = await import('../../protocol/oidc/client-faults.ts');
      const rules = { ...config.clientRules, findFault: findClientFault };
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
    run: (context) => disable(context, context.args[0]),
  }),
  command({
    name: 'client enable',
    summary: 'let it begin anew',
    args: ['ID'],
    example: 'client enable home-hub',
    run: (context) => setDisabled(context, context.args[0], false),
  }),
  command({
    name: 'client delete',
    summary: 'delete a client with all that it was given; without --yes, say what would end',
    args: ['ID'],
    options: { yes: { does: 'delete it: nothing of it comes back' } },
    example: 'client delete home-hub --yes',
    run: async (context) => {
      const [id] = context.args;
      const registry = await openRegistry(context, { writes: context.options.yes });
      const { client_name: name, links, secrets } = await onClient(id, registry.get(operator, id));
      if (!context.options.yes)
        throw new MisuseError(
          `client delete ${id} needs --yes. "${name}" would end for good, with its ${count(links, 'link')}, ${count(secrets.length, 'secret')} and all its tokens. "client disable ${id}" ends what it was given too, and keeps its registration`,
        );
      await onClient(id, registry.delete(operator, id));
      return { value: { id, links }, lines: [`deleted: ${id}, with ${count(links, 'link')}`] };
    },
  }),
];
