import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { boot } from '../../../shell/boot.ts';
import { Actions } from '../../../shell/components/actions.tsx';
import column from '../../../shell/components/column.module.css';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import linkButton from '../../components/link-button.module.css';
import styles from './middle-page.module.css';
import { ownPath } from './own-path.ts';

/**
 * The page between two systems. It continues only to a path of this portal. Without a path it links to the
 * account.
 */
export const MiddlePage = () => {
  const { t } = useTranslation('account');
  const [search] = useSearchParams();
  const target = ownPath(search.get('return_to'));
  const place = t('middle.account', { brand: boot.brand.name });
  useLamp(target ? 0.8 : 0.3);

  useEffect(() => {
    // `replace` removes this page from the history, so that Back skips it.
    if (target) location.replace(target);
  }, [target]);

  return (
    <div className={column.column}>
      <PageHeading title={t('middle.title')} />
      <p className={prose.lead} role="status">
        {target ? t('middle.returning', { place }) : t('middle.idle')}
      </p>
      {target && <span className={styles.spinner} aria-hidden="true" />}
      <Actions>
        <a
          className={target ? `${linkButton.quiet} ${styles.late}` : linkButton.button}
          href={target ?? '/index'}
        >
          {target ? t('middle.go') : t('flow.toAccountPage')}
        </a>
      </Actions>
    </div>
  );
};
