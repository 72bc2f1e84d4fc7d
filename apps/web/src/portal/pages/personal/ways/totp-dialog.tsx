import type { TotpStarted } from '@candela/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeField } from '../../../../flow/code-entry/code-field.tsx';
import { CopyButton } from '../../../../flow/components/copy-button.tsx';
import { retype } from '../../../../flow/components/retype.ts';
import { Dialog } from '../../../../flow/dialog/dialog.tsx';
import { call } from '../../../../shell/api/client.ts';
import prose from '../../../../shell/components/prose.module.css';
import { type Problem, useProblemText } from '../../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../../shell/forms/use-submit.ts';
import { DialogForm } from '../../../dialog/dialog-form.tsx';
import { QrCode } from './qr-code.tsx';
import styles from './totp-dialog.module.css';

interface TotpDialogProps {
  started: TotpStarted;
  /** Gets the recovery codes once the app is set up. */
  onActivated: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

/** In groups of four, as people read it aloud and type it. */
const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** Hands the secret to an authenticator app, and takes its first code. */
export const TotpDialog = ({ started, onActivated, onClose }: TotpDialogProps) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [refusals, setRefusals] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const refuse = (next: Problem) => {
    setProblem(next);
    setRefusals(refusals + 1);
    retype(input);
  };
  const { busy, run } = useSubmit(async (typed: string) => {
    if (!typed) return refuse({ code: 'code_blank' });
    setProblem(undefined);
    const { recoveryCodes } = await call('PUT /api/totp', { body: { code: typed } });
    onActivated(recoveryCodes);
  }, refuse);
  const isOfField = problem?.code === 'totp_incorrect' || problem?.code === 'code_blank';
  return (
    <Dialog title={t('ways.totpTitle')} form onClose={onClose}>
      <p className={prose.lead}>{t('ways.totpScan')}</p>
      <QrCode text={started.uri} label={t('ways.totpQr')} />
      <p className={prose.lead}>{t('ways.totpType')}</p>
      <div className={styles.secret}>
        <code className={styles.value}>{inGroups(started.secret)}</code>
        <CopyButton text={started.secret} label={t('ways.totpCopy')} />
      </div>
      <DialogForm
        action={t('ways.totpOn')}
        busy={busy}
        problem={isOfField ? undefined : problem}
        onSubmit={() => run(code)}
        onCancel={onClose}
      >
        <CodeField
          id="totp-code"
          round={refusals}
          value={code}
          hint={t('ways.totpHint')}
          error={isOfField && problem ? problemText(problem) : undefined}
          inputRef={input}
          action={null}
          onChange={setCode}
          onComplete={(typed) => void run(typed)}
        />
        <p className={prose.lead}>{t('ways.totpEnds')}</p>
      </DialogForm>
    </Dialog>
  );
};
