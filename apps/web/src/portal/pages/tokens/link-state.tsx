import type { Authorization } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { endsSoon, LinkEnd } from './link-end.tsx';
import styles from './link-state.module.css';

/** What a link tells that a person may want to act on: nothing where it works. */
export const LinkState = ({ authorization }: { authorization: Authorization }) => {
  const { t } = useTranslation('security');
  const { link, client } = authorization;
  if (!link) return null;
  return (
    <>
      {link.state === 'quiet' && link.lastRefreshAt && (
        <p className={styles.state}>
          <Phrase text={(when) => t('links.quiet', { when, app: client.name })}>
            <Moment at={link.lastRefreshAt} show="date" />
          </Phrase>
        </p>
      )}
      {link.endsAt && endsSoon(authorization) && (
        <LinkEnd authorization={authorization} endsAt={link.endsAt} />
      )}
    </>
  );
};
