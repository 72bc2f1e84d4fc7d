import type { RegisteredClient, SignalStream } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../flow/components/copy-button.tsx';
import { Moment } from '../../flow/components/moment.tsx';
import { Phrase } from '../../flow/components/phrase.tsx';
import { useEnding } from '../../portal/account/use-ending.ts';
import { notify } from '../../portal/components/toast.tsx';
import { ConfirmDialog } from '../../portal/dialog/confirm-dialog.tsx';
import { call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import { focusSoon } from '../../shell/forms/focus-soon.ts';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { findSection } from '../section.tsx';
import { useClientRefresh } from '../use-client-update.ts';
import styles from './signals.module.css';

type State = 'failing' | 'disabled' | 'enabled' | 'paused';

const stateOf = ({ status, failingSince }: SignalStream): State =>
  status === 'enabled' && failingSince ? 'failing' : status;

/** Whether the receiver takes what it is sent. */
const Answer = ({ stream }: { stream: SignalStream }) => {
  const { t } = useTranslation('developers');
  const state = stateOf(stream);
  const { failingSince, statusReason, verifiedAt } = stream;
  return (
    <div className={styles.answer} data-state={state}>
      <span className={styles.mark} aria-hidden="true" />
      <h3 className={styles.title}>{t(`signals.state.${state}`)}</h3>
      {failingSince && state === 'failing' && (
        <p className={styles.text}>
          <Phrase text={(when) => t('signals.failingSince', { when })}>
            <Moment at={failingSince} />
          </Phrase>
        </p>
      )}
      {statusReason && <p className={styles.text}>{statusReason}</p>}
      {verifiedAt ? (
        <p className={styles.text}>
          <Phrase text={(when) => t('signals.verified', { when })}>
            <Moment at={verifiedAt} show="distance" />
          </Phrase>
        </p>
      ) : (
        <p className={styles.text}>{t('signals.neverVerified')}</p>
      )}
    </div>
  );
};

interface StreamStateProps {
  client: RegisteredClient;
  stream: SignalStream;
  onSecret: () => Promise<void>;
}

/** How the stream does, and what can be done with it. */
export const StreamState = ({ client, stream, onSecret }: StreamStateProps) => {
  const { t } = useTranslation('developers');
  const [problem, setProblem] = useState<Problem>();
  const id = client.client_id;
  const refresh = useClientRefresh(id);
  const testing = useSubmit(async () => {
    setProblem(undefined);
    await call('POST /api/clients/:id/stream/test', { params: { id } });
    notify(t(stream.deliveryMethod === 'poll' ? 'signals.testWaits' : 'signals.testSent'));
    await refresh();
  }, setProblem);
  const secret = useSubmit(async () => {
    setProblem(undefined);
    await onSecret();
  }, setProblem);
  const removing = useEnding<SignalStream>(
    async () => call('DELETE /api/clients/:id/stream', { params: { id } }),
    async () => {
      await refresh();
      focusSoon(() => findSection(document, 'signals'));
    },
  );
  return (
    <div className={styles.state}>
      <Answer stream={stream} />
      {stream.deliveryMethod === 'poll' && (
        <p className={styles.poll}>
          <span>{t('signals.pollAt')}</span> <code>{stream.endpointUrl}</code>
          <CopyButton text={stream.endpointUrl} />
        </p>
      )}
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      {!client.first_party && (
        <div className={styles.acts}>
          <Button busy={testing.busy} onClick={() => void testing.run()}>
            {t('signals.test')}
          </Button>
          {stream.deliveryMethod === 'webhook' && (
            <Button look="text" busy={secret.busy} onClick={() => void secret.run()}>
              {t('signals.newSecret')}
            </Button>
          )}
          <Button look="danger" onClick={() => removing.ask(stream)}>
            {t('signals.remove')}
          </Button>
        </div>
      )}
      {removing.target && (
        <ConfirmDialog
          title={t('signals.removeTitle')}
          text={t('signals.removeText')}
          action={t('signals.remove')}
          {...removing.answer}
        />
      )}
    </div>
  );
};
