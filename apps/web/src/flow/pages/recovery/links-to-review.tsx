import type { LinkToReview } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { AppLine } from '../../components/app-line.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Moment } from '../../components/moment.tsx';
import panel from '../../components/panel.module.css';
import { Phrase } from '../../components/phrase.tsx';
import styles from './links-to-review.module.css';

/** Reads the apps that stay connected from a history state. Any earlier release may have written it. */
export const readLinks = (state: unknown): readonly LinkToReview[] => {
  const links: unknown = (state as { links?: unknown } | null)?.links;
  if (!Array.isArray(links)) return [];
  return links.filter((link): link is LinkToReview => typeof link?.client?.name === 'string');
};

interface LinksToReviewProps {
  links: readonly LinkToReview[];
  withdraw: boolean;
  onToggle: () => void;
}

/** The apps that stay connected after a change of the password, with a checkbox that disconnects them. */
export const LinksToReview = ({ links, withdraw, onToggle }: LinksToReviewProps) => {
  const { t } = useTranslation('account');
  return (
    <section className={panel.panel} aria-labelledby="links">
      <h2 id="links">{t('recovery.linksTitle')}</h2>
      <ul className={styles.list}>
        {links.map(({ client, createdAt, lastAccessedAt }) => (
          <li key={`${client.id} ${createdAt}`}>
            <AppLine app={client}>
              <bdi>{client.host}</bdi> ·{' '}
              <Phrase text={(when) => t('recovery.lastUsed', { when })}>
                <Moment at={lastAccessedAt} show="both" />
              </Phrase>
            </AppLine>
          </li>
        ))}
      </ul>
      <Checkbox checked={withdraw} onChange={onToggle}>
        {t('recovery.withdraw')}
      </Checkbox>
    </section>
  );
};
