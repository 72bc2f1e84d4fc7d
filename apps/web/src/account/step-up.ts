import { ApiError } from '../api/client.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { createStore, useStore } from '../store.ts';

/**
 * What is asked: whether it is really the account's owner (`who`), a code to `contact` itself, or whether the
 * change is to wait, since `contact` cannot be reached.
 */
type Ask = { what: 'who' } | { what: 'contact' | 'wait'; contact: string };

/** `unreachable`: no code can be had at the contact. */
type StepUpAnswer = 'confirmed' | 'given-up' | 'unreachable';

/** A question to the person, waiting for its answer. */
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

/** What `StepUpGate` asks. */
export const useStepUpQuestion = (): StepUpQuestion | undefined => useStore(question);

const asksForProof = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'step_up_required';

/**
 * Runs an action; where the server wants to know who is there, the person is asked and the action runs again.
 * @throws {ApiError} step_up_required when the person gives up the question
 */
export const withStepUp = async <Result>(action: () => Promise<Result>): Promise<Result> => {
  try {
    return await action();
  } catch (error) {
    if (!asksForProof(error) || (await pose({ what: 'who' })) !== 'confirmed') throw error;
    return await action();
  }
};

/** Who is there is known, and yet not whose the contact is. */
const asksForContact = (error: unknown): boolean =>
  asksForProof(error) && Object.keys(error.fields).length > 0;

/** What the server says to a change once the person has proven to be there in another way; none where it happened. */
const tryOtherwise = async <Result>(
  action: () => Promise<Result>,
): Promise<{ result: Result } | { refusal: ApiError }> => {
  try {
    return { result: await withStepUp(action) };
  } catch (error) {
    if (asksForContact(error)) return { refusal: error as ApiError };
    throw error;
  }
};

/**
 * Runs a change that takes `contact` from the account; where the server wants to know whose that is, a code to it
 * is asked for. Who cannot get one is known in another way, or lets the change wait.
 * @throws {ApiError} step_up_required when the person gives it up
 */
export const withContactProof = async <Result>(
  contact: string,
  action: (wait: boolean) => Promise<Result>,
): Promise<Result> => {
  const now = () => action(false);
  try {
    return await now();
  } catch (error) {
    if (!asksForProof(error)) throw error;
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

/** The person gave up the question: nothing is wrong with what was asked for. */
export const isGivenUp = ({ code }: ApiError): boolean => code === 'step_up_required';

/** `useSubmit` for what the server asks a step-up for. Giving up the question leaves the form as it was. */
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
