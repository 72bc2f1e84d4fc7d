import type { Random } from '../support/random.ts';

const MINUTE = 60;
const DAY = 24 * 3600;

/** A server as an app of one home sees it. A token is whatever the server says it is. */
export interface RefreshServer<Token> {
  /** The token of the answer; undefined for `invalid_grant`. */
  refresh(token: Token): Promise<Token | undefined>;
  /** Lets time pass, or moves the clock by less than nothing. */
  pass(seconds: number): Promise<void>;
}

/** How the tries of one refresh end, before the last, whose answer arrives. `lost` tokens were made all the same. */
const faults = ['request lost', 'answer lost'] as const;

/** Pauses of an app that works, and of one that waits for weeks between two tries; less than the overlap together. */
const pauses = [0, 1, 5, 59, 60, 61, 10 * MINUTE, 3600, DAY, 7 * DAY, 25 * DAY] as const;
const retries = [0, 1, 30, 61, 5 * MINUTE, 3600, DAY, 9 * DAY] as const;
/** How far the clock of the database is from the right one: it is set, or that of another server holds after a failover. */
const clocks = [-4, 0, 4] as const;
/** A copy of a request reaches the server so much later: with the clocks it stays within the grace of a minute. */
const delays = [0, 1, 10, 30, 40] as const;

/** What a thief does who copied the app's token. */
const thefts = ['refreshes twice first', 'comes after the app', 'keeps what it got'] as const;
type Theft = (typeof thefts)[number];

export interface History {
  /** Why the history is wrong; undefined for one that went as it must. */
  fault: string | undefined;
  theft: Theft | undefined;
  /** Requests that reached the server. */
  requests: number;
}

interface Play<Token> {
  server: RefreshServer<Token>;
  first: Token;
  random: Random;
  steps: number;
  /** The app keeps the token that it got first, as clients in mode `static` do. */
  keepsFirst?: boolean;
}

/** An app of one home: it has the newest token that an answer brought, and asks again until one does. */
const createApp = <Token>({ server, first, random, keepsFirst }: Play<Token>) => {
  let held = first;
  let now = 0;
  let clock = 0;
  let requests = 0;
  let copies: { token: Token; at: number }[] = [];

  const ask = (token: Token) => {
    requests += 1;
    return server.refresh(token);
  };
  /** Copies that are under way arrive when they are due. */
  const pass = async (seconds: number) => {
    const end = now + seconds;
    for (const copy of copies.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)) {
      await server.pass(copy.at - now);
      now = copy.at;
      await ask(copy.token);
    }
    copies = copies.filter(({ at }) => at > end);
    await server.pass(end - now);
    now = end;
  };
  /** The app knows nothing of it. */
  const moveClock = async () => {
    const before = clock;
    clock = random.pick(clocks);
    await server.pass(clock - before);
  };
  const tryInVain = async () => {
    if (random.pick(faults) === 'answer lost') await ask(held);
    await pass(random.pick(retries));
  };
  /** Answers whether the link lives. */
  const refresh = async (): Promise<boolean> => {
    const token = held;
    for (let left = random.below(4); left > 0; left -= 1) await tryInVain();
    if (random.below(3) === 0) copies.push({ token, at: now + random.pick(delays) });
    const count = random.below(4) === 0 ? 1 + random.below(4) : 1;
    const answers = await Promise.all(Array.from({ length: count }, () => ask(token)));
    const successor = answers[random.below(count)];
    if (successor === undefined || new Set(answers).size > 1) return false;
    if (!keepsFirst) held = successor;
    return true;
  };

  return {
    ask,
    pass,
    refresh,
    held: () => held,
    requests: () => requests,
    step: async (): Promise<boolean> => {
      await pass(random.pick(pauses));
      if (random.below(4) === 0) await moveClock();
      return refresh();
    },
  };
};

type App<Token> = ReturnType<typeof createApp<Token>>;

/** Between two uses lies more than the grace, or the later one passes for a duplicate. */
const LONGER_THAN_GRACE = 2 * MINUTE;
const LONGER_THAN_OVERLAP = 61 * DAY;

/** What must be refused, in the end: the token of the thief and that of the app. */
const endOf = async <Token>(app: App<Token>, token: Token | undefined): Promise<boolean> => {
  const answers = [await app.ask(app.held()), token === undefined ? undefined : await app.ask(token)];
  return answers.every((answer) => answer === undefined);
};

/** Plays a theft to the point at which it must have been noticed; answers whether nobody has the link any more. */
const playTheft: Record<Theft, <Token>(app: App<Token>) => Promise<boolean>> = {
  'refreshes twice first': async (app) => {
    const second = await app.ask(app.held());
    const third = second === undefined ? undefined : await app.ask(second);
    await app.pass(LONGER_THAN_GRACE);
    return (await app.ask(app.held())) === undefined && endOf(app, third);
  },
  'comes after the app': async (app) => {
    const stolen = app.held();
    if (!(await app.refresh()) || !(await app.refresh())) return false;
    await app.pass(LONGER_THAN_GRACE);
    return (await app.ask(stolen)) === undefined && endOf(app, undefined);
  },
  'keeps what it got': async (app) => {
    const second = await app.ask(app.held());
    await app.pass(LONGER_THAN_OVERLAP);
    return (await app.ask(app.held())) === undefined && endOf(app, second);
  },
};

/**
 * Plays one history of a link: lost requests and answers, tries after weeks, parallel and late copies, clocks that
 * move; in one of four a thief at the end. The app must keep its link, and a thief must lose it.
 */
export const playHistory = async <Token>(play: Play<Token>): Promise<History> => {
  const { random, steps, keepsFirst } = play;
  const app = createApp(play);
  const over = (fault?: string, theft?: Theft): History => ({ fault, theft, requests: app.requests() });
  for (let step = 1; step <= steps; step += 1)
    if (!(await app.step())) return over(`the link ended in step ${step}`);
  // A client in mode static has no older token that could betray a thief.
  if (keepsFirst || random.below(4) > 0) return over();
  await app.pass(LONGER_THAN_GRACE);
  if (!(await app.refresh())) return over('the link ended before the theft');
  await app.pass(LONGER_THAN_GRACE);
  const theft = random.pick(thefts);
  return over((await playTheft[theft](app)) ? undefined : `missed: a thief ${theft}`, theft);
};

/** Sums up histories. */
export const createSum = () => {
  const sum = { histories: 0, requests: 0, lost: 0, thefts: 0, missed: 0 };
  const faults: string[] = [];
  return {
    sum,
    /** What went wrong, by the number of the history. */
    faults,
    add: (number: number, { fault, theft, requests }: History) => {
      sum.histories += 1;
      sum.requests += requests;
      if (theft) sum.thefts += 1;
      if (!fault) return;
      sum[theft ? 'missed' : 'lost'] += 1;
      faults.push(`history ${number}: ${fault}`);
    },
  };
};
