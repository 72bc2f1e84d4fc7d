import type { Bench } from '../bench.ts';
import { fetchUserinfo, introspect, redeemCode, refresh } from '../browser.ts';
import { expectStatus } from '../http-connection.ts';
import { compare, countStatements, type Prepare } from '../paired.ts';
import type { Row } from '../result.ts';
import { type TokenModel, valueOf } from '../setting.ts';
import type { Subject } from '../subject.ts';

/** How many tokens are presented in turn where one can be presented again. */
const POOL = 2_000;

let batches = 0;

/** Makes tokens, and answers their values. */
export const mintValues = async (subject: Subject, model: TokenModel, count: number): Promise<string[]> => {
  const name = `${model}-${batches++}`;
  await subject.mint({ name, count, models: [model] });
  return Array.from({ length: count }, (_, index) => valueOf(model, name, index));
};

/** One pool for each server, made at its first use. */
const createPools = (model: TokenModel) => {
  const pools = new WeakMap<Subject, Promise<string[]>>();
  return (subject: Subject): Promise<string[]> => {
    const pool = pools.get(subject) ?? mintValues(subject, model, POOL);
    pools.set(subject, pool);
    return pool;
  };
};

const prepareCode: Prepare = async (subject, count) => {
  const codes = await mintValues(subject, 'AuthorizationCode', count);
  return (send, index) => redeemCode(send, codes[index] ?? '');
};

const refreshTokens = createPools('RefreshToken');
/** Each successor goes to the end of the queue: every token was made by a rotation and is used once. */
const prepareRefresh: Prepare = async (subject) => {
  const queue = await refreshTokens(subject);
  return async (send) => {
    const presented = queue.shift() ?? '';
    queue.push(await refresh(send, presented));
  };
};

const accessTokens = createPools('AccessToken');
const prepareIntrospection: Prepare = async (subject) => {
  const tokens = await accessTokens(subject);
  return (send, index) =>
    introspect(send, { token: tokens[index % POOL] ?? '', token_type_hint: 'access_token' });
};
const prepareIntrospectionWithoutHint: Prepare = async (subject) => {
  const tokens = await accessTokens(subject);
  return (send, index) => introspect(send, { token: tokens[index % POOL] ?? '' });
};
const prepareUserinfo: Prepare = async (subject) => {
  const tokens = await accessTokens(subject);
  return (send, index) => fetchUserinfo(send, tokens[index % POOL] ?? '');
};

const prepareJwks: Prepare = async () => async (send) =>
  expectStatus(await send({ path: '/oauth/jwks' }), 200);

interface ProtocolScenario {
  prepare: Prepare;
  wanted?: number;
}

/** Single protocol requests, by the names to ask for them. */
export const protocolScenarios = {
  code: { prepare: prepareCode, wanted: 0.65 },
  refresh: { prepare: prepareRefresh, wanted: 0.6 },
  introspection: { prepare: prepareIntrospection, wanted: 0.75 },
  'introspection-without-hint': { prepare: prepareIntrospectionWithoutHint },
  userinfo: { prepare: prepareUserinfo, wanted: 0.65 },
  jwks: { prepare: prepareJwks },
} satisfies Record<string, ProtocolScenario>;

/** Compares one kind of protocol request with the reference, and counts its statements. */
export const runProtocol = async (
  bench: Bench,
  name: string,
  { prepare, wanted }: ProtocolScenario,
): Promise<Row> => {
  const { first, second, ratios } = await compare(
    bench,
    [await bench.candela(), prepare],
    [await bench.reference(), prepare],
  );
  const counts = await countStatements(bench, prepare);
  return {
    name,
    candela: first,
    counts,
    other: { ...second, label: 'engine in memory' },
    ratios,
    ...(wanted !== undefined && { wanted }),
  };
};
