import { randomInt } from 'node:crypto';
import { query } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import { inBulk, mintSql } from '../mint.ts';
import { scaled } from '../options.ts';
import { compare } from '../paired.ts';
import type { Row } from '../result.ts';
import { tokenValue } from '../setting.ts';
import type { CandelaSubject, Subject } from '../subject.ts';
import { createPools, tokenRequests } from './protocol.ts';

const FEW = 1_000;
/** More than the rounds present, so that each row is read for the first time, as with many people. */
const SAMPLE = 20_000;
const GRANTS_PER_ACCOUNT = 4;
const MODELS = ['AccessToken', 'RefreshToken'] as const;

/** A Candela with this many live tokens, and a grant for each pair of access and refresh token. */
const withLiveTokens = async (bench: Bench, database: string, tokens: number): Promise<CandelaSubject> => {
  const subject = await bench.another(database);
  const count = Math.ceil(tokens / MODELS.length);
  const accounts = Math.ceil(count / GRANTS_PER_ACCOUNT);
  const live = mintSql({ name: database, count, models: MODELS }, { accounts });
  await query(subject.databaseUrl, inBulk(live));
  return subject;
};

const sampleOf = (pairs: number): number[] =>
  pairs <= SAMPLE
    ? Array.from({ length: pairs }, (_, index) => index)
    : [...new Set(Array.from({ length: SAMPLE }, () => randomInt(pairs)))];

/** The same requests on a database of few tokens and on one of many, in turn. */
export const runGrowth = async (bench: Bench): Promise<Row[]> => {
  const { options } = bench;
  // Two servers for four kinds of requests: shorter rounds keep the scenario within a minute.
  const shorter = {
    ...bench,
    options: { ...options, rounds: Math.ceil(options.rounds / 2), seconds: options.seconds / 2 },
  };
  const fewTokens = scaled(options, FEW);
  const few = await withLiveTokens(bench, 'few', fewTokens);
  const many = await withLiveTokens(bench, 'many', options.tokens);
  const pairsOf = (subject: Subject) => (subject === many ? options.tokens : fewTokens) / MODELS.length;
  const requests = tokenRequests(
    createPools(async (subject, model) =>
      sampleOf(pairsOf(subject)).map((index) => tokenValue(model, subject === many ? 'many' : 'few', index)),
    ),
  );

  const rows: Row[] = [];
  for (const name of ['code', 'refresh', 'introspection', 'userinfo'] as const) {
    const prepare = requests[name];
    const { first, second, ratios } = await compare(shorter, [many, prepare], [few, prepare]);
    const label = `with ${fewTokens} live tokens`;
    rows.push({
      name: `${name}, ${options.tokens} live tokens`,
      candela: first,
      other: { ...second, label },
      ratios,
    });
  }
  await few.close();
  await many.close();
  return rows;
};
