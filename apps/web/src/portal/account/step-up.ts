import { ApiError } from '../../shell/api/client.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { createStore, useStore } from '../../shell/store.ts';

/**
 * The kinds of question. `who` asks for any proof that the person owns the account, `factor` for one of its second
 * factors, `oldest` for one of the proofs that are as old as what is changed, `contact` asks for a code to
 * `contact` itself, `wait` offers to let the change wait because `contact` cannot be reached.
 */
type Ask =
  | { what: 'who' }
  | { what: 'factor' }
  | { what: 'oldest'; by: readonly string[] }
  | { what: 'contact' | 'wait'; contact: string };

/** `unreachable`: the person cannot receive codes at the contact. */
type StepUpAnswer = 'confirmed' | 'given-up' | 'unreachable';

/** An open question to the person. */
export interface StepUpQuestion {
  ask: Ask;
  answer: (answer: StepUpAnswer) => void;
}

const question = createStore<StepUpQuestion | undefined>(undefined);

const pose = (ask: Ask): Promise<StepUpAnswer> =>
  new Promise((resolve) => {
    question.get()?.answer('given-up');
    const mine: StepUpQuestion = {
      ask,
      answer: (answer) => {
        if (question.get() === mine) question.set(undefined);
        resolve(answer);
      },
    };
    question.set(mine);
  });

/** The open question; undefined when there is none. */
export const useStepUpQuestion = (): StepUpQuestion | undefined => useStore(question);

const asksForProof = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'step_up_required';

const asksForFactor = (error: unknown): boolean => asksForProof(error) && 'totp' in error.fields;

/** Which question the refusal asks: its fields name what the server takes. */
const askOf = ({ fields }: ApiError): Ask => {
  const by = Object.keys(fields);
  if (by.includes('totp')) return { what: 'factor' };
  return by.length > 0 ? { what: 'oldest', by } : { what: 'who' };
};

/** A change takes a second factor and another proof at most. */
const MOST_QUESTIONS = 2;

/**
 * Runs an action. Where the server demands proofs, asks the person for each of them and runs the action again.
 * @throws {ApiError} step_up_required when the person gives up the question
 */
export const withStepUp = async <Result>(
  action: () => Promise<Result>,
  questions = MOST_QUESTIONS,
): Promise<Result> => {
  try {
    return await action();
  } catch (error) {
    if (!asksForProof(error) || questions === 0) throw error;
    if ((await pose(askOf(error))) !== 'confirmed') throw error;
    return await withStepUp(action, questions - 1);
  }
};

/** Whether the server, after a step-up, still demands a code to the contact itself. */
const asksForContact = (error: unknown): boolean =>
  asksForProof(error) && !asksForFactor(error) && Object.keys(error.fields).length > 0;

/** Runs an action, and asks for the second factor alone where the server demands it. */
const withFactor = async <Result>(action: () => Promise<Result>): Promise<Result> => {
  try {
    return await action();
  } catch (error) {
    if (!asksForFactor(error) || (await pose({ what: 'factor' })) !== 'confirmed') throw error;
    return await action();
  }
};

/** Runs the change after a step-up by other means. `refusal`: the server still demands a code to the contact. */
const tryOtherwise = async <Result>(
  action: () => Promise<Result>,
): Promise<{ result: Result } | { refusal: ApiError }> => {
  try {
    return { result: await withStepUp(action, 1) };
  } catch (error) {
    if (asksForContact(error)) return { refusal: error as ApiError };
    throw error;
  }
};

/**
 * Runs a change that takes `contact` from the account. Where the server demands a proof, asks for a code to the
 * contact. A person who cannot receive that code proves the account by other means, or lets the change wait.
 * @throws {ApiError} step_up_required when the person gives up the question
 */
export const withContactProof = async <Result>(
  contact: string,
  action: (wait: boolean) => Promise<Result>,
): Promise<Result> => {
  const now = () => withFactor(() => action(false));
  try {
    return await now();
  } catch (error) {
    if (!asksForProof(error) || asksForFactor(error)) throw error;
    const answer = await pose({ what: 'contact', contact });
    if (answer === 'confirmed') return await now();
    if (answer === 'given-up') throw error;
    if (!asksForContact(error)) {
      const outcome = await tryOtherwise(now);
      if ('result' in outcome) return outcome.result;
    }
    if ((await pose({ what: 'wait', contact })) !== 'confirmed') throw error;
    return await withStepUp(() => action(true));
  }
};

/** Whether the error means that the person gave up the step-up: the form shows no error then. */
export const isGivenUp = ({ code }: ApiError): boolean => code === 'step_up_required';

/** `useSubmit` for an action that may need a step-up. Giving up the step-up leaves the form as it was. */
export const useSensitiveSubmit = <Arguments extends unknown[]>(
  action: (...args: Arguments) => Promise<void>,
  onError: (error: ApiError) => void,
  onSignedOut?: () => void,
) =>
  useSubmit(
    (...args: Arguments) => withStepUp(() => action(...args)),
    (error) => {
      if (!isGivenUp(error)) onError(error);
    },
    onSignedOut,
  );
