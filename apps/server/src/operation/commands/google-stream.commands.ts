import { readFileSync } from 'node:fs';
import { AppError } from '../../ground/errors.ts';
import { StartError } from '../../ground/start-error.ts';
import { draftForGoogle } from '../../link/stream/stream.ts';
import { command, MisuseError } from './command.ts';
import { onClient, openRegistry, operator } from './operator-registry.ts';
import { factsOf, openStreams } from './operator-streams.ts';

/** @throws MisuseError where the client is served at several brands, and none is named */
const chooseBrand = (named: string | undefined, served: readonly string[]): string => {
  const [only, ...more] = served;
  const chosen = named ?? (more.length === 0 ? only : undefined);
  if (chosen === undefined || !served.includes(chosen))
    throw new MisuseError(`--brand must be one of ${served.join(', ')}`);
  return chosen;
};

export const googleStreamCommands = [
  command({
    name: 'stream google',
    summary: 'tell Google of the links of a client that end, or change the service account that tells',
    args: ['CLIENT'],
    options: {
      'service-account': {
        value: 'FILE',
        required: true,
        does: 'its key, as Google’s console makes it (JSON)',
      },
      brand: { value: 'BRAND', does: 'the brand of the links, where there are several' },
    },
    example: 'stream google google --service-account key.json',
    run: async (context) => {
      const [id] = context.args;
      const { 'service-account': file, brand: named } = context.options;
      const client = await onClient(id, (await openRegistry(context)).get(operator, id));
      if (client.preset !== 'google-home')
        throw new StartError(`client "${id}" has not the preset google-home`);
      const served = context.config.brands.map((brand) => brand.id);
      const brand = chooseBrand(named ?? client.brand ?? undefined, served);
      const draft = draftForGoogle(readFileSync(context.pathOf(file), 'utf8'));
      const streams = await openStreams(context);
      const before = await streams.findOfOwner({ brand, clientId: id });
      const work = before ? streams.change(before.id, draft) : streams.create({ brand, clientId: id }, draft);
      const stream = await work.catch((error: unknown) => {
        const isFile = error instanceof AppError && error.details.fields?.serviceAccount !== undefined;
        throw isFile ? new StartError(`${file} is not the key of a service account of Google`) : error;
      });
      return { value: factsOf(stream), lines: [`stream: ${stream.id}`, `test it: stream test ${stream.id}`] };
    },
  }),
];
