import type { ClientSecretFacts, RegisteredClient } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../flow/components/moment.tsx';
import { prepareDialog } from '../../flow/dialog/dialog.tsx';
import { focusAfterEnding } from '../../portal/account/focus-after-ending.ts';
import { useEnding } from '../../portal/account/use-ending.ts';
import card from '../../portal/components/card.module.css';
import { ConfirmDialog } from '../../portal/dialog/confirm-dialog.tsx';
import { call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { formatRelative } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import { AsCommand } from '../as-command.tsx';
import { apiPathOf } from '../commands.ts';
import { protectionOf } from '../protection.ts';
import { Section } from '../section.tsx';
import { useClientRefresh } from '../use-client-update.ts';
import { AddSecretDialog } from './add-secret-dialog.tsx';
import styles from './secrets.module.css';

/** So many secrets has a client at most. */
const MOST = 5;

const SecretRow = ({ secret, onRemove }: { secret: ClientSecretFacts; onRemove: () => void }) => {
  const { t } = useTranslation('developers');
  const { name, createdAt, lastUsedAt, expiresAt } = secret;
  return (
    <li className={styles.secret} data-record={`secret ${name}`}>
      <h3 className={styles.name}>{name}</h3>
      <dl className={styles.facts}>
        <div className={styles.fact}>
          <dt>{t('client.secrets.made')}</dt>
          <dd>
            <Moment at={createdAt} show="distance" />
          </dd>
        </div>
        <div className={styles.fact}>
          <dt>{t('client.secrets.used')}</dt>
          <dd>{lastUsedAt ? <Moment at={lastUsedAt} show="distance" /> : t('client.secrets.neverUsed')}</dd>
        </div>
        <div className={styles.fact}>
          <dt>{t('client.secrets.ends')}</dt>
          <dd>{expiresAt ? <Moment at={expiresAt} show="distance" /> : t('client.secrets.endsNever')}</dd>
        </div>
      </dl>
      <div className={styles.action}>
        <Button look="text" aria-label={t('client.secrets.removeOf', { name })} onClick={onRemove}>
          {t('client.secrets.remove')}
        </Button>
      </div>
    </li>
  );
};

/** Asks whether to remove a secret. */
export const RemoveDialog = ({
  secret,
  answer,
}: {
  secret: ClientSecretFacts;
  answer: ReturnType<typeof useEnding>['answer'];
}) => {
  const { t } = useTranslation('developers');
  const locale = useLocale();
  const { name, lastUsedAt } = secret;
  return (
    <ConfirmDialog
      title={t('client.secrets.removeTitle', { name })}
      text={
        lastUsedAt
          ? t('client.secrets.removeUsed', { when: formatRelative(new Date(lastUsedAt), new Date(), locale) })
          : t('client.secrets.removeUnused')
      }
      action={t('client.secrets.remove')}
      {...answer}
    />
  );
};

/** The secrets of the client: a new one is added before the old one is removed. */
export const Secrets = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const [adding, setAdding] = useState(false);
  const id = client.client_id;
  const refresh = useClientRefresh(id);
  const records = client.secrets.map(({ name }) => ({ id: `secret ${name}` }));
  const ending = useEnding<ClientSecretFacts>(
    async ({ name }) => call('DELETE /api/clients/:id/secrets/:name', { params: { id, name } }),
    async ({ name }) => {
      await refresh();
      focusAfterEnding(records, `secret ${name}`);
    },
  );
  const protection = protectionOf(client);
  if (protection !== 'secret') {
    return (
      <Section name="secrets">
        <p>{t(`client.secrets.by.${protection}`)}</p>
      </Section>
    );
  }
  const path = `${apiPathOf(id)}/secrets`;
  const last = client.secrets.at(-1)?.name;
  return (
    <Section name="secrets" text={t('client.secrets.text')}>
      <ul className={card.card}>
        {client.secrets.map((secret) => (
          <SecretRow key={secret.name} secret={secret} onRemove={() => ending.ask(secret)} />
        ))}
      </ul>
      {client.secrets.length < MOST ? (
        <Button
          className={styles.add}
          onPointerEnter={prepareDialog}
          onClick={() => {
            prepareDialog();
            setAdding(true);
          }}
        >
          {t('client.secrets.add')}
        </Button>
      ) : (
        <p className={styles.full}>{t('client.secrets.full')}</p>
      )}
      <AsCommand
        what={t('client.secrets.add')}
        words={['add-secret', id, '--name', 'server-2', '--expires-in', '90d']}
        request={{ method: 'POST', path, body: { name: 'server-2' } }}
      />
      {last !== undefined && (
        <AsCommand
          what={t('client.secrets.removeOf', { name: last })}
          words={['remove-secret', id, last]}
          request={{ method: 'DELETE', path: `${path}/${encodeURIComponent(last)}` }}
        />
      )}
      {adding && <AddSecretDialog client={client} onClose={() => setAdding(false)} />}
      {ending.target && <RemoveDialog secret={ending.target} answer={ending.answer} />}
    </Section>
  );
};
