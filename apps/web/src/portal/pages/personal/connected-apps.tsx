import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../../flow/components/checkbox.tsx';
import { formatNames } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import styles from './connected-apps.module.css';

const mostNamed = 4;

interface ConnectedAppsProps {
  /** The names of the apps; undefined while they load. */
  names: readonly string[] | undefined;
  withdraw: boolean;
  onToggle: () => void;
}

/** The apps that stay connected after a change of the password, with a checkbox that disconnects them. */
export const ConnectedApps = ({ names = [], withdraw, onToggle }: ConnectedAppsProps) => {
  const { t } = useTranslation('account');
  const locale = useLocale();
  const named = [...new Set(names)];
  return (
    <div className={styles.apps}>
      {named.length > 0 && (
        <p className={styles.names}>
          {t('settings.password.connected', { apps: formatNames(named, mostNamed, locale) })}
        </p>
      )}
      <Checkbox checked={withdraw} onChange={onToggle}>
        {t('settings.password.withdraw')}
      </Checkbox>
      {/* A new tab, so that the form keeps its input. */}
      <a className={styles.review} href="/tokens" target="_blank" rel="noopener">
        {t('settings.password.review')}
        <span className="visually-hidden"> {t('app.newTab')}</span>
      </a>
    </div>
  );
};
