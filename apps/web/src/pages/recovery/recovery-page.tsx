import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { useLamp } from '../../components/flow-frame.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import stack from '../../components/stack.module.css';
import { flowUrl, readFlowState } from '../../interaction/flow-links.ts';
import styles from './recovery-page.module.css';

/** What will stand here, and the way in that works meanwhile. */
export const RecoveryPage = () => {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const { draft } = readFlowState(useLocation().state);
  const uid = search.get('interaction') ?? '';
  const login = flowUrl('/login', uid);
  useLamp(0.35);
  return (
    <div className={stack.stack}>
      <PageHeading title={t('recovery.title')} />
      <p>{t('recovery.text')}</p>
      <section className={styles.steps} aria-labelledby="steps">
        <h2 id="steps">{t('recovery.stepsTitle')}</h2>
        <ol className={styles.list}>
          <li>{t('recovery.stepIdentify')}</li>
          <li>{t('recovery.stepCode')}</li>
          <li>{t('recovery.stepPassword')}</li>
        </ol>
      </section>
      <p>{t('recovery.now')}</p>
      <Actions>
        <Link className={stack.button} to={login} state={{ draft, method: 'code' }} reloadDocument={!uid}>
          {t('recovery.byCode')}
        </Link>
      </Actions>
      {uid && (
        <p className={stack.links}>
          <Link to={login} state={{ draft }}>
            {t('recovery.back')}
          </Link>
        </p>
      )}
    </div>
  );
};
