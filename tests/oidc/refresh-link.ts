import { sql } from 'kysely';
import { createTokenRequests } from '../support/cluster.ts';
import { hashOf } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import type { World } from '../support/world.ts';
import type { RegisteredApp } from './authorization.ts';

type Linking = Pick<World, 'db' | 'link' | 'browser' | 'origin'>;

export type Link = Awaited<ReturnType<typeof linkApp>>;

/** Links the agent’s account to the app; returns the actions of the tests on this link. */
export const linkApp = async (world: Linking, agent: UserAgent, app: RegisteredApp) => {
  const { db } = world;
  const { tokens } = await world.link(agent, app.rp);
  const first = tokens.refresh_token ?? '';
  const { grant_id: grantId } = await db
    .selectFrom('refresh_token')
    .select('grant_id')
    .where('id_hash', '=', hashOf(first))
    .executeTakeFirstOrThrow();
  const grant = () =>
    db.selectFrom('authorization_grant').selectAll().where('id', '=', grantId).executeTakeFirst();

  return {
    app,
    agent,
    tokens,
    grantId,
    first,
    grant,
    requests: createTokenRequests(world, app),
    isAlive: async () => (await grant()) !== undefined,
    rows: () => db.selectFrom('refresh_token').selectAll().where('grant_id', '=', grantId).execute(),

    /** Makes all rows of the link `seconds` older. */
    pass: async (seconds: number): Promise<void> => {
      await sql`update refresh_token set
          created_at = created_at - make_interval(secs => ${seconds}),
          first_used_at = first_used_at - make_interval(secs => ${seconds}),
          expires_at = expires_at - make_interval(secs => ${seconds}),
          payload = payload || jsonb_build_object(
            'iat', cast(payload->>'iat' as bigint) - ${seconds},
            'iiat', cast(payload->>'iiat' as bigint) - ${seconds}
          )
        where grant_id = ${grantId}`.execute(db);
      await sql`update authorization_grant set
          created_at = created_at - make_interval(secs => ${seconds}),
          last_accessed_at = last_accessed_at - make_interval(secs => ${seconds}),
          expires_at = expires_at - make_interval(secs => ${seconds}),
          ends_at = ends_at - make_interval(secs => ${seconds})
        where id = ${grantId}`.execute(db);
    },
  };
};
