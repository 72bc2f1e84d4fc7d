import type { RegisteredClient } from '@candela/contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../flow/components/password-field.tsx';
import { Phrase } from '../../flow/components/phrase.tsx';
import { ChoiceList } from '../../portal/components/choice-list.tsx';
import { Button } from '../../shell/components/button.tsx';
import { CodeBlock } from '../code-block.tsx';
import { Section } from '../section.tsx';
import { courseOf, type Step, type Way, waysOf } from '../try-it/course.ts';
import { readJwt } from '../try-it/read-jwt.ts';
import { StepCard } from '../try-it/step-card.tsx';
import { addressOf, proofOf } from '../try-it/trial-request.ts';
import styles from '../try-it/try-it.module.css';
import { useTrial } from '../try-it/use-trial.ts';

/** The code that a device shows, out of the answer to its request. */
const userCodeIn = (outcome: unknown): { address: string; code: string } | undefined => {
  const { answer } = (outcome ?? {}) as { answer?: { body?: Record<string, unknown> } };
  const code = answer?.body?.user_code;
  return typeof code === 'string'
    ? { code, address: String(answer?.body?.verification_uri ?? `${location.origin}/device`) }
    : undefined;
};

const Course = ({
  client,
  way,
  run,
}: {
  client: RegisteredClient;
  way: Way;
  run: ReturnType<typeof useTrial>;
}) => {
  const { t } = useTranslation('developers');
  const { trial, outcomes, busy, blocked } = run;
  const actionOf = (step: Step) => {
    if (step === 'authorization') return t('trial.open');
    if (step === 'token' && way === 'device_code' && outcomes.token) return t('trial.poll');
    return t('trial.send');
  };
  const idToken = trial?.tokens?.id_token;
  const claims = idToken ? readJwt(idToken)?.claims : undefined;
  const shown = userCodeIn(outcomes.deviceAuthorization);
  /** A step appears once the step before it gave what it needs. */
  const isReady = (step: Step): boolean => {
    if (!trial) return false;
    if (step === 'authorization' || step === 'deviceAuthorization') return true;
    if (step === 'token')
      return way === 'client_credentials' || trial.code !== undefined || trial.deviceCode !== undefined;
    if (step === 'refresh') return trial.tokens?.refresh_token !== undefined;
    return trial.tokens !== undefined;
  };
  return (
    <ol className={styles.steps}>
      {courseOf(client, way)
        .filter(isReady)
        .map((step) => (
          <StepCard
            key={step}
            client={client}
            step={step}
            way={way}
            request={run.requestOf(step)}
            outcome={outcomes[step]}
            busy={busy === step}
            action={actionOf(step)}
            onTake={() => void run.take(step)}
            onCancel={run.cancel}
          >
            {step === 'authorization' && blocked && trial && (
              <p role="alert">
                {t('trial.blocked')}{' '}
                <a
                  href={addressOf(
                    run.requestOf('authorization') ?? { method: 'GET', path: '/', params: {}, proof: 'none' },
                    location.origin,
                    { clientId: client.client_id, secret: '' },
                  )}
                  target="_blank"
                  rel="noreferrer"
                >
                  {t('trial.openByHand')}
                </a>
              </p>
            )}
            {step === 'logout' && <p className={styles.text}>{t('trial.logoutWarning')}</p>}
            {step === 'claims' &&
              (claims ? (
                <CodeBlock text={JSON.stringify(claims, null, 2)} label={t('trial.claims')} />
              ) : (
                <p>{t('trial.noIdToken')}</p>
              ))}
            {step === 'deviceAuthorization' && shown && (
              <>
                <p>
                  <Phrase text={(address) => t('trial.userCode', { address })}>
                    <a href={shown.address} target="_blank" rel="noreferrer">
                      {shown.address}
                      <span className="visually-hidden"> {t('app.newTab')}</span>
                    </a>
                  </Phrase>
                </p>
                <p className={styles.code} translate="no">
                  <strong>{shown.code}</strong>
                </p>
              </>
            )}
          </StepCard>
        ))}
    </ol>
  );
};

/** The protocol step by step with this client. */
export const TryIt = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const ways = waysOf(client);
  const [chosen, setWay] = useState<Way>();
  const way = chosen ?? ways[0];
  const [secret, setSecret] = useState('');
  const secretId = useId();
  const run = useTrial(client, secret);
  const proof = proofOf(client);
  if (!way) return null;
  return (
    <Section name="tryIt" text={t(`trial.text.${way}`)}>
      {client.disabled ? (
        <p>{t('trial.disabled')}</p>
      ) : (
        <>
          <div className={styles.begin}>
            {ways.length > 1 && (
              <ChoiceList
                name="way"
                legend={t('trial.way')}
                choices={ways.map((value) => ({ value, label: t(`trial.ways.${value}`) }))}
                value={way}
                onChange={setWay}
              />
            )}
            {proof === undefined && <p>{t('trial.keysOnly')}</p>}
            {(proof === 'basic' || proof === 'post') && (
              <PasswordField
                id={secretId}
                label={t('trial.secret')}
                hint={t('trial.secretHint')}
                value={secret}
                autoComplete="new-password"
                busy={false}
                onChange={setSecret}
              />
            )}
            <Button look={run.trial ? 'secondary' : 'primary'} onClick={() => void run.start()}>
              {run.trial ? t('trial.again') : t('trial.start')}
            </Button>
          </div>
          {run.trial && <Course client={client} way={way} run={run} />}
        </>
      )}
    </Section>
  );
};
