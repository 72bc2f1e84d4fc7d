import type { DeskFound } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../../flow/components/checkbox.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { useProblemText } from '../../../shell/forms/form-errors.ts';
import { Link } from '../../../shell/navigation/link.tsx';
import { useStore } from '../../../shell/store.ts';
import { Note } from '../../components/note.tsx';
import { type Lookup, lookup, pageOf } from '../../frame/lookup.ts';
import { slashKey, switchSlashKey } from '../../frame/slash-key.ts';
import { useStaff } from '../../staff.ts';
import { FoundError } from './found-error.tsx';
import styles from './search-page.module.css';

const Found = ({ item }: { item: DeskFound }) => {
  const { t } = useTranslation('desk');
  const page = pageOf(item);
  return (
    <li className={styles.found}>
      <span className={styles.kind}>{t(`desk.search.kinds.${item.kind}`)}</span>
      {page ? <Link to={page}>{item.label}</Link> : <span>{item.label}</span>}
      {item.kind === 'client' && <code translate="no">{item.id}</code>}
      {item.error && <FoundError error={item.error} />}
    </li>
  );
};

/** What came of the last search that did not open a page. */
const Outcome = ({ sought: { text, found, problem } }: { sought: Lookup }) => {
  const { t } = useTranslation('desk');
  const problemText = useProblemText();
  if (problem) {
    return (
      <div role="alert">
        <Note tone="bad" title={t('desk.search.failedTitle')}>
          {problemText(problem)}
        </Note>
      </div>
    );
  }
  if (!found) return null;
  if (found.length === 0) {
    return (
      <div role="alert">
        <Note tone="calm" title={t('desk.search.nothingTitle', { text })}>
          {t('desk.search.nothing')}
        </Note>
      </div>
    );
  }
  return (
    <section className={styles.outcome} aria-labelledby="desk-found">
      <h2 id="desk-found">{t('desk.search.several', { count: found.length, text })}</h2>
      <ul className={styles.list}>
        {found.map((item) => (
          <Found key={`${item.kind} ${item.id}`} item={item} />
        ))}
      </ul>
    </section>
  );
};

/** What the search takes, and what came of the last one. */
export const SearchPage = () => {
  const { t } = useTranslation('desk');
  const sought = useStore(lookup);
  const slash = useStore(slashKey);
  const { looksLeft } = useStaff();
  return (
    <div className={styles.page}>
      {sought && <Outcome sought={sought} />}
      <div className={styles.about}>
        <PageHeading title={t('desk.title')}>{t('desk.search.title')}</PageHeading>
        <p className={prose.lead}>{t('desk.search.text')}</p>
        <p className={styles.left}>{t('desk.search.looksLeft', { count: looksLeft })}</p>
        <Checkbox checked={slash} onChange={() => switchSlashKey(!slash)}>
          {t('desk.search.slash')}
        </Checkbox>
      </div>
    </div>
  );
};
