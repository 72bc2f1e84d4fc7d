import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../flow/components/field.tsx';
import styles from './list-search.module.css';

interface ListSearchProps {
  label: string;
  search: {
    text: string;
    setText: (text: string) => void;
    searching: boolean;
    /** The state of the part of the list that is not loaded yet; undefined when the list is whole. */
    rest: 'loading' | 'failed' | undefined;
    offered: boolean;
  };
  /** The number of records found. */
  found: number;
}

/** A field that searches a list, and announces the number of records found. */
export const ListSearch = ({ label, search, found }: ListSearchProps) => {
  const { t } = useTranslation('account');
  const id = useId();
  const told = () => {
    if (!search.searching) return undefined;
    if (search.rest === 'loading') return t('list.loading');
    if (found > 0) return t('list.found', { number: found });
    // The end of the list reports a rest that is missing.
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
