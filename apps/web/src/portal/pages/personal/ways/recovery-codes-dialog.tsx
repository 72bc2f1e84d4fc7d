import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../../flow/components/copy-button.tsx';
import { Dialog } from '../../../../flow/dialog/dialog.tsx';
import { boot } from '../../../../shell/boot.ts';
import { Actions } from '../../../../shell/components/actions.tsx';
import { Button } from '../../../../shell/components/button.tsx';
import prose from '../../../../shell/components/prose.module.css';
import { useFile, useLeaveQuestion } from '../../../dialog/kept-once.ts';
import styles from './recovery-codes-dialog.module.css';

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  onClose: () => void;
}

/** Shows the recovery codes once. Who neither copied, nor saved, nor printed them is asked whether they were kept. */
export const RecoveryCodesDialog = ({ codes, onClose }: RecoveryCodesDialogProps) => {
  const { t } = useTranslation('security');
  const [asks, setAsks] = useState(false);
  const [isKept, setKept] = useState(false);
  const keep = () => setKept(true);
  const close = () => (isKept ? onClose() : setAsks(true));
  const text = codes.join('\n');
  /** Without it nobody knows later what the codes are for. */
  const account = `${boot.brand.name} ${location.host}`;
  const file = useFile(`${account}\n\n${text}\n`);
  useLeaveQuestion();
  if (asks) {
    return (
      <Dialog key="ask" title={t('ways.codesAskTitle')} alert onClose={() => setAsks(false)}>
        <p className={prose.lead}>{t('ways.codesAskText')}</p>
        <Actions>
          <Button onClick={() => setAsks(false)}>{t('ways.codesBack')}</Button>
          <Button look="primary" onClick={onClose}>
            {t('ways.codesKept')}
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('ways.codesTitle')} alert onClose={close}>
      <p className={prose.lead}>{t('ways.codesText')}</p>
      <p className={styles.paper}>{account}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.ways}>
        <CopyButton text={text} onCopied={keep} />
        {file && (
          <a href={file} download={`recovery-codes-${location.hostname}.txt`} onClick={keep}>
            {t('ways.codesDownload')}
          </a>
        )}
        <button
          type="button"
          onClick={() => {
            print();
            keep();
          }}
        >
          {t('ways.codesPrint')}
        </button>
      </div>
      <Actions>
        <Button look="primary" onClick={close}>
          {t('ways.codesClose')}
        </Button>
      </Actions>
    </Dialog>
  );
};
