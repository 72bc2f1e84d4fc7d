import { useTranslation } from 'react-i18next';
import { useProblemText } from '../../../../shell/forms/form-errors.ts';
import type { useAddPasskey } from './use-passkeys.ts';
import styles from './ways-section.module.css';

/** Why there is no passkey, in words that say what to do. That the person stopped it is no error. */
export const AddingState = ({ adding }: { adding: ReturnType<typeof useAddPasskey> }) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const { problem, isStopped } = adding;
  return (
    <>
      {isStopped && (
        <span className={styles.facts} role="status">
          {t('ways.passkeyStopped')}
        </span>
      )}
      {problem && (
        <span className={styles.warning} role="alert">
          {problem.code === 'passkey_rejected' ? t('ways.passkeyImpossible') : problemText(problem)}
        </span>
      )}
    </>
  );
};
