import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import card from '../../components/card.module.css';
import styles from './account-rows.module.css';

interface RowAction {
  label: string;
  /** It ends something for good. */
  isDanger?: boolean;
  onPress: () => void;
}

interface SettingRowProps {
  id: string;
  label: string;
  /** A picture before the label. */
  mark?: ReactNode;
  actions: readonly RowAction[];
  /**
   * Where it is narrow, the text of a `long` row has the whole width. The label of a `thing` is the thing’s own name, so
   * the facts stand below it at any width.
   */
  look?: 'long' | 'thing';
  children: ReactNode;
}

/** A row of the settings: a label, a value and actions. */
export const SettingRow = ({ id, label, mark, actions, look, children }: SettingRowProps) => {
  const { t } = useTranslation('account');
  return (
    <div className={[card.row, styles.row, look && styles[look]].filter(Boolean).join(' ')} data-setting={id}>
      <dt className={styles.label}>
        {mark && <span className={styles.mark}>{mark}</span>}
        {label}
      </dt>
      <dd className={styles.value}>{children}</dd>
      <dd className={styles.actions}>
        {actions.map(({ label: action, isDanger, onPress }, index) => (
          <button
            key={index}
            type="button"
            className={[styles.action, isDanger && styles.danger].filter(Boolean).join(' ')}
            aria-label={t('settings.actionOf', { action, what: label })}
            onClick={onPress}
          >
            {action}
          </button>
        ))}
      </dd>
    </div>
  );
};
