import type { RegisteredClient } from '@candela/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tabs } from '../../flow/components/tabs.tsx';
import { call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { Link } from '../../shell/navigation/link.tsx';
import { CodeBlock } from '../code-block.tsx';
import type { Step, Way } from './course.ts';
import type { TrialAnswer } from './send.ts';
import { toCurl, toTypeScript } from './trial-commands.ts';
import { addressOf, SECRET_VARIABLE, type TrialRequest } from './trial-request.ts';
import styles from './try-it.module.css';
import type { Outcome } from './use-trial.ts';

const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2));

/** The request as it goes over the wire, with the secret as a variable. */
const toWire = (request: TrialRequest, clientId: string): string => {
  const secrets = { clientId, secret: SECRET_VARIABLE };
  const { host, pathname, search } = new URL(addressOf(request, location.origin, secrets));
  const lines = [`${request.method} ${pathname}${search}`, `Host: ${host}`];
  if (request.proof === 'basic') lines.push(`Authorization: Basic ${clientId}:${SECRET_VARIABLE} (base64)`);
  if (request.proof === 'bearer') lines.push(`Authorization: Bearer ${request.accessToken}`);
  const form = Object.entries({
    ...request.params,
    ...(request.proof === 'none' && { client_id: clientId }),
    ...(request.proof === 'post' && { client_id: clientId, client_secret: SECRET_VARIABLE }),
  });
  if (request.method === 'POST') lines.push('', ...form.map(([name, value]) => `${name}=${value}`));
  return lines.join('\n');
};

/** The request as a command and as a program. */
const Commands = ({ step, request, clientId }: { step: Step; request: TrialRequest; clientId: string }) => {
  const { t } = useTranslation('developers');
  const [language, setLanguage] = useState<'curl' | 'typescript'>('curl');
  const write = language === 'curl' ? toCurl : toTypeScript;
  return (
    <details className={styles.foldable}>
      <summary>{t('trial.commands')}</summary>
      <Tabs
        label={t('trial.commands')}
        tabs={(['curl', 'typescript'] as const).map((value) => ({ value, label: t(`trial.${value}`) }))}
        value={language}
        panel={`commands-${step}`}
        onChange={setLanguage}
      />
      <div className={styles.panel} id={`commands-${step}`}>
        <CodeBlock text={write(request, location.origin, clientId)} label={t(`trial.${language}`)} />
      </div>
    </details>
  );
};

/** Asks why a request was refused. */
const Why = ({ client, reference }: { client: RegisteredClient; reference: string }) => {
  const { t } = useTranslation('developers');
  const asking = useMutation({
    mutationFn: async () => {
      const params = { id: client.client_id };
      const { items } = await call('GET /api/clients/:id/errors', { params, query: { reference } });
      return items[0];
    },
  });
  return (
    <div className={styles.why}>
      <p>{t('trial.refused', { reference })}</p>
      {!asking.data && (
        <Button look="text" busy={asking.isPending} onClick={() => asking.mutate()}>
          {t('trial.explain')}
        </Button>
      )}
      <div aria-live="polite">
        {asking.isSuccess && !asking.data && <p>{t('trial.noReason')}</p>}
        {asking.data && (
          <>
            <p>{t(`trouble.kinds.${asking.data.kind}.text`)}</p>
            <p>
              {t('trial.reason', { reason: asking.data.reason })}{' '}
              <Link to={`?reference=${encodeURIComponent(reference)}#errors`}>
                {t('client.sections.errors')}
              </Link>
            </p>
          </>
        )}
      </div>
    </div>
  );
};

const isPending = ({ body }: TrialAnswer): boolean =>
  typeof body === 'object' && body !== null && 'error' in body && body.error === 'authorization_pending';

const Answer = ({ client, outcome }: { client: RegisteredClient; outcome: Outcome }) => {
  const { t } = useTranslation('developers');
  if (outcome.kind === 'unreachable')
    return (
      <p className={styles.problem} role="alert">
        {t('trial.unreachable')}
      </p>
    );
  if (outcome.kind === 'browser') {
    const text = Object.entries(outcome.answer).map(([name, value]) => `${name}=${value}`);
    return <CodeBlock text={text.join('\n')} label={t('trial.came')} />;
  }
  const { answer } = outcome;
  const head = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <CodeBlock
        text={[`HTTP ${answer.status}`, ...head, '', toText(answer.body)].join('\n')}
        label={t('trial.came')}
      />
      {isPending(answer) && <p>{t('trial.pending')}</p>}
      {answer.reference && !isPending(answer) && <Why client={client} reference={answer.reference} />}
    </>
  );
};

interface StepCardProps {
  client: RegisteredClient;
  step: Step;
  /** By which the client gets its first token. */
  way: Way;
  request: TrialRequest | undefined;
  outcome: Outcome | undefined;
  busy: boolean;
  /** The label of the button that takes the step. */
  action: string;
  onTake: () => void;
  onCancel: () => void;
  children?: React.ReactNode;
}

/** One step of a trial: what it means, what is sent, what came back, and the same as a command. */
export const StepCard = (props: StepCardProps) => {
  const { client, step, way, request, outcome, busy, action, onTake, onCancel, children } = props;
  const { t } = useTranslation('developers');
  return (
    <li className={styles.step} data-step={step}>
      <h3 className={styles.title}>{t(`trial.steps.${step}.title`)}</h3>
      <p className={styles.text}>
        {t(step === 'token' ? `trial.tokenBy.${way}` : `trial.steps.${step}.text`)}
      </p>
      {request && (
        <>
          <h4 className={styles.heading}>{t('trial.sent')}</h4>
          <CodeBlock text={toWire(request, client.client_id)} label={t('trial.sent')} />
          <Commands step={step} request={request} clientId={client.client_id} />
          <div className={styles.actions}>
            <Button busy={busy && !isWindow(step)} onClick={onTake}>
              {action}
            </Button>
            {busy && isWindow(step) && (
              <>
                <span role="status">{t('trial.waiting')}</span>
                <Button look="text" onClick={onCancel}>
                  {t('trial.cancel')}
                </Button>
              </>
            )}
          </div>
        </>
      )}
      {children}
      {outcome && (
        <>
          <h4 className={styles.heading}>{t('trial.came')}</h4>
          <Answer client={client} outcome={outcome} />
        </>
      )}
    </li>
  );
};

const isWindow = (step: Step): boolean => step === 'authorization' || step === 'logout';
