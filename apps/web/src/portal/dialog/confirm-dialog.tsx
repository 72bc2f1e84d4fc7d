import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../flow/dialog/dialog.tsx';
import { Actions } from '../../shell/components/actions.tsx';
import { Button } from '../../shell/components/button.tsx';
import { type Problem, useProblemText } from '../../shell/forms/form-errors.ts';
import styles from './confirm-dialog.module.css';

/** The two answers to a confirmation, and the progress of the action. */
export interface ConfirmAnswer {
  busy: boolean;
  problem?: Problem | undefined;
  onConfirm: () => void;
  onCancel: () => void;
}

interface ConfirmDialogProps extends ConfirmAnswer {
  title: string;
  text: string;
  /** The label of the button that confirms. */
  action: string;
  /** What the answer covers, and choices about it. */
  children?: ReactNode;
}

/** Asks for a confirmation before an action that ends a thing. The harmless answer comes first. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { title, text, action, children, busy, problem, onConfirm, onCancel } = props;
  const { t } = useTranslation();
  const problemText = useProblemText();
  return (
    <Dialog title={title} alert onClose={onCancel}>
      <p className={styles.text}>{text}</p>
      {children}
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
      <Actions>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </Actions>
    </Dialog>
  );
};
