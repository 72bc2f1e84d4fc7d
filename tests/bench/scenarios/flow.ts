import type { Bench } from '../bench.ts';
import { type Cookies, createBenchBrowser, obtainCode, redeemCode } from '../browser.ts';
import { openConnection, type Send } from '../http-connection.ts';
import type { Work } from '../load.ts';
import { compare, countStatements, type Prepare } from '../paired.ts';
import type { Row } from '../result.ts';
import type { CandelaSubject, Subject } from '../subject.ts';

const browsersOf = new WeakMap<Subject, Promise<Cookies[]>>();

const signInBrowsers = async (subject: Subject, count: number): Promise<Cookies[]> => {
  const connection = await openConnection(subject.port, subject.host);
  const browsers: Cookies[] = [];
  const identifier = (subject as Partial<CandelaSubject>).identifier ?? '';
  while (browsers.length < count) {
    const browser = createBenchBrowser(connection.send);
    await obtainCode(browser, { prompt: 'consent' }, identifier);
    browsers.push(browser.cookies);
  }
  connection.close();
  return browsers;
};

/** Each flow takes a signed-in browser and returns it, since the engine rotates a session’s id. */
const withBrowsers = async (
  subject: Subject,
  concurrency: number,
  flow: (send: Send, cookies: Cookies) => Promise<unknown>,
): Promise<Work> => {
  const made = browsersOf.get(subject) ?? signInBrowsers(subject, concurrency);
  browsersOf.set(subject, made);
  const free = await made;
  return async (send) => {
    const cookies = free.pop();
    if (!cookies) throw new Error('more flows than browsers');
    await flow(send, cookies);
    free.push(cookies);
  };
};

const approveAndRedeem = async (send: Send, cookies: Cookies) =>
  redeemCode(send, await obtainCode(createBenchBrowser(send, cookies), { prompt: 'consent' }));

const redeemSilently = async (send: Send, cookies: Cookies) =>
  redeemCode(send, await obtainCode(createBenchBrowser(send, cookies)));

/** A sign-on without a page: two requests from authorize to tokens. */
export const prepareSilentFlow =
  (concurrency: number): Prepare =>
  (subject) =>
    withBrowsers(subject, concurrency, redeemSilently);

/**
 * From authorize to tokens for a signed-in person: with the consent screen (authorize, interaction, details, consent,
 * resume, token), and without a page (authorize, token).
 */
export const runFlow = async (bench: Bench): Promise<Row[]> => {
  const { concurrency } = bench.options;
  const flows: Record<string, Prepare> = {
    flow: (subject) => withBrowsers(subject, concurrency, approveAndRedeem),
    'flow, silent': prepareSilentFlow(concurrency),
  };
  const reference = await bench.reference();
  const candela = await bench.candela();
  const rows: Row[] = [];
  for (const [name, prepare] of Object.entries(flows)) {
    const { first, second, ratios } = await compare(bench, [candela, prepare], [reference, prepare]);
    const counts = await countStatements(bench, prepare);
    rows.push({ name, candela: first, counts, other: { ...second, label: reference.label }, ratios });
  }
  return rows;
};
