import { type ClusterOptions, createTokenRequests, startCluster } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import type { Drill } from './drill.ts';

type Place = Parameters<Drill['run']>[0];

/** Processes on a PostgreSQL server of the drill. */
export const startPlace = async (place: Place, options: Omit<ClusterOptions, 'databaseUrl'>) => {
  const postgres = await place.startPostgres({ shared_buffers: '64MB' });
  const cluster = await startCluster({
    databaseUrl: await postgres.createDatabase('drill'),
    ...options,
  });
  place.onEnd(() => cluster.close());
  return cluster;
};

type DrillCluster = Awaited<ReturnType<typeof startPlace>>;
type App = Awaited<ReturnType<DrillCluster['registerApp']>>;

const requireOk = ({ status, body }: { status: number; body: string }) => {
  if (status !== 200) throw new Error(`${status} ${body.slice(0, 200)}`);
};

/** Actions of people and an app at the processes of `ports`, which may change meanwhile; each action throws on failure. */
export const createJourneys = (cluster: DrillCluster, app: App, ports: readonly number[]) => {
  const browser = () => cluster.browser({ ports });
  const tokens = createTokenRequests({ origin: cluster.origin, browser }, app);
  const signOn = async (agent: UserAgent) => {
    const { url, checks } = await app.rp.authorizationUrl();
    let arrived = await agent.navigate(url);
    const uid = arrived.url.searchParams.get('interaction');
    if (arrived.url.pathname === '/consent' && uid) arrived = await cluster.approve(agent, uid);
    const code = arrived.url.searchParams.get('code');
    if (!code) throw new Error(`no code at ${arrived.url.href}`);
    const answer = await tokens.redeem(code, checks.pkceCodeVerifier);
    requireOk(answer);
    return answer.json() as { access_token: string; refresh_token: string };
  };
  return {
    signUp: () => cluster.signUp(undefined, browser()),
    signIn: async (identifier: string) => cluster.signIn(identifier, browser()),
    signOn,
    /** Returns the successor. */
    refresh: async (token: string): Promise<string> => {
      const answer = await tokens.refresh(token);
      requireOk(answer);
      return answer.json().refresh_token;
    },
    useSession: async (agent: UserAgent, port?: number) =>
      requireOk(await agent.get('/api/sessions', port === undefined ? {} : { port })),
  };
};
