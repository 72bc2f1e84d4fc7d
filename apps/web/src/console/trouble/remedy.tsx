import type { ClientErrorKind, RegisteredClient } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Link } from '../../shell/navigation/link.tsx';
import { DocsLink } from '../docs-link.tsx';
import { sectionOf } from '../page-of.ts';
import { guideTo, remedies } from './remedies.ts';
import styles from './trouble.module.css';

/** What a kind of error means, where it is mended, and where more is written about it. */
export const Remedy = ({ client, kind }: { client: RegisteredClient; kind: ClientErrorKind }) => {
  const { t } = useTranslation('developers');
  const remedy = remedies[kind];
  return (
    <>
      <p className={styles.text}>{t(`trouble.kinds.${kind}.text`)}</p>
      <p className={styles.ways}>
        {remedy && (
          <Link to={sectionOf(client.client_id, remedy.section)}>{t(`trouble.${remedy.label}`)}</Link>
        )}
        <DocsLink to={guideTo(kind)}>{t('documentation.error')}</DocsLink>
      </p>
    </>
  );
};
