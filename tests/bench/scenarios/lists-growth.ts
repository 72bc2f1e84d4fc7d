import { randomInt } from 'node:crypto';
import { query } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import { createBenchBrowser } from '../browser.ts';
import { expectStatus } from '../http-connection.ts';
import { inBulk, mintPeopleSql } from '../mint.ts';
import { scaled } from '../options.ts';
import { compare, type Prepare } from '../paired.ts';
import type { Row } from '../result.ts';
import { sessionCookies, tokenValue } from '../setting.ts';
import type { CandelaSubject } from '../subject.ts';

const FEW = 1_000;
/** Sessions of a person, and authorizations. */
const PER_PERSON = 4;
/** The limit of the ratio of work per second between few and many rows. */
const WANTED = 1 / 1.5;

/** A Candela with this many live sessions and as many grants, over people who have a few of each. */
const withPeople = async (bench: Bench, database: string, sessions: number): Promise<CandelaSubject> => {
  const subject = await bench.another(database);
  const people = { accounts: sessions / PER_PERSON, perAccount: PER_PERSON };
  await query(subject.databaseUrl, inBulk(mintPeopleSql(database, people)));
  return subject;
};

let batches = 0;

/** New people for one round, each with something to end; the people of the round before are deleted. */
const mintPeople = async (subject: CandelaSubject, count: number): Promise<string> => {
  const name = `round-${batches++}`;
  await query(
    subject.databaseUrl,
    `delete from account where nickname = 'of a round';
     ${mintPeopleSql(name, { accounts: count, perAccount: PER_PERSON }, { models: ['AccessToken', 'RefreshToken'] })}
     update account set nickname = 'of a round' from session
       where account.id = session.account_id and session.uid in
         (select bench.base64url_hash('SessionUid/${name}/' || n) from generate_series(0, ${count - 1}) as n);`,
  );
  return name;
};

/** A different person each time, out of all people. */
const prepareList =
  (
    path: string,
    peopleOf: (subject: CandelaSubject) => { batch: string; count: number },
  ): Prepare<CandelaSubject> =>
  async (subject) =>
  async (send) => {
    const { batch, count } = peopleOf(subject);
    const cookies = sessionCookies(batch, randomInt(count));
    expectStatus(await createBenchBrowser(send, cookies).get(path), 200);
  };

/** Person number `index` ends the target of `pathOf`, with the first of their sessions. */
const prepareEnding =
  (pathOf: (batch: string, index: number, count: number) => string): Prepare<CandelaSubject> =>
  async (subject, count) => {
    const batch = await mintPeople(subject, count);
    return async (send, index) => {
      const browser = createBenchBrowser(send, sessionCookies(batch, index));
      expectStatus(await browser.delete(pathOf(batch, index, count)), 204);
    };
  };

/** The lists and their endings on a database with few sessions and grants and on a database with many, in turn. */
export const runListsGrowth = async (bench: Bench): Promise<Row[]> => {
  const { options } = bench;
  const shorter = {
    ...bench,
    options: { ...options, rounds: Math.ceil(options.rounds / 2), seconds: options.seconds / 2 },
  };
  const fewSessions = scaled(options, FEW);
  const few = await withPeople(bench, 'few_people', fewSessions);
  const many = await withPeople(bench, 'many_people', options.tokens);
  const peopleOf = (subject: CandelaSubject) =>
    subject === many
      ? { batch: 'many_people', count: options.tokens / PER_PERSON }
      : { batch: 'few_people', count: fewSessions / PER_PERSON };

  const requests: [string, Prepare<CandelaSubject>][] = [
    ['GET /api/sessions', prepareList('/api/sessions', peopleOf)],
    ['GET /api/authorizations', prepareList('/api/authorizations', peopleOf)],
    [
      'withdraw one',
      prepareEnding((batch, index) => `/api/authorizations/${tokenValue('Grant', batch, index)}`),
    ],
    ['withdraw all', prepareEnding(() => '/api/authorizations')],
    [
      'end a session',
      prepareEnding(
        (batch, index, count) => `/api/sessions/${tokenValue('SessionUid', batch, index + count)}`,
      ),
    ],
    ['end the others', prepareEnding(() => '/api/sessions?except=current')],
  ];
  const rows: Row[] = [];
  for (const [name, prepare] of requests) {
    const { first, second, ratios } = await compare(shorter, [many, prepare], [few, prepare]);
    rows.push({
      name: `${name}, ${options.tokens} of each`,
      candela: first,
      other: { ...second, label: `with ${fewSessions} of each` },
      ratios,
      wanted: WANTED,
    });
  }
  await few.close();
  await many.close();
  return rows;
};
