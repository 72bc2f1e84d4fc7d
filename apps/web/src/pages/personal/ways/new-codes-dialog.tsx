import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import { call } from '../../../api/client.ts';
import { Actions } from '../../../components/actions.tsx';
import { Button } from '../../../components/button.tsx';
import prose from '../../../components/prose.module.css';
import { Dialog } from '../../../dialog/dialog.tsx';
import { type Problem, useProblemText } from '../../../forms/form-errors.ts';
import { focusWay } from './focus-way.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useWaysChange } from './use-ways-change.ts';
import styles from './way-dialogs.module.css';

/** Makes ten recovery codes in place of the present ones, and shows them. */
export const NewCodesDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const changed = useWaysChange();
  const [codes, setCodes] = useState<readonly string[]>();
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    setCodes((await call('POST /api/totp/recovery-codes')).recoveryCodes);
    await changed();
  }, setProblem);
  if (codes) {
    return (
      <RecoveryCodes
        codes={codes}
        onKept={() => {
          onClose();
          focusWay('second-step');
        }}
      />
    );
  }
  return (
    <Dialog key="ask" title={t('ways.codes.newTitle')} alert onClose={onClose}>
      <p className={prose.lead}>{t('ways.codes.newText')}</p>
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
      <Actions>
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button look="primary" busy={busy} onClick={() => void run()}>
          {t('ways.codes.make')}
        </Button>
      </Actions>
    </Dialog>
  );
};
