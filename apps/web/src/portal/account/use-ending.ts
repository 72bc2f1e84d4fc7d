import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { prepareDialog } from '../../flow/dialog/dialog.tsx';
import { ApiError } from '../../shell/api/client.ts';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { notify } from '../components/toast.tsx';

/** Ends a record for good: asks for a confirmation, sends the request, and reports the success. */
export const useEnding = <Target>(
  end: (target: Target) => Promise<void>,
  onEnded: (target: Target) => Promise<void> | void,
) => {
  const { t } = useTranslation();
  const [target, setTarget] = useState<Target>();
  const [failure, setFailure] = useState<{ target: Target | undefined; problem: Problem }>();
  const tried = useRef<Target>(undefined);

  const { busy, run } = useSubmit(
    async () => {
      if (target === undefined) return;
      tried.current = target;
      setFailure(undefined);
      try {
        await end(target);
      } catch (error) {
        // The record has ended already: the result is the same.
        if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
      }
      notify(t('app.done'));
      await onEnded(target);
      // The dialog may ask about another record by now.
      setTarget((now) => (now === target ? undefined : now));
    },
    (problem) => setFailure({ target: tried.current, problem }),
  );

  return {
    /** The record that the open dialog asks about. */
    target,
    ask: (next: Target) => {
      prepareDialog();
      setFailure(undefined);
      setTarget(next);
    },
    answer: {
      busy,
      problem: failure?.target === target ? failure?.problem : undefined,
      onConfirm: () => void run(),
      onCancel: () => setTarget(undefined),
    },
  };
};
