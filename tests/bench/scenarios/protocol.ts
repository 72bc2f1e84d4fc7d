import type { Bench } from '../bench.ts';
import { fetchUserinfo, introspect, redeemCode, refresh } from '../browser.ts';
import { expectStatus } from '../http-connection.ts';
import { compare, countStatements, type Prepare } from '../paired.ts';
import type { Row } from '../result.ts';
import { type TokenModel, tokenValue } from '../setting.ts';
import type { Subject } from '../subject.ts';

/** The number of reusable tokens, which are presented in turn. */
const POOL = 2_000;

let batches = 0;

/** Makes tokens, and returns their values. */
export const mintValues = async (subject: Subject, model: TokenModel, count: number): Promise<string[]> => {
  const name = `${model}-${batches++}`;
  await subject.mint({ name, count, models: [model] });
  return Array.from({ length: count }, (_, index) => tokenValue(model, name, index));
};

/** The tokens presented to a server; reusable tokens are presented in turn. */
export type Pools = (subject: Subject, model: TokenModel) => Promise<string[]>;

/** One pool for each server and model, made at its first use by `make`. */
export const createPools = (make: Pools): Pools => {
  const pools = new WeakMap<Subject, Map<TokenModel, Promise<string[]>>>();
  return (subject, model) => {
    const known = pools.get(subject) ?? new Map<TokenModel, Promise<string[]>>();
    pools.set(subject, known);
    const pool = known.get(model) ?? make(subject, model);
    known.set(model, pool);
    return pool;
  };
};

const prepareCode: Prepare = async (subject, count) => {
  const codes = await mintValues(subject, 'AuthorizationCode', count);
  return (send, index) => redeemCode(send, codes[index] ?? '');
};

/** The requests that present tokens. */
export const tokenRequests = (pools: Pools) =>
  ({
    code: prepareCode,
    // Each successor goes to the end of the queue, so that every token was made by a rotation and is used once.
    refresh: async (subject) => {
      const queue = await pools(subject, 'RefreshToken');
      return async (send) => {
        const presented = queue.shift() ?? '';
        queue.push(await refresh(send, presented));
      };
    },
    introspection: async (subject) => {
      const tokens = await pools(subject, 'AccessToken');
      return (send, index) =>
        introspect(send, { token: tokens[index % tokens.length] ?? '', token_type_hint: 'access_token' });
    },
    'introspection-without-hint': async (subject) => {
      const tokens = await pools(subject, 'AccessToken');
      return (send, index) => introspect(send, { token: tokens[index % tokens.length] ?? '' });
    },
    userinfo: async (subject) => {
      const tokens = await pools(subject, 'AccessToken');
      return (send, index) => fetchUserinfo(send, tokens[index % tokens.length] ?? '');
    },
  }) satisfies Record<string, Prepare>;

const requests = tokenRequests(createPools((subject, model) => mintValues(subject, model, POOL)));

const prepareJwks: Prepare = async () => async (send) =>
  expectStatus(await send({ path: '/oauth/jwks' }), 200);

interface ProtocolScenario {
  prepare: Prepare;
  wanted?: number;
}

/** Single protocol requests, by the names of their scenarios. */
export const protocolScenarios = {
  code: { prepare: requests.code, wanted: 0.65 },
  refresh: { prepare: requests.refresh, wanted: 0.6 },
  introspection: { prepare: requests.introspection, wanted: 0.75 },
  'introspection-without-hint': { prepare: requests['introspection-without-hint'] },
  userinfo: { prepare: requests.userinfo, wanted: 0.65 },
  jwks: { prepare: prepareJwks },
} satisfies Record<string, ProtocolScenario>;

/** Compares one kind of protocol request with the reference, and counts its statements. */
export const runProtocol = async (
  bench: Bench,
  name: string,
  { prepare, wanted }: ProtocolScenario,
): Promise<Row> => {
  const reference = await bench.reference();
  const candela = await bench.candela();
  const { first, second, ratios } = await compare(bench, [candela, prepare], [reference, prepare]);
  const counts = await countStatements(bench, prepare);
  return {
    name,
    candela: first,
    counts,
    other: { ...second, label: reference.label },
    ratios,
    ...(wanted !== undefined && bench.options.beside === undefined && { wanted }),
  };
};
