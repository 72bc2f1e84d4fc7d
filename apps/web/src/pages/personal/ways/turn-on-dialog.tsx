import type { TotpStarted } from '@candela/contract';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import { call } from '../../../api/client.ts';
import { bring } from '../../../bring.ts';
import { part } from '../../../chunk/part.tsx';
import { CodeField } from '../../../code-entry/code-field.tsx';
import { Actions } from '../../../components/actions.tsx';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import prose from '../../../components/prose.module.css';
import { retype } from '../../../components/retype.ts';
import { Skeleton } from '../../../components/skeleton.tsx';
import { notify } from '../../../components/toast.tsx';
import { Dialog } from '../../../dialog/dialog.tsx';
import { DialogForm } from '../../../dialog/dialog-form.tsx';
import { type FormErrors, type Problem, toFormErrors, useProblemText } from '../../../forms/form-errors.ts';
import { useSubmit } from '../../../forms/use-submit.ts';
import { focusWay } from './focus-way.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useWaysChange } from './use-ways-change.ts';
import styles from './way-dialogs.module.css';

const QrCode = part(async () => (await bring(() => import('./qr-code.tsx'))).QrCode);

/** In groups of four, as people read it. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

const Secret = ({ started: { secret, uri } }: { started: TotpStarted }) => {
  const { t } = useTranslation('account');
  return (
    <>
      <Suspense fallback={<Skeleton heights={[208]} />}>
        <QrCode text={uri} label={t('ways.step.qr')} />
      </Suspense>
      <a className={styles.same} href={uri}>
        {t('ways.step.sameDevice')}
      </a>
      <div>
        <p className={styles.label}>{t('ways.step.secret')}</p>
        <div className={styles.secret}>
          <code>{grouped(secret)}</code>
          <CopyButton text={secret} />
        </div>
      </div>
    </>
  );
};

interface ScanStepProps {
  started: TotpStarted;
  onDone: (recoveryCodes: readonly string[]) => void;
  /** The secret is good no more. */
  onLost: (problem: Problem) => void;
  onClose: () => void;
}

/** The secret for the app, and the field for the first code of the app. */
const ScanStep = ({ started, onDone, onLost, onClose }: ScanStepProps) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<FormErrors<'code'>>({});
  const input = useRef<HTMLInputElement>(null);
  const show = (next: FormErrors<'code'>) => {
    setErrors(next);
    if (next.code) retype(input);
  };
  const { busy, run } = useSubmit(
    async (typed: string) => {
      if (!typed) return show({ code: { code: 'code_blank' } });
      setErrors({});
      onDone((await call('PUT /api/totp', { body: { code: typed } })).recoveryCodes);
    },
    (error) => {
      if (error.code === 'totp_not_started' || error.code === 'totp_exists') onLost(error);
      else if (error.code === 'totp_incorrect') show({ code: error });
      else show(toFormErrors(error, ['code']));
    },
  );
  return (
    <Dialog key="scan" title={t('ways.step.scanTitle')} form onClose={onClose}>
      <p className={prose.lead}>{t('ways.step.scanText')}</p>
      <Secret started={started} />
      <DialogForm
        action={t('ways.step.on')}
        busy={busy}
        problem={errors.form}
        onSubmit={() => void run(code)}
        onCancel={onClose}
      >
        <CodeField
          id="totp-code"
          round={0}
          value={code}
          hint={t('ways.step.codeHint')}
          error={errors.code && problemText(errors.code)}
          inputRef={input}
          action={null}
          onChange={setCode}
          onComplete={(typed) => void run(typed)}
        />
      </DialogForm>
    </Dialog>
  );
};

/** The dialog that turns the second step on: what it is, the secret for the app, and the recovery codes. */
export const TurnOnDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const changed = useWaysChange();
  const [started, setStarted] = useState<TotpStarted>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    setStarted(await call('POST /api/totp'));
  }, setProblem);
  const isOn = codes !== undefined;
  useEffect(() => {
    if (isOn) notify(t('app.done'));
  }, [isOn, t]);

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
  if (started) {
    return (
      <ScanStep
        started={started}
        onDone={(made) => {
          setCodes(made);
          void changed();
        }}
        onLost={(why) => {
          setStarted(undefined);
          setProblem(why);
          void changed();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog key="intro" title={t('ways.step.onTitle')} form onClose={onClose}>
      <p className={prose.lead}>{t('ways.step.onText')}</p>
      <p className={prose.lead}>{t('ways.step.onApp')}</p>
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
      <Actions>
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button look="primary" busy={busy} onClick={() => void run()}>
          {t('ways.continue')}
        </Button>
      </Actions>
    </Dialog>
  );
};
