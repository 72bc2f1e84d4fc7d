import type { EndedAuthorization } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { nextStep } from '../../account/next-step.ts';
import { Summary } from '../../components/summary.tsx';
import styles from './ended-links.module.css';

const EndedLink = ({ ended }: { ended: EndedAuthorization }) => {
  const { t } = useTranslation('security');
  const { client, label, link, endedAt } = ended;
  const reason = link.endedBecause ?? 'expired';
  return (
    <li className={styles.link} data-ended={ended.id}>
      {label && <p className={styles.name}>{label}</p>}
      <p>
        {t('links.becauseNext', {
          because: t(`links.because.${reason}`),
          next: t(`links.next.${nextStep[reason]}`, { app: client.name }),
        })}
      </p>
      <Summary>
        <Phrase text={(when) => t('links.endedAt', { when })}>
          <Moment at={endedAt} show="date" />
        </Phrase>
        <Phrase text={(when) => t('tokens.since', { when })}>
          <Moment at={link.since} show="date" />
        </Phrase>
      </Summary>
    </li>
  );
};

/** The links of an app that ended in the last 90 days: why, and what to do about it. */
export const EndedLinks = ({ links }: { links: readonly EndedAuthorization[] }) => {
  const { t } = useTranslation('security');
  if (links.length === 0) return null;
  return (
    <section className={styles.ended}>
      <h3 className={styles.heading}>{t('links.ended')}</h3>
      <ul>
        {links.map((ended) => (
          <EndedLink key={ended.id} ended={ended} />
        ))}
      </ul>
    </section>
  );
};
