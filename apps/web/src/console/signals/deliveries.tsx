import type { RegisteredClient, SignalDelivery } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../flow/components/moment.tsx';
import card from '../../portal/components/card.module.css';
import { notify } from '../../portal/components/toast.tsx';
import { call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import { useClientRefresh } from '../use-client-update.ts';
import styles from './signals.module.css';

/** So many are shown at first. */
const SHOWN = 5;

const useReplay = (id: string) => {
  const { t } = useTranslation('developers');
  const [problem, setProblem] = useState<Problem>();
  const refresh = useClientRefresh(id);
  const { busy, run } = useSubmit(async (signal: string) => {
    setProblem(undefined);
    await call('POST /api/clients/:id/stream/replay', { params: { id }, body: { id: signal } });
    notify(t('signals.replayed'));
    await refresh();
  }, setProblem);
  return { busy, run, problem };
};

const Delivery = ({ client, delivery }: { client: RegisteredClient; delivery: SignalDelivery }) => {
  const { t } = useTranslation('developers');
  const number = new Intl.NumberFormat(useLocale());
  const { id, event, createdAt, settledAt, attempts, outcome, status, ms, detail } = delivery;
  const replay = useReplay(client.client_id);
  const state = settledAt === undefined ? (outcome ? 'again' : 'waits') : (outcome ?? 'told');
  return (
    <li className={styles.delivery} data-outcome={state}>
      <div className={styles.words}>
        <h4 className={styles.event}>
          <code translate="no">{event}</code>
        </h4>
        <p className={styles.facts}>
          <span className={styles.outcome}>{t(`signals.outcome.${state}`)}</span>
          {status !== undefined && <span>HTTP {status}</span>}
          {ms !== undefined && <span>{t('signals.ms', { ms: number.format(ms) })}</span>}
          {attempts > 1 && <span>{t('signals.attempts', { count: attempts })}</span>}
          <span>
            <Moment at={createdAt} show="distance" />
          </span>
        </p>
        {detail && outcome !== 'told' && <p className={styles.detail}>{detail}</p>}
        <ErrorSummary errors={replay.problem ? { form: replay.problem } : {}} fields={[]} />
      </div>
      {settledAt !== undefined && !client.first_party && (
        <Button
          look="text"
          busy={replay.busy}
          aria-label={t('signals.replayOf', { event })}
          onClick={() => void replay.run(id)}
        >
          {t('signals.replay')}
        </Button>
      )}
    </li>
  );
};

interface DeliveriesProps {
  client: RegisteredClient;
  deliveries: readonly SignalDelivery[];
}

/** What became of the last signals, the newest first. */
export const Deliveries = ({ client, deliveries }: DeliveriesProps) => {
  const { t } = useTranslation('developers');
  const [all, setAll] = useState(false);
  if (deliveries.length === 0) return <p className={styles.text}>{t('signals.none')}</p>;
  const rest = deliveries.length - SHOWN;
  return (
    <>
      <h3 className={styles.title}>{t('signals.last')}</h3>
      <ul className={card.card}>
        {deliveries.slice(0, all ? undefined : SHOWN).map((delivery) => (
          <Delivery key={delivery.id} client={client} delivery={delivery} />
        ))}
      </ul>
      {rest > 0 && !all && (
        <Button className={styles.more} look="text" onClick={() => setAll(true)}>
          {t('signals.more', { count: rest })}
        </Button>
      )}
    </>
  );
};
