import type { ClientError, RegisteredClient } from '@candela/contract';
import { isClientErrorCode } from '@candela/contract/errors';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../flow/components/moment.tsx';
import { notify } from '../../portal/components/toast.tsx';
import { ApiError, call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { useProblemText } from '../../shell/forms/form-errors.ts';
import { keyOf } from '../queries.ts';
import { type Difference, differenceOf } from './difference.ts';
import styles from './trouble.module.css';

const Marked = ({ before, differs, after }: Difference) => (
  <>
    {before}
    {differs && <mark className={styles.mark}>{differs}</mark>}
    {after}
  </>
);

/** The parameters of a request, with the part of each that differs from what would be right. */
const Sent = ({ sent, expected }: Pick<ClientError, 'sent' | 'expected'>) => (
  <dl className={styles.values}>
    {Object.entries(sent).map(([name, value]) => {
      const right = expected[name]?.[0];
      return (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{right === undefined ? value : <Marked {...differenceOf(value, right)} />}</dd>
        </div>
      );
    })}
  </dl>
);

/** Adds the address that the app sent to its return addresses. */
const AddAddress = ({ client, uri }: { client: RegisteredClient; uri: string }) => {
  const { t } = useTranslation('developers');
  const problemText = useProblemText();
  const queries = useQueryClient();
  const adding = useMutation({
    mutationFn: () =>
      call('PATCH /api/clients/:id', {
        params: { id: client.client_id },
        body: { redirect_uris: [...client.redirect_uris, uri] },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(client.client_id) });
      notify(t('trouble.addressAdded'));
    },
  });
  const { error } = adding;
  const refusal =
    error instanceof ApiError
      ? isClientErrorCode(error.code)
        ? t(`errors.${error.code}`)
        : problemText(error)
      : undefined;
  return (
    <>
      <p className={styles.note}>{t('trouble.addWarning')}</p>
      <Button busy={adding.isPending} onClick={() => adding.mutate()}>
        {t('trouble.addAddress')}
      </Button>
      {refusal && (
        <p className={styles.refusal} role="alert">
          {refusal}
        </p>
      )}
    </>
  );
};

/** One refused request: why, what was sent, what would be right, and what to change. */
export const ErrorDetails = ({ client, error }: { client: RegisteredClient; error: ClientError }) => {
  const { t } = useTranslation('developers');
  const { sent, expected } = error;
  const uri = error.kind === 'redirect_uri_mismatch' ? sent.redirect_uri : undefined;
  const isRegistered = uri !== undefined && client.redirect_uris.includes(uri);
  return (
    <div className={styles.details}>
      <p>
        <Moment at={error.at} show="both" /> · <code>{error.reference}</code>
      </p>
      <dl className={styles.values}>
        <div>
          <dt>{t('trouble.endpoint')}</dt>
          <dd translate="no">{error.endpoint}</dd>
        </div>
        <div>
          <dt>{t('trouble.reason')}</dt>
          <dd lang="en">
            {error.error}: {error.reason}
          </dd>
        </div>
      </dl>
      {Object.keys(sent).length > 0 && (
        <>
          <h4 className={styles.heading}>{t('trouble.sent')}</h4>
          <Sent sent={sent} expected={expected} />
        </>
      )}
      {Object.keys(expected).length > 0 && (
        <>
          <h4 className={styles.heading}>{t('trouble.expected')}</h4>
          <dl className={styles.values}>
            {Object.entries(expected).map(([name, values]) => (
              <div key={name}>
                <dt>{name}</dt>
                {values.map((value) => (
                  <dd key={value}>{value}</dd>
                ))}
              </div>
            ))}
          </dl>
          {Object.keys(expected).some((name) => sent[name] !== undefined) && (
            <p className={styles.note}>{t('trouble.difference')}</p>
          )}
        </>
      )}
      {uri !== undefined && !isRegistered && <AddAddress client={client} uri={uri} />}
      {isRegistered && (
        <p className={styles.note}>
          {t(error.endpoint === '/oauth/token' ? 'trouble.otherAddress' : 'trouble.addressAdded')}
        </p>
      )}
    </div>
  );
};
