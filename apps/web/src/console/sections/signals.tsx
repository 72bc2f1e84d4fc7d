import type { ClientStream, RegisteredClient } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import card from '../../portal/components/card.module.css';
import { ListFailure } from '../../portal/components/list-states.tsx';
import { ApiError, call } from '../../shell/api/client.ts';
import { boot } from '../../shell/boot.ts';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { DocsLink } from '../docs-link.tsx';
import { madeSecret } from '../made-secret.ts';
import { streamQuery } from '../queries.ts';
import { SecretDialog } from '../secret-dialog.tsx';
import { Section } from '../section.tsx';
import { Deliveries } from '../signals/deliveries.tsx';
import styles from '../signals/signals.module.css';
import { StreamForm } from '../signals/stream-form.tsx';
import { StreamState } from '../signals/stream-state.tsx';
import { useClientRefresh } from '../use-client-update.ts';

const Stream = ({ client, found }: { client: RegisteredClient; found: ClientStream }) => {
  const { t } = useTranslation('developers');
  const id = client.client_id;
  const refresh = useClientRefresh(id);
  const { stream, deliveries } = found;
  /** @throws {ApiError} */
  const makeSecret = async () => {
    const { secret } = await call('POST /api/clients/:id/stream/secret', { params: { id } });
    madeSecret.set({ clientId: id, name: 'webhooks', variable: 'WEBHOOK_SECRET', secret });
    await refresh();
  };
  if (stream?.deliveryMethod === 'google') return <p>{t('signals.google')}</p>;
  return (
    <>
      <div className={`${card.card} ${styles.card}`}>
        {stream && <StreamState client={client} stream={stream} onSecret={makeSecret} />}
        <StreamForm client={client} stream={stream} onSecretDue={makeSecret} />
      </div>
      {stream && <Deliveries client={client} deliveries={deliveries} />}
      <SecretDialog client={client} />
    </>
  );
};

/** The stream that tells the app what happens to accounts and links. */
export const Signals = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const { data, error, isFetching, refetch } = useQuery(streamQuery(client.client_id));
  return (
    <Section
      name="signals"
      text={t(client.first_party ? 'signals.textOwn' : 'signals.text', { brand: boot.brand.name })}
    >
      <p>
        <DocsLink to="signals">{t('signals.docs')}</DocsLink>
      </p>
      {data ? (
        <Stream client={client} found={data} />
      ) : error instanceof ApiError ? (
        <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton heights={[280]} />
      )}
    </Section>
  );
};
