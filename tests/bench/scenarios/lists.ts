import { query } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import { createBenchBrowser } from '../browser.ts';
import { expectStatus } from '../http-connection.ts';
import { insertCopies } from '../mint.ts';
import { countStatements, measure, type Prepare } from '../paired.ts';
import type { Row } from '../result.ts';

/** More than one page of each list. */
const LISTED = 50;

const prepareList =
  (path: string): Prepare =>
  async (subject) =>
  async (send) =>
    expectStatus(await createBenchBrowser(send, subject.signedIn).get(path), 200);

/** The first page of a person's sessions and of their authorizations. */
export const runLists = async (bench: Bench): Promise<Row[]> => {
  const subject = await bench.another('lists');
  const id = `bench.base64url_hash('listed ' || n)`;
  const createdAt = `now() - n * interval '1 hour'`;
  await query(
    subject.databaseUrl,
    `${insertCopies('session', LISTED, { uid: id, id_hash: id, created_at: createdAt })}
     ${insertCopies('authorization_grant', LISTED, { id, created_at: createdAt, expires_at: `now() + interval '1 day'` })}`,
  );
  const rows: Row[] = [];
  for (const path of ['/api/sessions', '/api/authorizations']) {
    const prepare = prepareList(path);
    const candela = await measure(bench, subject, prepare);
    rows.push({ name: `GET ${path}`, candela, counts: await countStatements(bench, prepare) });
  }
  await subject.close();
  return rows;
};
