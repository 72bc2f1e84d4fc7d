/** An answer with its body, and when it came, in milliseconds of this computer's clock. */
interface Answer {
  response: Response;
  at: number;
}

interface FirstAnswer {
  url: string;
  /** The path of the page that asked. */
  page: string;
  /** Undefined where no answer came. */
  answer: Promise<Answer | undefined>;
}

declare global {
  /** Put there by the script in the head of the page, until somebody takes it. */
  var candelaFirst: FirstAnswer | undefined;
}

const GOOD_FOR_MS = 30_000;

/**
 * Takes the answer to what the page asked for before its scripts had loaded. It is taken once, on the page that asked,
 * before anything is changed, and within 30 seconds. Undefined otherwise, and where no answer came: ask yourself.
 */
export const takeFirstAnswer = async (method: string, url: string): Promise<Answer | undefined> => {
  const first = globalThis.candelaFirst;
  const isGood = first && method === 'GET' && location.pathname === first.page;
  if (isGood && url !== first.url) return undefined;
  globalThis.candelaFirst = undefined;
  const answer = isGood && (await first.answer);
  return answer && Date.now() - answer.at < GOOD_FOR_MS ? answer : undefined;
};
