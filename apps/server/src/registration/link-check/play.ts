import type { LinkCheckStep } from '@candela/contract';
import type { LinkCheckStepName } from '@candela/contract/rules/link-check';
import { type Course, type Outcome, type Tokens, toStep, unanswered } from './course.ts';
import {
  exchange,
  firstAddress,
  judgeAnswer,
  link,
  linkElsewhere,
  otherAddresses,
  sendCodeAgain,
} from './linking-steps.ts';
import {
  comeBackLater,
  hangUp,
  linkAgain,
  refreshAgain,
  refreshOnce,
  refreshTwice,
  unlink,
} from './refreshing-steps.ts';
import { Unanswered } from './visitor.ts';

type TokenStep = (course: Course, tokens: Tokens) => Promise<Outcome<Tokens | undefined>>;

/** What a platform does with its tokens, in this order. */
const tokenSteps = (
  uri: string,
  { conduct }: Course,
): readonly (readonly [LinkCheckStepName, TokenStep])[] => [
  ['refresh', refreshOnce],
  ['parallel_refresh', refreshTwice],
  ['lost_answer', refreshAgain],
  ['timeout', hangUp],
  ['link_again', (course, tokens) => linkAgain(course, uri, tokens)],
  ['later', comeBackLater],
  ...(conduct.revokes ? ([['unlink', unlink]] as const) : []),
];

const skip = (steps: readonly LinkCheckStepName[]): LinkCheckStep[] =>
  steps.map((step) => ({ step, outcome: 'skipped', exchanges: [] }));

/** Runs a step. A server that does not answer is what the step found; any other error is an error of the check. */
export const attempt = <Held>(
  course: Pick<Course, 'issuer'>,
  step: () => Promise<Outcome<Held>>,
): Promise<Outcome<Held>> =>
  step().catch((error: unknown) => {
    if (error instanceof Unanswered) return unanswered(course, error);
    throw error;
  });

/** Plays all that the platform does with a link, and reports each step as it is done. */
export async function* play(course: Course): AsyncGenerator<LinkCheckStep, void, undefined> {
  const uri = firstAddress(course);
  const later = tokenSteps(uri ?? '', course);
  const laterNames = later.map(([name]) => name);

  const linked = await attempt(course, () => link(course, uri));
  yield toStep('link', linked);
  const code = linked.held;
  const others = otherAddresses(course, uri);
  if (code && others.length > 0)
    yield toStep('redirect_uris', await attempt(course, () => linkElsewhere(course, others)));
  if (!code) return yield* skip(['exchange', 'answer', 'code_again', ...laterNames]);

  const exchanged = await attempt(course, () => exchange(course, code));
  yield toStep('exchange', exchanged);
  if (!exchanged.held) return yield* skip(['answer', 'code_again', ...laterNames]);
  const { told, tokens } = exchanged.held;
  yield toStep('answer', judgeAnswer(course, told));
  const repeated = await attempt(course, () => sendCodeAgain(course, code, tokens));
  yield toStep('code_again', repeated);

  let { held }: Outcome<Tokens | undefined> = repeated;
  for (const [name, run] of later) {
    if (!held) {
      yield* skip([name]);
      continue;
    }
    const holding = held;
    const outcome: Outcome<Tokens | undefined> = await attempt(course, () => run(course, holding));
    yield toStep(name, outcome);
    held = outcome.held;
  }
}
