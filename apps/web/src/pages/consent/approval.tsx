import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, call } from '../../api/client.ts';
import { boot } from '../../boot.ts';
import { ChunkBoundary } from '../../chunk/chunk-boundary.tsx';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import column from '../../components/column.module.css';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import prose from '../../components/prose.module.css';
import { Skeleton } from '../../components/skeleton.tsx';
import { type FormErrors, toFormErrors } from '../../forms/form-errors.ts';
import { leaveFor, useSubmit } from '../../forms/use-submit.ts';
import { useLamp } from '../../frame/flow-frame.tsx';
import { loadAccountTexts } from '../../i18n/i18n.ts';
import { AccountCard } from '../../interaction/account-card.tsx';
import { ClientCard } from '../../interaction/client-card.tsx';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { toPermissions } from '../../scopes/permissions.ts';
import styles from './approval.module.css';
import { DeviceCode } from './device-code.tsx';
import { PermissionList } from './permission-list.tsx';

const armDelayMs = 500;

const MissingContacts = lazy(async () => {
  const [{ MissingContacts: loaded }] = await Promise.all([
    import('./missing-contacts.tsx'),
    loadAccountTexts(),
  ]);
  return { default: loaded };
});

/** Of one that is missing, in pixels: what is below stays where it is. */
const CONTACT_HEIGHT = 112;

type ScopeAsked = ReadyInteraction['details']['scopes'][number];

/** What is asked for, not left out, and not there. */
const missingIn = (scopes: readonly ScopeAsked[], declined: readonly string[]) =>
  (['email', 'phone'] as const).filter(
    (kind) => !declined.includes(kind) && scopes.some(({ name, absent }) => absent && name === kind),
  );

/** A press meant for what was on screen a moment ago, or for a window above, must not approve anything. */
const useArmed = (): boolean => {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    let timer = 0;
    const wait = () => {
      setArmed(false);
      clearTimeout(timer);
      timer = window.setTimeout(() => setArmed(true), armDelayMs);
    };
    wait();
    window.addEventListener('focus', wait);
    return () => {
      window.removeEventListener('focus', wait);
      clearTimeout(timer);
    };
  }, []);
  return armed;
};

export const Approval = ({ uid, details, reload, fail }: ReadyInteraction) => {
  const { t } = useTranslation();
  const [declined, setDeclined] = useState<readonly string[]>([]);
  const [errors, setErrors] = useState<FormErrors<never>>({});
  const armed = useArmed();
  const { client, account, device, scopes } = details;
  const permissions = toPermissions(scopes);
  const missing = missingIn(scopes, declined);
  const [asked, granted] = [permissions.filter((p) => !p.granted), permissions.filter((p) => p.granted)];

  const refuse = (error: ApiError) => {
    if (error.code === 'interaction_expired') fail(error);
    else setErrors(toFormErrors(error, []));
  };
  const params = { uid };
  const allow = useSubmit(async () => {
    const keys = scopes.map(({ key, name }) => key ?? name);
    const chosen = keys.filter((key) => !declined.includes(key));
    const body = declined.length > 0 ? { scopes: chosen } : {};
    await leaveFor((await call('POST /interaction/:uid/consent', { params, body })).returnTo);
  }, refuse);
  const cancel = useSubmit(
    async () => leaveFor((await call('POST /interaction/:uid/abort', { params })).returnTo),
    refuse,
  );
  const change = useSubmit(
    async () => leaveFor((await call('POST /interaction/:uid/switch-account', { params })).returnTo),
    refuse,
  );
  const busy = allow.busy || cancel.busy || change.busy;
  useLamp(allow.busy ? 1 : 0.8);

  const toggle = (keys: readonly string[]) =>
    setDeclined(
      keys.some((key) => declined.includes(key))
        ? declined.filter((key) => !keys.includes(key))
        : [...declined, ...keys],
    );
  const policies = [
    client.policyUri && [client.policyUri, t('consent.privacyOf', { app: client.name })],
    client.tosUri && [client.tosUri, t('consent.termsOf', { app: client.name })],
  ].filter((policy) => typeof policy === 'object');
  const asks = t('consent.asks', { app: client.name, brand: boot.brand.name });
  return (
    <div className={column.column}>
      <PageHeading title={t('consent.title')} invalid={Boolean(errors.form)} />
      <ClientCard client={client} />
      {device && <DeviceCode userCode={device.userCode} />}
      <ErrorSummary errors={errors} fields={[]} />
      {asked.length > 0 && (
        <>
          <p>{asks}</p>
          <PermissionList label={asks} permissions={asked} declined={declined} onToggle={toggle} />
        </>
      )}
      {granted.length > 0 && (
        <>
          <p className={asked.length > 0 ? prose.lead : undefined}>
            {asked.length > 0 ? t('consent.granted') : asks}
          </p>
          <PermissionList
            label={t('consent.granted')}
            permissions={granted}
            declined={[]}
            onToggle={toggle}
          />
        </>
      )}
      {missing.length > 0 && account && (
        <ChunkBoundary>
          <Suspense fallback={<Skeleton heights={missing.map(() => CONTACT_HEIGHT)} />}>
            <MissingContacts accountId={account.id} app={client.name} kinds={missing} onAdded={reload} />
          </Suspense>
        </ChunkBoundary>
      )}
      {account && (
        <AccountCard account={account}>
          <Button look="text" busy={change.busy} onClick={() => !busy && change.run()}>
            {t('consent.change')}
          </Button>
        </AccountCard>
      )}
      <Actions>
        <Button busy={cancel.busy} onClick={() => !busy && cancel.run()}>
          {device ? t('consent.deny') : t('app.cancel')}
        </Button>
        <Button
          look="primary"
          busy={allow.busy}
          aria-disabled={!armed || undefined}
          onClick={() => !busy && allow.run()}
        >
          {t('consent.allow')}
        </Button>
      </Actions>
      <div className={styles.small}>
        <p>{t('consent.removable')}</p>
        {policies.map(([uri, text]) => (
          <p key={uri}>
            <a href={uri} target="_blank" rel="noopener noreferrer">
              {text}
              <span className="visually-hidden"> {t('app.newTab')}</span>
            </a>
          </p>
        ))}
      </div>
    </div>
  );
};
