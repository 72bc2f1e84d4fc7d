import type { Account } from '@candela/contract';
import { pictureTypes } from '@candela/contract/rules/picture';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Actions } from '../../../shell/components/actions.tsx';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import { Initial } from '../../../shell/components/initial.tsx';
import prose from '../../../shell/components/prose.module.css';
import styles from './avatar-dialog.module.css';
import { Progress } from './progress.tsx';

interface AvatarChooserProps {
  account: Account;
  busy: boolean;
  problem: string | undefined;
  onChoose: (file: File) => void;
  onCancel: () => void;
}

/** Step 1: the person chooses or drops a file. */
export const AvatarChooser = ({ account, busy, problem, onChoose, onCancel }: AvatarChooserProps) => {
  const { t } = useTranslation('account');
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const choose = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file && !busy) onChoose(file);
  };
  return (
    <div className={column.form}>
      <p className={prose.lead}>{t('settings.avatar.lead')}</p>
      <label
        className={styles.drop}
        data-over={over ? '' : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          choose(event.dataTransfer.files);
        }}
      >
        <Initial name={account.nickname} picture={account.avatar} size="large" />
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          accept={pictureTypes.join(',')}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'avatar-hint avatar-problem' : 'avatar-hint'}
          onChange={(event) => {
            choose(event.target.files);
            // Without this reset, a second choice of the same file fires no event.
            event.target.value = '';
          }}
        />
        <span className={styles.choose}>{t('settings.avatar.choose')}</span>
        <span className={styles.orDrop} aria-hidden="true">
          {t('settings.avatar.drop')}
        </span>
      </label>
      <p className={styles.hint} id="avatar-hint">
        {t('settings.avatar.hint')}
      </p>
      {problem && (
        <p className={styles.problem} id="avatar-problem" role="alert">
          {problem}
        </p>
      )}
      <Progress shown={busy} label={t('settings.avatar.opening')} />
      <Actions>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
      </Actions>
    </div>
  );
};
