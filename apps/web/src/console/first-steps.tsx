import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../shell/navigation/link.tsx';
import { DocsLink } from './docs-link.tsx';
import styles from './first-steps.module.css';

const steps = [
  { name: 'web', preset: 'web' },
  { name: 'spa', preset: 'spa' },
  { name: 'native', preset: 'native' },
  { name: 'device', preset: 'device' },
  { name: 'machine', preset: 'machine' },
  { name: 'voice', preset: 'alexa' },
] as const;

/** What a developer without clients can begin with, and what each needs. */
export const FirstSteps = () => {
  const { t } = useTranslation('developers');
  const id = useId();
  return (
    <section className={styles.steps} aria-labelledby={id}>
      <div>
        <h2 id={id}>{t('developers.empty.title')}</h2>
        <p className={styles.text}>{t('developers.empty.text')}</p>
        <p>
          <DocsLink to="presets#which-preset-fits-my-app">{t('documentation.presets')}</DocsLink>
        </p>
      </div>
      <ul className={styles.cards}>
        {steps.map(({ name, preset }) => (
          <li key={name} className={styles.card}>
            <h3 className={styles.name}>
              <Link className={styles.link} to={`/developers/new?preset=${preset}`}>
                {t(`developers.empty.${name}.title`)}
              </Link>
            </h3>
            <p>{t(`developers.empty.${name}.text`)}</p>
            <p className={styles.needs}>{t(`developers.empty.${name}.needs`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
};
