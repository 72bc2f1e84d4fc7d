import type { ClientMemberRemoved, RegisteredClient } from '@candela/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { focusAfterEnding } from '../../portal/account/focus-after-ending.ts';
import { useEnding } from '../../portal/account/use-ending.ts';
import card from '../../portal/components/card.module.css';
import { call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { useClientRefresh } from '../use-client-update.ts';
import styles from './members.module.css';
import { RemoveDialog } from './secrets.tsx';

/** What a developer who was taken off the client may still know. */
export interface Known extends ClientMemberRemoved {
  name: string;
}

type Secret = Known['secrets'][number];

const recordOf = ({ name }: Secret): string => `known ${name}`;

interface KnownSecretsProps {
  client: RegisteredClient;
  known: Known;
}

/** The secrets that work on after a developer was taken off, each with the way to end it. */
export const KnownSecrets = ({ client, known: { name, secrets } }: KnownSecretsProps) => {
  const { t } = useTranslation('developers');
  const title = useId();
  const id = client.client_id;
  const refresh = useClientRefresh(id);
  const left = secrets.filter((secret) => client.secrets.some((other) => other.name === secret.name));
  const ending = useEnding<Secret>(
    async (secret) => call('DELETE /api/clients/:id/secrets/:name', { params: { id, name: secret.name } }),
    async (secret) => {
      await refresh();
      focusAfterEnding(
        left.map((one) => ({ id: recordOf(one) })),
        recordOf(secret),
      );
    },
  );
  if (left.length === 0) return null;
  return (
    <section className={styles.known} aria-labelledby={title}>
      <h3 id={title}>{t('client.members.knownTitle', { name })}</h3>
      <p>{t('client.members.knownText')}</p>
      <ul className={card.card}>
        {left.map((secret) => (
          <li key={secret.name} className={styles.member} data-record={recordOf(secret)}>
            <div className={styles.words}>
              <p>
                <bdi>{secret.name}</bdi>
              </p>
              {secret.made && <p className={styles.facts}>{t('client.members.knownMade', { name })}</p>}
            </div>
            <Button
              look="text"
              aria-label={t('client.secrets.removeOf', { name: secret.name })}
              onClick={() => ending.ask(secret)}
            >
              {t('client.secrets.remove')}
            </Button>
          </li>
        ))}
      </ul>
      {ending.target && <RemoveDialog secret={ending.target} answer={ending.answer} />}
    </section>
  );
};
