import { databaseNow } from '../../ground/db/clock.ts';
import { StartError } from '../../ground/start-error.ts';
import { command } from './command.ts';
import { endOfDuration } from './duration.ts';
import { onClient, openRegistry, operator } from './operator-registry.ts';

export const clientSecretCommands = [
  command({
    name: 'client add-secret',
    summary: 'give a client one more secret, printed once; all that have not ended work side by side',
    args: ['ID'],
    options: {
      name: { value: 'NAME', required: true, does: 'a name to know it by, such as 2026-11' },
      'expires-in': { value: 'DURATION', does: 'when it ends: 12h, 30d or of ISO 8601; never, by default' },
    },
    example: 'client add-secret home-hub --name 2026-11 --expires-in 365d',
    run: async (context) => {
      const [id] = context.args;
      const { name, 'expires-in': duration } = context.options;
      const end = duration && endOfDuration('--expires-in', duration, databaseNow());
      const registry = await openRegistry(context);
      const added = await onClient(
        id,
        registry.addSecret(operator, id, { name, ...(end && { expiresAt: end.toISOString() }) }),
      );
      return {
        value: added,
        lines: [`client_secret: ${added.secret}`, ...(added.expiresAt ? [`ends: ${added.expiresAt}`] : [])],
      };
    },
  }),
  command({
    name: 'client remove-secret',
    summary: 'remove a secret of a client: it stops working within a second',
    args: ['ID', 'NAME'],
    example: 'client remove-secret home-hub registered',
    run: async (context) => {
      const [id, name] = context.args;
      const registry = await openRegistry(context);
      const { secrets } = await onClient(id, registry.get(operator, id));
      if (!secrets.some((secret) => secret.name === name))
        throw new StartError(
          `client "${id}" has no secret "${name}": it has ${secrets.map((secret) => `"${secret.name}"`).join(', ') || 'none'}`,
        );
      await onClient(id, registry.removeSecret(operator, id, name));
      if (secrets.length === 1)
        context.note(`warning: it was the last secret of "${id}", which cannot authenticate any more`);
      return { value: { id, name }, lines: [`removed: ${name}`] };
    },
  }),
];
