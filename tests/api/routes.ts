import { accountApi, approvalApi, clientApi, type Endpoint, interactionApi } from '@candela/contract';
import { start } from '../oidc/authorization.ts';
import type { UserAgent } from '../support/user-agent.ts';
import type { World } from '../support/world.ts';

/** Every route of the contract by its name. */
export const endpoints: [string, Endpoint][] = Object.entries({
  ...interactionApi,
  ...accountApi,
  ...clientApi,
  ...approvalApi,
});

export const changing = endpoints.filter(([, { method }]) => method !== 'GET');

/** The path with a value for each of its parameters. */
export const pathOf = ({ path }: Endpoint, values: Record<string, string> = {}): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'x'.repeat(22));

/** A browser with the session of a developer, whose client has the id, and with the cookie of a pending interaction. */
export const insider = async (
  world: World,
): Promise<{ agent: UserAgent; uid: string; identifier: string; id: string }> => {
  const { agent, identifier } = await world.signUpDeveloper();
  const { client } = (
    await agent.post('/api/clients', {
      preset: 'web',
      name: 'Sunrise Alarm',
      redirect_uris: ['https://sunrise.example/callback'],
    })
  ).json();
  const app = await world.registerApp();
  await world.link(agent, app.rp);
  const { uid } = await start(world, { agent, parameters: { prompt: 'select_account' } });
  return { agent, uid, identifier, id: client.client_id };
};

const tables = [
  'account',
  'avatar',
  'account_identifier',
  'password',
  'session',
  'step_up',
  'interaction',
  'authorization_grant',
  'remembered_consent',
  'device_account',
  'passkey',
  'federated_identity',
  'user_handle',
  'identifier_change',
  'verification_code',
  'ticket',
  'client',
  'client_secret',
  'client_member',
  'client_change',
] as const;

/** Everything that a request could have changed; equal before and after an ineffective request. */
export const snapshot = async ({ db }: World) =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => {
        const rows: object[] = await db.selectFrom(table).selectAll().execute();
        return [
          table,
          rows.map((row) => JSON.stringify({ ...row, last_accessed_at: undefined })).sort(),
        ] as const;
      }),
    ),
  );
