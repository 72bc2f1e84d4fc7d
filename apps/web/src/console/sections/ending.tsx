import type { RegisteredClient } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { prepareDialog } from '../../flow/dialog/dialog.tsx';
import { useEnding } from '../../portal/account/use-ending.ts';
import card from '../../portal/components/card.module.css';
import { notify } from '../../portal/components/toast.tsx';
import { ConfirmDialog } from '../../portal/dialog/confirm-dialog.tsx';
import { call } from '../../shell/api/client.ts';
import { boot } from '../../shell/boot.ts';
import { Button } from '../../shell/components/button.tsx';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import { focusSoon } from '../../shell/forms/focus-soon.ts';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { AsCommand } from '../as-command.tsx';
import { apiPathOf } from '../commands.ts';
import { Section } from '../section.tsx';
import { useClientRefresh } from '../use-client-update.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import styles from './ending.module.css';

const Enable = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const { client_id: id, client_name: app } = client;
  const [problem, setProblem] = useState<Problem>();
  const refresh = useClientRefresh(id);
  const { busy, run } = useSubmit(async () => {
    setProblem(undefined);
    await call('POST /api/clients/:id/enable', { params: { id } });
    await refresh();
    notify(t('client.ending.enabled', { app }));
  }, setProblem);
  return (
    <div className={styles.action}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <p className={styles.text}>{t('client.ending.enableText')}</p>
      <Button id={`enable ${id}`} busy={busy} onClick={() => void run()}>
        {t('client.ending.enable')}
      </Button>
      <AsCommand
        what={t('client.ending.enable')}
        words={['enable', id]}
        request={{ method: 'POST', path: `${apiPathOf(id)}/enable` }}
      />
    </div>
  );
};

const Disable = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const { client_id: id, client_name: app } = client;
  const refresh = useClientRefresh(id);
  const disabling = useEnding<RegisteredClient>(
    async () => call('POST /api/clients/:id/disable', { params: { id } }),
    async () => {
      await refresh();
      // The button that opened the dialog is gone.
      focusSoon(() => document.getElementById(`enable ${id}`));
    },
  );
  return (
    <div className={styles.action}>
      <p className={styles.text}>{t('client.ending.disableText')}</p>
      <Button look="danger" onClick={() => disabling.ask(client)}>
        {t('client.ending.disable')}
      </Button>
      <AsCommand
        what={t('client.ending.disable')}
        words={['disable', id]}
        request={{ method: 'POST', path: `${apiPathOf(id)}/disable` }}
      />
      {disabling.target && (
        <ConfirmDialog
          title={t('client.ending.disableTitle', { app })}
          text={t('client.ending.disableText')}
          action={t('client.ending.disable')}
          {...disabling.answer}
        />
      )}
    </div>
  );
};

/** Disables, enables or deletes the client, and says what depends on it. */
export const Ending = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const [deleting, setDeleting] = useState(false);
  const { client_id: id, client_name: app, links: count } = client;
  if (client.first_party) {
    return (
      <Section name="ending">
        <p>{t('client.ownEnding', { brand: boot.brand.name })}</p>
      </Section>
    );
  }
  return (
    <Section name="ending" text={count > 0 ? t('client.ending.text', { count }) : t('client.ending.noLinks')}>
      <div className={card.card}>
        {client.disabled ? <Enable client={client} /> : <Disable client={client} />}
        <div className={styles.action}>
          <p className={styles.text}>{t('client.ending.deleteText')}</p>
          <Button
            look="danger"
            onClick={() => {
              prepareDialog();
              setDeleting(true);
            }}
          >
            {t('client.ending.delete')}
          </Button>
          <AsCommand
            what={t('client.ending.delete')}
            words={['delete', id, '--yes']}
            request={{ method: 'DELETE', path: apiPathOf(id), body: { confirm: app } }}
          />
        </div>
      </div>
      {deleting && <DeleteDialog client={client} onClose={() => setDeleting(false)} />}
    </Section>
  );
};
