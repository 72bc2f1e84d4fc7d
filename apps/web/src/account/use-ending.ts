import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import { notify } from '../components/toast.tsx';
import { prepareDialog } from '../dialog/dialog.tsx';
import type { Problem } from '../forms/form-errors.ts';
import { useSubmit } from '../forms/use-submit.ts';

/** Ending something for good: it is asked about, done, and told. */
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
        // Gone already, elsewhere: that is what was wanted.
        if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
      }
      notify(t('app.done'));
      await onEnded(target);
      // Another may be asked about by then.
      setTarget((now) => (now === target ? undefined : now));
    },
    (problem) => setFailure({ target: tried.current, problem }),
  );

  return {
    /** What the open dialog asks about. */
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
