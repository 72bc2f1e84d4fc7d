import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/client.ts';
import { useSubmit } from '../forms/use-submit.ts';

/** The question whether it is really the account's owner, waiting for its answer. */
export interface StepUpQuestion {
  answer: (confirmed: boolean) => void;
}

let question: StepUpQuestion | undefined;
const listeners = new Set<() => void>();

const put = (next: StepUpQuestion | undefined): void => {
  question = next;
  for (const listener of listeners) listener();
};

const ask = (): Promise<boolean> =>
  new Promise((resolve) => {
    question?.answer(false);
    const mine: StepUpQuestion = {
      answer: (confirmed) => {
        if (question === mine) put(undefined);
        resolve(confirmed);
      },
    };
    put(mine);
  });

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** What `StepUpGate` asks. */
export const useStepUpQuestion = (): StepUpQuestion | undefined =>
  useSyncExternalStore(subscribe, () => question);

/**
 * Runs an action; where the server wants to know who is there, the person is asked and the action runs again.
 * @throws {ApiError} step_up_required when the person gives up the question
 */
export const withStepUp = async <Result>(action: () => Promise<Result>): Promise<Result> => {
  try {
    return await action();
  } catch (error) {
    const asks = error instanceof ApiError && error.code === 'step_up_required';
    if (!asks || !(await ask())) throw error;
    return await action();
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
