import type { RegisteredClient } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../flow/components/copy-button.tsx';
import { Dialog } from '../flow/dialog/dialog.tsx';
import { onScreen } from '../portal/account/focus-after-ending.ts';
import { useFile, useLeaveQuestion } from '../portal/dialog/kept-once.ts';
import { Actions } from '../shell/components/actions.tsx';
import { Button } from '../shell/components/button.tsx';
import { focusSoon } from '../shell/forms/focus-soon.ts';
import { useOnHide } from '../shell/kept-pages/on-hide.ts';
import { useStore } from '../shell/store.ts';
import { envFile, type MadeSecret, madeSecret } from './made-secret.ts';
import styles from './secret-dialog.module.css';

const forget = () => madeSecret.set(undefined);

/** The button that opened the dialog of a further secret waits below it; the first secret comes with a new page. */
const focusBehind = ({ name, variable }: MadeSecret) =>
  focusSoon(() => {
    if (variable !== undefined) return onScreen('[data-section="signals"] h2');
    return name === undefined
      ? onScreen('h1')
      : (onScreen('[data-section="secrets"] > button') ?? onScreen('[data-section="secrets"] h2'));
  });

const Shown = ({ app, made }: { app: string; made: MadeSecret }) => {
  const { t } = useTranslation('developers');
  const [asks, setAsks] = useState(false);
  const [kept, setKept] = useState(false);
  const file = useFile(envFile(location.origin, made));
  useOnHide(forget);
  useLeaveQuestion();
  const finish = () => {
    forget();
    focusBehind(made);
  };
  if (asks) {
    return (
      <Dialog key="ask" title={t('madeSecret.askTitle')} alert onClose={() => setAsks(false)}>
        <p className={styles.text}>
          {t(made.variable === undefined ? 'madeSecret.askText' : 'madeSecret.askReplaced')}
        </p>
        <Actions>
          <Button onClick={() => setAsks(false)}>{t('madeSecret.back')}</Button>
          <Button look="primary" onClick={finish}>
            {t('madeSecret.kept')}
          </Button>
        </Actions>
      </Dialog>
    );
  }
  const { name, clientId, secret } = made;
  const close = () => (kept ? finish() : setAsks(true));
  return (
    <Dialog
      title={name === undefined ? t('madeSecret.title', { app }) : t('madeSecret.titleOf', { app, name })}
      alert
      onClose={close}
    >
      <p className={styles.text}>{t('madeSecret.text')}</p>
      <code className={styles.value}>{secret}</code>
      <p className={styles.ways}>
        <CopyButton text={secret} onCopied={() => setKept(true)} />
        {file && (
          <a href={file} download={`${clientId}.env`} onClick={() => setKept(true)}>
            {t('madeSecret.download')}
          </a>
        )}
      </p>
      <Actions>
        <Button look="primary" onClick={close}>
          {t('madeSecret.done')}
        </Button>
      </Actions>
    </Dialog>
  );
};

/** Shows a secret of the client once. Where it was neither copied nor downloaded, asks before it closes whether it was kept. */
export const SecretDialog = ({ client }: { client: RegisteredClient }) => {
  const made = useStore(madeSecret);
  if (made?.clientId !== client.client_id) return null;
  return <Shown key={made.secret} app={client.client_name} made={made} />;
};
