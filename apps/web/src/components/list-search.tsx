import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from './field.tsx';
import styles from './list-search.module.css';

interface ListSearchProps {
  label: string;
  search: {
    text: string;
    setText: (text: string) => void;
    searching: boolean;
    /** What was found may not be all there is: the rest is on its way, or did not come. */
    rest: 'loading' | 'failed' | undefined;
    offered: boolean;
  };
  /** How many were found. */
  found: number;
}

/** A field that narrows a list down, and says what is left of it. */
export const ListSearch = ({ label, search, found }: ListSearchProps) => {
  const { t } = useTranslation('account');
  const id = useId();
  const told = () => {
    if (!search.searching) return undefined;
    if (search.rest === 'loading') return t('list.loading');
    if (found > 0) return t('list.found', { number: found });
    // That the rest did not come is told where it is missing.
    return search.rest ? undefined : t('list.nothingFound');
  };
  if (!search.offered) return null;
  return (
    <search className={styles.search}>
      <Field id={id} label={label}>
        <input
          id={id}
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={search.text}
          onChange={(event) => search.setText(event.target.value)}
        />
      </Field>
      <p className={styles.found} role="status">
        {told()}
      </p>
    </search>
  );
};
