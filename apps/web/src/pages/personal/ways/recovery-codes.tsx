import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { boot } from '../../../boot.ts';
import { Actions } from '../../../components/actions.tsx';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import prose from '../../../components/prose.module.css';
import { Dialog } from '../../../dialog/dialog.tsx';
import { useOnHide } from '../../../kept-pages/on-hide.ts';
import { useFile } from '../../../shown-once/use-file.ts';
import { useLeaveQuestion } from '../../../shown-once/use-leave-question.ts';
import styles from './way-dialogs.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  /** The person has kept them: they are shown no more. */
  onKept: () => void;
}

/** Shows recovery codes this once, and closes only after the person says that they are kept. */
export const RecoveryCodes = ({ codes, onKept }: RecoveryCodesProps) => {
  const { t } = useTranslation('account');
  const [asks, setAsks] = useState(false);
  const paper = `${t('ways.codes.fileTitle', { brand: boot.brand.name })}\n\n${codes.join('\n')}\n\n${t('ways.codes.fileText')}\n`;
  const file = useFile(paper);
  useOnHide(onKept);
  useLeaveQuestion();
  if (asks) {
    return (
      <Dialog key="ask" title={t('ways.codes.askTitle')} alert onClose={() => setAsks(false)}>
        <p className={prose.lead}>{t('ways.codes.askText')}</p>
        <Actions>
          <Button onClick={() => setAsks(false)}>{t('ways.codes.back')}</Button>
          <Button look="primary" onClick={onKept}>
            {t('ways.codes.kept')}
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <Dialog key="codes" title={t('ways.codes.title')} alert onClose={() => setAsks(true)}>
      <p className={prose.lead}>{t('ways.codes.text')}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.keep}>
        <CopyButton text={codes.join('\n')} />
        {file && (
          <a href={file} download="recovery-codes.txt">
            {t('ways.codes.download')}
          </a>
        )}
        <button type="button" onClick={() => print()}>
          {t('ways.codes.print')}
        </button>
      </div>
      <div className={styles.paper} data-paper="" aria-hidden="true">
        {paper}
      </div>
      <Actions>
        <Button look="primary" onClick={onKept}>
          {t('ways.codes.kept')}
        </Button>
      </Actions>
    </Dialog>
  );
};
