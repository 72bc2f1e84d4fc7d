import { useTranslation } from 'react-i18next';
import row from '../account-rows.module.css';

interface RowActionProps {
  label: string;
  /** What the action is about, for those who hear the button alone. */
  what: string;
  busy?: boolean;
  onPress: () => void;
}

/** An action on one thing of a row. */
export const RowAction = ({ label, what, busy = false, onPress }: RowActionProps) => {
  const { t } = useTranslation('account');
  return (
    <button
      type="button"
      className={row.action}
      aria-label={t('settings.actionOf', { action: label, what })}
      aria-disabled={busy || undefined}
      onClick={() => {
        if (!busy) onPress();
      }}
    >
      {label}
    </button>
  );
};
