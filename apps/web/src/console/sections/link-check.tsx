import type { LinkCheckStep, RegisteredClient, LinkCheck as Report } from '@candela/contract';
import { isClientErrorCode } from '@candela/contract/errors';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import card from '../../portal/components/card.module.css';
import { ApiError, call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { useProblemText } from '../../shell/forms/form-errors.ts';
import { Link } from '../../shell/navigation/link.tsx';
import { AsCommand } from '../as-command.tsx';
import { apiPathOf } from '../commands.ts';
import { DocsLink } from '../docs-link.tsx';
import { type SectionName, sectionOf } from '../page-of.ts';
import { Section } from '../section.tsx';
import styles from './link-check.module.css';

/** Where a field of the registration is changed, or at least shown. */
const placeOf = ({ field, problem }: LinkCheckStep) => {
  if (problem === 'client_disabled') return { section: 'ending', label: 'client.sections.ending' } as const;
  if (field === undefined) return undefined;
  const places = {
    redirect_uris: { section: 'addresses', label: 'trouble.toAddresses' },
    scope: { section: 'permissions', label: 'trouble.toPermissions' },
  } as const satisfies Record<string, { section: SectionName; label: string }>;
  return Object.hasOwn(places, field)
    ? places[field as keyof typeof places]
    : ({ section: 'facts', label: 'trouble.toFacts' } as const);
};

const Requests = ({ exchanges }: Pick<LinkCheckStep, 'exchanges'>) => {
  const { t } = useTranslation('developers');
  return (
    <details className={styles.foldable}>
      <summary>{t('linkCheck.requests')}</summary>
      <ol className={styles.requests}>
        {exchanges.map(({ sent, came }, index) => (
          // A report never changes, and a request may come twice.
          <li key={index}>
            <dl>
              <dt>{t('linkCheck.sent')}</dt>
              <dd translate="no">{sent}</dd>
              <dt>{t('linkCheck.came')}</dt>
              <dd translate="no">{came}</dd>
            </dl>
          </li>
        ))}
      </ol>
    </details>
  );
};

const Step = ({ client, step }: { client: RegisteredClient; step: LinkCheckStep }) => {
  const { t } = useTranslation('developers');
  const { outcome, problem, field = '', value = '', exchanges } = step;
  const place = placeOf(step);
  return (
    <li className={styles.step} data-outcome={outcome}>
      <h3 className={styles.title}>
        <span className={styles.outcome}>{t(`linkCheck.outcome.${outcome}`)}</span>{' '}
        {t(`linkCheck.steps.${step.step}`)}
      </h3>
      {problem && <p className={styles.problem}>{t(`linkCheck.problems.${problem}`, { field, value })}</p>}
      {place && (
        <p className={styles.way}>
          <Link to={sectionOf(client.client_id, place.section)}>{t(place.label)}</Link>
        </p>
      )}
      {exchanges.length > 0 && <Requests exchanges={exchanges} />}
    </li>
  );
};

const Steps = ({ client, report }: { client: RegisteredClient; report: Report }) => (
  <ol className={`${card.card} ${styles.steps}`}>
    {report.steps.map((step) => (
      <Step key={step.step} client={client} step={step} />
    ))}
  </ol>
);

/** Has the platform of the client played against the server, and shows what would not work. */
export const LinkCheck = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const problemText = useProblemText();
  const { client_id: id } = client;
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => call('POST /api/clients/:id/check', { params: { id } }),
  });
  const refusal =
    error instanceof ApiError
      ? isClientErrorCode(error.code)
        ? t(`errors.${error.code}`)
        : problemText(error)
      : undefined;
  const said = isPending ? t('linkCheck.busy') : data && t(`linkCheck.${data.passed ? 'passed' : 'failed'}`);
  return (
    <Section name="linkCheck" text={t('linkCheck.text')}>
      <div className={styles.begin}>
        <Button busy={isPending} onClick={() => mutate()}>
          {t(data ? 'linkCheck.again' : 'linkCheck.action')}
        </Button>
        <DocsLink to="link-check">{t('linkCheck.more')}</DocsLink>
      </div>
      <p role="status" className={styles.said}>
        {said}
      </p>
      {refusal && (
        <p className={styles.refusal} role="alert">
          {refusal}
        </p>
      )}
      {data && !isPending && <Steps client={client} report={data} />}
      <AsCommand what={t('linkCheck.action')} request={{ method: 'POST', path: `${apiPathOf(id)}/check` }} />
    </Section>
  );
};
