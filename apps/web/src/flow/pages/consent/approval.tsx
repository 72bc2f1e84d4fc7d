import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, call } from '../../../shell/api/client.ts';
import { ChunkBoundary } from '../../../shell/chunk/chunk-boundary.tsx';
import { Button } from '../../../shell/components/button.tsx';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import { type FormErrors, toFormErrors } from '../../../shell/forms/form-errors.ts';
import { leaveFor, useSubmit } from '../../../shell/forms/use-submit.ts';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import { ApprovalScreen } from '../../approval/approval-screen.tsx';
import { agreeText } from '../../approval/linking.tsx';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { DeviceCode } from './device-code.tsx';

const armDelayMs = 500;

/** A part that names the contacts that the app would not get, and adds them. */
export type MissingContactsPart = ComponentType<{
  /** The account of the request. Another account may have signed in since. */
  accountId: string;
  app: string;
  /** The contacts that the app asks for and the account lacks. */
  kinds: readonly ('email' | 'phone')[];
  onAdded: () => void;
}>;

type ScopeAsked = ReadyInteraction['details']['scopes'][number];

/** The contacts that the approved scopes need and the account lacks. */
const missingIn = (scopes: readonly ScopeAsked[], declined: readonly string[]) =>
  (['email', 'phone'] as const).filter(
    (kind) => !declined.includes(kind) && scopes.some(({ name, absent }) => absent && name === kind),
  );

/** False for a moment after the screen appears or the window gets the focus: an accidental press must not approve. */
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

/** The three answers to a request. Each leaves the page. `declined` holds the keys of the scopes left out. */
const useAnswer = (
  { uid, details, fail }: Pick<ReadyInteraction, 'uid' | 'details' | 'fail'>,
  declined: readonly string[],
) => {
  const [errors, setErrors] = useState<FormErrors<never>>({});
  const refuse = (error: ApiError) => {
    if (error.code === 'interaction_expired') fail(error);
    else setErrors(toFormErrors(error, []));
  };
  const params = { uid };
  const allow = useSubmit(async () => {
    const keys = details.scopes.map(({ key, name }) => key ?? name);
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
  return { allow, cancel, change, errors, busy: allow.busy || cancel.busy || change.busy };
};

interface ApprovalProps extends ReadyInteraction {
  missingContacts: MissingContactsPart;
}

/** The approval of a request, which the person answers. */
export const Approval = ({ uid, details, reload, fail, missingContacts: MissingContacts }: ApprovalProps) => {
  const { t } = useTranslation();
  const [declined, setDeclined] = useState<readonly string[]>([]);
  const armed = useArmed();
  const { client, account, device, scopes } = details;
  const missing = missingIn(scopes, declined);
  const { allow, cancel, change, errors, busy } = useAnswer({ uid, details, fail }, declined);
  useLamp(allow.busy ? 1 : 0.8);

  const toggle = (keys: readonly string[]) =>
    setDeclined(
      keys.some((key) => declined.includes(key))
        ? declined.filter((key) => !keys.includes(key))
        : [...declined, ...keys],
    );
  return (
    <ApprovalScreen
      details={details}
      isPinned
      declined={declined}
      onToggle={toggle}
      heading={<PageHeading title={t('consent.title')} invalid={Boolean(errors.form)} />}
      notice={
        <>
          {device && <DeviceCode userCode={device.userCode} />}
          <ErrorSummary errors={errors} fields={[]} />
        </>
      }
      missing={
        missing.length > 0 &&
        account && (
          <ChunkBoundary>
            <MissingContacts accountId={account.id} app={client.name} kinds={missing} onAdded={reload} />
          </ChunkBoundary>
        )
      }
      change={
        <Button look="text" busy={change.busy} onClick={() => !busy && change.run()}>
          {t('consent.change')}
        </Button>
      }
      answers={
        <>
          <Button busy={cancel.busy} onClick={() => !busy && cancel.run()}>
            {device ? t('consent.deny') : t('app.cancel')}
          </Button>
          <Button
            look="primary"
            busy={allow.busy}
            aria-disabled={!armed || undefined}
            onClick={() => !busy && allow.run()}
          >
            {t(agreeText(client))}
          </Button>
        </>
      }
    />
  );
};
