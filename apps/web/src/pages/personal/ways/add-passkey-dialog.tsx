import type { Passkey } from '@candela/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import { call } from '../../../api/client.ts';
import { bring } from '../../../bring.ts';
import { Actions } from '../../../components/actions.tsx';
import { Button } from '../../../components/button.tsx';
import column from '../../../components/column.module.css';
import { ErrorSummary } from '../../../components/error-summary.tsx';
import { OnlyField } from '../../../components/field.tsx';
import prose from '../../../components/prose.module.css';
import { Dialog } from '../../../dialog/dialog.tsx';
import { type Problem, useProblemText } from '../../../forms/form-errors.ts';
import { focusWay } from './focus-way.ts';
import type { MakingRefusal } from './make-passkey.ts';
import { PasskeyNameField, usePasskeyName } from './passkey-name.tsx';
import { useWaysChange } from './use-ways-change.ts';
import styles from './way-dialogs.module.css';

const loadMaking = () => bring(() => import('./make-passkey.ts'));

/** Names the passkey that was just added; the server has suggested a name. */
const NameStep = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const { t } = useTranslation('account');
  const entry = usePasskeyName(passkey, onClose);
  const { form } = entry.errors;
  return (
    <Dialog key="name" title={t('ways.passkeys.addedTitle')} form onClose={onClose}>
      <p className={prose.lead}>{t('ways.passkeys.addedText')}</p>
      <form
        className={column.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void entry.run();
        }}
      >
        <ErrorSummary errors={form ? { form } : {}} fields={[]} />
        <OnlyField value>
          <PasskeyNameField entry={entry} />
        </OnlyField>
        <Actions>
          <Button look="primary" type="submit" busy={entry.busy}>
            {t('ways.done')}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
};

/** Says why there is no passkey. That the person stopped it is no error. */
const NotMade = ({ why }: { why: MakingRefusal }) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  if (why === 'stopped') {
    return (
      <p className={styles.note} role="status">
        {t('ways.passkeys.stopped')}
      </p>
    );
  }
  return (
    <p className={styles.problem} role="alert">
      {why === 'exists' ? problemText({ code: 'passkey_exists' }) : t(`ways.passkeys.${why}`)}
    </p>
  );
};

/** The dialog that adds a passkey, and then names it. */
export const AddPasskeyDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const changed = useWaysChange();
  const [added, setAdded] = useState<Passkey>();
  const [refusal, setRefusal] = useState<MakingRefusal>();
  const [problem, setProblem] = useState<Problem>();
  /** Ends the browser's question. */
  const stop = useRef(() => {});
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
      stop.current();
    };
  }, []);

  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    setRefusal(undefined);
    const [{ makePasskey, stopMaking }, options] = await Promise.all([
      loadMaking(),
      call('POST /api/passkeys/options'),
    ]);
    if (isClosed.current) return;
    stop.current = stopMaking;
    const made = await makePasskey(options);
    stop.current = () => {};
    if ('refusal' in made) return setRefusal(made.refusal);
    const passkey = await call('POST /api/passkeys', { body: { response: made.response } });
    await changed();
    setAdded(passkey);
  }, setProblem);

  if (added) {
    return (
      <NameStep
        passkey={added}
        onClose={() => {
          onClose();
          focusWay('passkeys');
        }}
      />
    );
  }
  return (
    <Dialog key="add" title={t('ways.passkeys.addTitle')} form onClose={onClose}>
      <p className={prose.lead}>{t('ways.passkeys.addText')}</p>
      <p className={prose.lead}>{t('ways.passkeys.addHow')}</p>
      {refusal && <NotMade why={refusal} />}
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
      <Actions>
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button look="primary" busy={busy} onClick={() => void run()}>
          {refusal || problem ? t('app.retry') : t('ways.continue')}
        </Button>
      </Actions>
    </Dialog>
  );
};
